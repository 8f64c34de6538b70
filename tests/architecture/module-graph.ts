// Reads what every source imports. Sources are parsed, so an import in a comment or a string is none.
// Left out on purpose: `new URL('./x.ts', import.meta.url)`, which names a file to start, not a module to load here.
import { posix } from 'node:path'
import ts from 'typescript'
import { listFiles, readText } from '../support/repository.ts'

/** `static` is loaded with the importer, `dynamic` when it asks, `type` never. */
export type ImportKind = 'static' | 'dynamic' | 'type'

/** One import of one file. */
export interface ModuleImport {
  readonly kind: ImportKind
  /** As written. */
  readonly specifier: string
  readonly line: number
  /** Path in the repository of a relative import, else `undefined`: a package or a Node builtin. */
  readonly target: string | undefined
}

/** One source file. */
export interface SourceModule {
  /** Path in the repository. */
  readonly path: string
  readonly lines: number
  readonly imports: readonly ModuleImport[]
}

/** All sources that ship: the library, the runtimes and the renderers. */
export function readSources(): SourceModule[] {
  const files = ['src', 'runtimes', 'sdk-templates'].flatMap((folder) => listFiles(folder, isSource))
  return files.map((file) => parseModule(file, readText(file)))
}

const isSource = (path: string): boolean => path.endsWith('.ts') && !path.endsWith('.d.ts')

/** Reads one source. */
export function parseModule(path: string, text: string): SourceModule {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)
  const imports: ModuleImport[] = []
  const add = (kind: ImportKind, specifier: ts.Node | undefined): void => {
    if (specifier === undefined || !ts.isStringLiteralLike(specifier)) return
    const name = specifier.text
    const target = name.startsWith('.') ? posix.normalize(posix.join(posix.dirname(path), name)) : undefined
    const line = source.getLineAndCharacterOfPosition(specifier.getStart(source)).line + 1
    imports.push({ kind, specifier: name, line, target })
  }
  const visit = (node: ts.Node): void => {
    // `import { type A }` keeps the import when types are stripped, so only `import type` counts as type-only.
    if (ts.isImportDeclaration(node)) {
      add(node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword ? 'type' : 'static', node.moduleSpecifier)
    } else if (ts.isExportDeclaration(node)) add(node.isTypeOnly ? 'type' : 'static', node.moduleSpecifier)
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add('type', node.argument.literal)
    else if (ts.isCallExpression(node)) {
      if (node.expression.kind === ts.SyntaxKind.ImportKeyword) add('dynamic', node.arguments[0])
      else if (ts.isIdentifier(node.expression) && node.expression.text === 'require') add('static', node.arguments[0])
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { path, lines: source.getLineStarts().length - (text.endsWith('\n') ? 1 : 0), imports }
}

/** `@scope/name` or `name` of an import that is not relative; `node:` for a Node builtin. */
export function packageOf(specifier: string): string {
  if (specifier.startsWith('node:')) return 'node:'
  const [first = '', second = ''] = specifier.split('/')
  return first.startsWith('@') ? `${first}/${second}` : first
}

/** What loading `entry` loads, imports of the kinds given followed: sources and packages. Sources that are not there are left out. */
export function loadedFrom(
  entry: string,
  modules: readonly SourceModule[],
  kinds: readonly ImportKind[] = ['static'],
): { sources: Set<string>; packages: Map<string, string> } {
  const byPath = new Map(modules.map((module) => [module.path, module]))
  const sources = new Set<string>()
  const packages = new Map<string, string>()
  const waiting = [entry]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const module = byPath.get(path)
    if (module === undefined || sources.has(path)) continue
    sources.add(path)
    for (const { kind, specifier, target } of module.imports) {
      if (!kinds.includes(kind)) continue
      if (target !== undefined) waiting.push(target)
      else packages.set(packageOf(specifier), path)
    }
  }
  return { sources, packages }
}
