// Type-checks pieces of code that stand in documents, as if each were a file of docs/examples.
import { join } from 'node:path'
import ts from 'typescript'
import { repositoryRoot } from './repository.ts'

/** Messages of the compiler, one a line, with the number of the example; empty when all compile. */
export function compileExamples(examples: readonly string[]): string[] {
  if (examples.length === 0) return []
  const config = ts.readConfigFile(join(repositoryRoot, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, repositoryRoot)
  const files = new Map(
    examples.map((text, index) => [join(repositoryRoot, 'docs', 'examples', `__example-${index + 1}.ts`), text]),
  )
  const host = ts.createCompilerHost({ ...options, noEmit: true })
  const { fileExists, readFile, getSourceFile } = host
  host.fileExists = (name) => files.has(name) || fileExists.call(host, name)
  host.readFile = (name) => files.get(name) ?? readFile.call(host, name)
  host.getSourceFile = (name, ...rest) => {
    const text = files.get(name)
    if (text === undefined) return getSourceFile.call(host, name, ...rest)
    return ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
  }
  const program = ts.createProgram([...files.keys()], { ...options, noEmit: true }, host)
  return [...files.keys()].flatMap((name, index) => {
    const source = program.getSourceFile(name)
    const diagnostics = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
    return diagnostics.map(
      (diagnostic) => `example ${index + 1}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')}`,
    )
  })
}
