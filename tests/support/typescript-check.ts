// Type-checks texts with the TypeScript compiler in this process, many at once, without touching the disk.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const libFolder = dirname(fileURLToPath(import.meta.resolve('typescript')))

/** What the compiler says about a line, 1-based. */
export interface Complaint {
  readonly line: number
  readonly message: string
}

/** How texts are checked. */
export interface CheckOptions {
  /** `ecmascript` (default) or `browser`: what `tsc` takes when nothing is said, with the DOM and its thousand global names. */
  readonly library?: 'ecmascript' | 'browser'
  /** True checks each text as a module of its own, so that many can declare the same names. Default false: global scripts. */
  readonly modules?: boolean
}

const libraries = new Map<string, ts.SourceFile | undefined>()

/** Complaints by name of the text, under `strict`; a text without any is left out. */
export function complaintsOf(texts: ReadonlyMap<string, string>, options: CheckOptions = {}): Map<string, Complaint[]> {
  const files = new Map(
    [...texts].map(([name, text]) => [`/checked/${name}.ts`, `${text}${options.modules ? '\nexport {}' : ''}`]),
  )
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost({}),
    fileExists: (file) => files.has(file),
    readFile: (file) => files.get(file),
    getSourceFile(file, version) {
      const text = files.get(file)
      return text === undefined ? libraryFile(file, version) : ts.createSourceFile(file, text, version, true)
    },
    writeFile: () => {},
  }
  const program = ts.createProgram([...files.keys()], compilerOptions(options), host)
  const complaints = new Map<string, Complaint[]>()
  for (const { file, start = 0, messageText } of ts.getPreEmitDiagnostics(program)) {
    const name = file === undefined ? '(no file)' : file.fileName.replace('/checked/', '').replace(/\.ts$/, '')
    const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start).line + 1
    const known = complaints.get(name) ?? []
    known.push({ line, message: ts.flattenDiagnosticMessageText(messageText, '\n') })
    complaints.set(name, known)
  }
  return complaints
}

/** The same for a single text. */
export function complaintsAbout(text: string, options: CheckOptions = {}): Complaint[] {
  return complaintsOf(new Map([['text', text]]), options).get('text') ?? []
}

/** Every name that a library declares in the space of types. */
export function libraryTypeNames(lib: readonly string[]): string[] {
  const file = '/checked/empty.ts'
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost({}),
    getSourceFile: (name, version) =>
      name === file ? ts.createSourceFile(name, 'let empty', version, true) : libraryFile(name, version),
  }
  const program = ts.createProgram([file], { target: ts.ScriptTarget.ESNext, lib: [...lib], types: [] }, host)
  const meaning = ts.SymbolFlags.Type | ts.SymbolFlags.Namespace
  return program
    .getTypeChecker()
    .getSymbolsInScope(program.getSourceFile(file)!, meaning)
    .map((symbol) => symbol.name)
}

function compilerOptions({ library = 'ecmascript' }: CheckOptions): ts.CompilerOptions {
  const target = ts.ScriptTarget.ES2024
  const shared = { strict: true, skipLibCheck: true, noEmit: true, target, types: [], module: ts.ModuleKind.ESNext }
  return library === 'browser' ? shared : { ...shared, lib: ['lib.es2024.d.ts'] }
}

/** Library files are parsed once a process. */
function libraryFile(file: string, version: ts.ScriptTarget | ts.CreateSourceFileOptions): ts.SourceFile | undefined {
  const name = file.split('/').at(-1)!
  if (!libraries.has(name)) {
    libraries.set(name, ts.createSourceFile(file, readFileSync(join(libFolder, name), 'utf8'), version, true))
  }
  return libraries.get(name)
}
