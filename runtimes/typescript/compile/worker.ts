// The compiler, in a worker thread of its own: it neither blocks nor grows the host, and a program that takes it too long is ended with
// it. Started and asked by ../compile.ts, one program at a time. With its neighbours the only code that loads TypeScript.
import { parentPort } from 'node:worker_threads'
import { eraseTypes } from './erase.ts'
import { lowerProgram } from './lower.ts'
import type { CompileAnswer, CompileQuestion } from './messages.ts'
import { findSyntaxProblem, parseBody, type SyntaxProblem } from './syntax.ts'

parentPort?.on('message', ({ id, source }: CompileQuestion) => {
  parentPort?.postMessage({ id, ...compileBody(source) } satisfies CompileAnswer)
})

function compileBody(source: string): { readonly javascript: string } | { readonly problem: SyntaxProblem } {
  try {
    const file = parseBody(source, 'program.ts')
    const problem = findSyntaxProblem(file)
    if (problem !== undefined) return { problem }
    return { javascript: eraseTypes(file) ?? lowerProgram(file) }
  } catch (error) {
    // The parser and the printer recurse with the program's nesting.
    const why = error instanceof RangeError ? 'it is nested too deep' : String(error)
    return { problem: { message: `The compiler could not read this program: ${why}.`, line: 1, column: 1 } }
  }
}
