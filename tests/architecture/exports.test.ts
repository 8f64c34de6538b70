// The entry points of the package: their names, their files, and that each is a curated list.
import { join } from 'node:path'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { readText, repositoryRoot } from '../support/repository.ts'
import { ENTRY_POINTS } from './public-names.ts'

const manifest = JSON.parse(readText('package.json')) as {
  name: string
  exports: Record<string, string | Record<string, string>>
}
const present = ENTRY_POINTS.flatMap((entry) =>
  entry.source === undefined ? [] : [{ ...entry, source: entry.source }],
)

const config = ts.readConfigFile(join(repositoryRoot, 'tsconfig.json'), ts.sys.readFile)
const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, repositoryRoot)
const program = ts.createProgram(
  present.map(({ source }) => join(repositoryRoot, source)),
  { ...options, noEmit: true },
)

/** Names that a source exports, and which of them are values. */
function exportsOf(source: string): { names: Set<string>; values: Set<string> } {
  const checker = program.getTypeChecker()
  const file = program.getSourceFile(join(repositoryRoot, source))
  const symbol = file && checker.getSymbolAtLocation(file)
  const exported = symbol === undefined ? [] : checker.getExportsOfModule(symbol)
  const isValue = (candidate: ts.Symbol): boolean => {
    const target = candidate.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(candidate) : candidate
    const typeOnly = candidate.declarations?.some(
      (declaration) =>
        ts.isExportSpecifier(declaration) && (declaration.isTypeOnly || declaration.parent.parent.isTypeOnly),
    )
    return (target.flags & ts.SymbolFlags.Value) !== 0 && typeOnly !== true
  }
  return {
    names: new Set(exported.map((candidate) => candidate.name)),
    values: new Set(exported.filter(isValue).map((candidate) => candidate.name)),
  }
}

it('[Q2] the entry points are those of package.json', () => {
  const declared = Object.keys(manifest.exports).filter((key) => key !== './package.json')
  expect(declared.sort()).toEqual(present.map(({ specifier }) => specifier.replace(manifest.name, '.')).sort())
})

describe.each(present)('$specifier', ({ specifier, source, values, types }) => {
  const exported = exportsOf(source)
  const named = Object.entries(values)

  it('[Q1, Q2] exports the public names that are there', () => {
    const missing = named.filter(([name, status]) => status === 'there' && !exported.values.has(name))
    expect(missing.map(([name]) => name)).toEqual([])
    expect(types.filter((name) => !exported.names.has(name))).toEqual([])
  })

  it('exports no name that is still marked planned', () => {
    expect(named.filter(([name, status]) => status === 'planned' && exported.values.has(name))).toEqual([])
  })

  it('loads, and has every value that its types promise', async () => {
    const loaded = (await import(specifier)) as Record<string, unknown>
    expect([...exported.values].filter((name) => loaded[name] === undefined)).toEqual([])
  })

  it('is a list of names, without export *', () => {
    const file = program.getSourceFile(join(repositoryRoot, source))
    const stars = file?.statements.filter((node) => ts.isExportDeclaration(node) && node.exportClause === undefined)
    expect(stars).toEqual([])
  })

  it('is published from the file that it is written in', () => {
    const built = `./dist/${source.replace(/\.ts$/, '')}`
    expect(manifest.exports[specifier.replace(manifest.name, '.')]).toEqual({
      'runcell-source': `./${source}`,
      types: `${built}.d.ts`,
      default: `${built}.js`,
    })
  })
})
