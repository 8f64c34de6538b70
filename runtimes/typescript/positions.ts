// Places in the program as written: what the compiler or V8 says of one, in the words of a run's error. The JavaScript of a program has
// its lines (compile/erase.ts, compile/lower.ts), so a place in it is a place in the program. Called by runtime.ts.
import type { CodeRunError } from '../../src/runtime/code-runtime.ts'
import type { DescribedException, ProgramException } from '../host/prepared-run.ts'
import type { SyntaxProblem } from './compile/syntax.ts'

/** Lines before and after the one in question. */
const FRAME_LINES = 2
/** Width of a code frame; longer lines are shown around the column. */
const FRAME_WIDTH = 120

/** A program that does not parse: an exception named SyntaxError, before anything ran (contract J2, L1). */
export function syntaxError({ message, line, column }: SyntaxProblem, program: string, file: string): CodeRunError {
  return {
    kind: 'exception',
    name: 'SyntaxError',
    message: `SyntaxError: ${message} (${file}:${line}:${column})\n${codeFrame(program, line, column)}`,
    line,
    column,
  }
}

/** What a program threw, with the place of its first own frame. */
export function describeException(exception: ProgramException, program: string, file: string): DescribedException {
  const { name, message, stack } = exception
  const place = firstPlace(stack, file)
  // V8 refuses some programs that parse, when it compiles them: one frame, and nothing has run.
  if (name === 'SyntaxError' && place !== undefined && stack === `    at ${file}:${place.line}:${place.column}`) {
    return syntaxError({ message, ...place }, program, file)
  }
  return {
    message: name === '' ? message : message === '' ? name : `${name}: ${message}`,
    ...(name !== '' && { name }),
    ...(stack !== '' && { stack }),
    ...place,
  }
}

/** The first `file:line:column` in a stack. */
function firstPlace(stack: string, file: string): { line: number; column: number } | undefined {
  for (const frame of stack.split('\n')) {
    const start = frame.indexOf(`${file}:`)
    const place = start < 0 ? null : /^(\d{1,9}):(\d{1,9})/.exec(frame.slice(start + file.length + 1))
    if (place !== null) return { line: Number(place[1]), column: Number(place[2]) }
  }
  return undefined
}

/** The lines around a place, the column marked. */
export function codeFrame(program: string, line: number, column: number): string {
  const lines = program.split(/\r\n|[\n\r\u2028\u2029]/)
  const first = Math.max(1, line - FRAME_LINES)
  const last = Math.min(lines.length, line + FRAME_LINES)
  const width = String(last).length
  // All lines move by the same amount, so that the frame keeps its shape.
  const cut = Math.max(0, column - FRAME_WIDTH + 20)
  const frame: string[] = []
  for (let number = first; number <= last; number++) {
    const text = (lines[number - 1] ?? '').replaceAll('\t', ' ').slice(cut, cut + FRAME_WIDTH)
    frame.push(`${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${text}`.trimEnd())
    if (number === line) frame.push(`  ${' '.repeat(width)} | ${' '.repeat(Math.max(0, column - 1 - cut))}^`)
  }
  return frame.join('\n')
}
