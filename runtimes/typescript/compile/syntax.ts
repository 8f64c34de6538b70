// Parses a program as what it is, the body of an async function, and says what is wrong with its syntax in the program's own lines.
// Called by worker.ts. There is no wrapper around the text that is parsed, so text that tries to close one is a syntax error like any
// other (contract L5).
import ts from 'typescript'

/** What is wrong, and where; line and column from 1. */
export interface SyntaxProblem {
  readonly message: string
  readonly line: number
  readonly column: number
}

/** Parses a body. As a module: `await` is a keyword at the top then; `return` is not the parser's business. */
export function parseBody(source: string, fileName: string): ts.SourceFile {
  const options: ts.CreateSourceFileOptions = {
    languageVersion: ts.ScriptTarget.ESNext,
    jsDocParsingMode: ts.JSDocParsingMode.ParseNone,
    setExternalModuleIndicator: (file) => {
      // Typed as read only by the compiler alone: this callback exists to set it.
      ;(file as { externalModuleIndicator?: unknown }).externalModuleIndicator = true
    },
  }
  const kind = fileName.endsWith('.js') ? ts.ScriptKind.JS : ts.ScriptKind.TS
  return ts.createSourceFile(fileName, source, options, true, kind)
}

/** Errors of the parser; the property is not in the compiler's public types. */
export function syntaxErrorsOf(file: ts.SourceFile): readonly ts.DiagnosticWithLocation[] {
  return (file as unknown as { readonly parseDiagnostics: readonly ts.DiagnosticWithLocation[] }).parseDiagnostics
}

/** The first thing that is wrong with a program, or `undefined`. */
export function findSyntaxProblem(file: ts.SourceFile): SyntaxProblem | undefined {
  const module = findModuleSyntax(file)
  const [error, ...others] = syntaxErrorsOf(file)
  if (module !== undefined && (error === undefined || error.start >= module.start)) {
    return problemAt(file, module.start, module.message)
  }
  if (error === undefined) return undefined
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return problemAt(file, error.start, ts.flattenDiagnosticMessageText(error.messageText, ' ') + more)
}

const CALL_TOOLS = 'host functions are globals already, call them as in `await tools.name({ … })`'

/** Statements and calls that need a module loader, which a program does not have. */
function findModuleSyntax(file: ts.SourceFile): { start: number; message: string } | undefined {
  for (const statement of file.statements) {
    const start = statement.getStart(file)
    if (ts.isImportDeclaration(statement) || ts.isImportEqualsDeclaration(statement)) {
      return { start, message: `A program cannot import: there is no module loader; ${CALL_TOOLS}.` }
    }
    if (
      ts.isExportDeclaration(statement) ||
      ts.isExportAssignment(statement) ||
      (ts.canHaveModifiers(statement) && ts.getModifiers(statement)?.some(isExport))
    ) {
      return {
        start,
        message: 'A program cannot export: write the statements of a function body, and `return` the result.',
      }
    }
  }
  return findDynamicImport(file)
}

function findDynamicImport(file: ts.SourceFile): { start: number; message: string } | undefined {
  if (!file.text.includes('import')) return undefined
  const nodes: ts.Node[] = [file]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const message = `A program cannot import: there is no module loader; ${CALL_TOOLS}.`
      return { start: node.getStart(file), message }
    }
    ts.forEachChild(node, (child) => void nodes.push(child))
  }
  return undefined
}

function isExport(modifier: ts.Node): boolean {
  return modifier.kind === ts.SyntaxKind.ExportKeyword
}

function problemAt(file: ts.SourceFile, start: number, message: string): SyntaxProblem {
  const { line, character } = file.getLineAndCharacterOfPosition(Math.min(start, file.text.length))
  return { message, line: line + 1, column: character + 1 }
}
