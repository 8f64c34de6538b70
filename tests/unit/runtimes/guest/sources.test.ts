// Guest sources keep the rules of intrinsics.ts: no method and no accessor of the language's own, no iteration protocol, no `in`, and
// no global but through it. Told by the compiler's types, so that a method of our own class is no finding.
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { listFiles, repositoryRoot } from '../../../support/repository.ts'

const paths = [...listFiles('runtimes/guest'), ...listFiles('runtimes/typescript/guest')].filter(
  (path) => path.endsWith('.ts') && !path.endsWith('/intrinsics.ts'),
)
/** Breaks every rule once. */
const BAD = '/bad.ts'
const BAD_SOURCE = `
export function bad(list: number[], map: Map<string, number>, key: string, typed: Uint8Array): unknown {
  for (const item of list) list.push(item)
  const [first] = list
  if (key in map || typed instanceof Map) return Math.max(...list)
  return [first, /x/.test(key), key.length, map.size, typed.length, { ...map }, Object.keys, globalThis]
}
export function* generator(): Generator<number> { yield 1 }
`

const program = ts.createProgram(
  [...paths.map((path) => `${repositoryRoot}/${path}`), BAD],
  {
    target: ts.ScriptTarget.ES2024,
    lib: ['lib.es2024.d.ts'],
    types: [],
    strict: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  },
  hostWith(BAD, BAD_SOURCE),
)
const checker = program.getTypeChecker()

function hostWith(path: string, source: string): ts.CompilerHost {
  const host = ts.createCompilerHost({})
  const { getSourceFile, fileExists } = host
  host.fileExists = (name) => name === path || fileExists(name)
  host.getSourceFile = (name, options, ...rest) =>
    name === path ? ts.createSourceFile(name, source, options) : getSourceFile(name, options, ...rest)
  return host
}

function isOfTheLanguage(symbol: ts.Symbol | undefined): boolean {
  return (
    symbol?.declarations?.some((declaration) => /\/lib\.[\w.]+\.d\.ts$/.test(declaration.getSourceFile().fileName)) ??
    false
  )
}

/** Properties of the language's own that are own properties of what has them: no prototype is asked. */
function isOwnProperty(node: ts.PropertyAccessExpression): boolean {
  const type = checker.getTypeAtLocation(node.expression)
  if (node.name.text === 'length') {
    const kinds = type.isUnion() ? type.types : [type]
    return (
      kinds.every((kind) => (kind.flags & ts.TypeFlags.StringLike) !== 0 || checker.isArrayLikeType(kind)) &&
      !isTyped(type)
    )
  }
  // Descriptors are asked `hasOwn` first, by rule.
  return checker.typeToString(type).includes('PropertyDescriptor')
}

function isTyped(type: ts.Type): boolean {
  return /Array</.test(checker.typeToString(type)) && /^(Uint|Int|Float|Big)/.test(checker.typeToString(type))
}

/** A name in a declaration, or behind a dot, is no use of a variable. */
function isUse(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isShorthandPropertyAssignment(parent)) return true
  return !('name' in parent && parent.name === node) && !ts.isImportSpecifier(parent) && !ts.isBindingElement(parent)
}

function ruleBrokenBy(node: ts.Node): string | undefined {
  if (ts.isForOfStatement(node)) return 'for…of'
  if (ts.isSpreadElement(node)) return 'spread of an iterable'
  if (ts.isArrayBindingPattern(node)) return 'array destructuring'
  if (ts.isRegularExpressionLiteral(node)) return 'regular expression'
  if (ts.isYieldExpression(node)) return 'generator'
  if (ts.isBinaryExpression(node)) {
    if (node.operatorToken.kind === ts.SyntaxKind.InKeyword) return '`in`'
    if (node.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword) return 'instanceof'
  }
  if (ts.isPropertyAccessExpression(node)) {
    if (isOfTheLanguage(checker.getSymbolAtLocation(node.name)) && !isOwnProperty(node)) return 'inherited property'
  }
  if (ts.isIdentifier(node) && node.text !== 'undefined' && isUse(node)) {
    const symbol = checker.getSymbolAtLocation(node)
    if (symbol === undefined || node.text === 'globalThis' || isOfTheLanguage(symbol)) return 'global'
  }
  return undefined
}

function findingsIn(fileName: string): string[] {
  const file = program.getSourceFile(fileName)
  if (file === undefined) throw new Error(`${fileName} was not read`)
  const findings: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) && !ts.isExpressionWithTypeArguments(node)) return
    const rule = ruleBrokenBy(node)
    if (rule !== undefined) findings.push(`${rule}: ${node.getText(file).replaceAll(/\s+/g, ' ').slice(0, 60)}`)
    ts.forEachChild(node, visit)
  }
  visit(file)
  return findings
}

describe('guest sources', () => {
  it('[K7] the rules find what they are for', () => {
    expect(findingsIn(BAD)).toEqual([
      'for…of: for (const item of list) list.push(item)',
      'inherited property: list.push',
      'array destructuring: [first]',
      '`in`: key in map',
      'instanceof: typed instanceof Map',
      'global: Map',
      'inherited property: Math.max',
      'global: Math',
      'spread of an iterable: ...list',
      'inherited property: /x/.test',
      'regular expression: /x/',
      'inherited property: map.size',
      'inherited property: typed.length',
      'inherited property: Object.keys',
      'global: Object',
      'global: globalThis',
      'generator: yield 1',
    ])
  })

  it.each(paths.map((path) => [path] as const))(
    '[K7] %s calls and reads nothing that a program can replace',
    (path) => {
      expect(findingsIn(`${repositoryRoot}/${path}`)).toEqual([])
    },
  )
})
