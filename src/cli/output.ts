// What the command line writes, and where: the result (or one JSON document) to stdout, everything else to stderr.
// Used by the commands. What programs and servers say is made harmless before it reaches a terminal.
import { styleText } from 'node:util'
import { ERROR_CODES } from '../errors/codes.ts'
import { describeThrown } from '../errors/describe-thrown.ts'
import type { JsonValue } from '../json/json-value.ts'
import { prettyPrint } from '../json/print.ts'
import { stringify } from '../json/stringify.ts'
import { withoutControls } from '../mcp/stderr-tail.ts'
import type { LogLevel } from '../runtime/code-runtime.ts'

/** A stream to write on, as far as the commands need it. */
export interface OutputStream {
  write(text: string): unknown
  readonly isTTY?: boolean
}

/** A failure as it is shown. */
export interface ShownFailure {
  /** Stable code of the error; absent for an error without one. */
  readonly code?: string
  readonly message: string
}

const LOG_STYLES = { log: undefined, info: undefined, warn: 'yellow', error: 'red', debug: 'dim' } as const

/** Codes whose messages say themselves what to do, better than one sentence for all of them can. */
const COMPLETE_MESSAGES: ReadonlySet<string> = new Set(['CODE_RUN_FAILED', 'INVALID_ARGS', 'INVALID_CONFIG'])

/** Writes results and messages of one command. */
export class Output {
  readonly #stdout: OutputStream
  readonly #stderr: OutputStream

  constructor(stdout: OutputStream, stderr: OutputStream) {
    this.#stdout = stdout
    this.#stderr = stderr
  }

  /** A log line of the program, to stderr as it comes. The level is a colour on a terminal, never a prefix. */
  log(line: string, level: LogLevel): void {
    this.#stderr.write(`${this.#styled(LOG_STYLES[level], harmless(line, this.#stderr))}\n`)
  }

  /** A line of our own to stderr. */
  note(text: string): void {
    this.#stderr.write(`${harmless(text, this.#stderr)}\n`)
  }

  /** The result to stdout: a string raw, other JSON pretty-printed, nothing for a program that returned nothing. */
  result(value: JsonValue | undefined): void {
    if (value === undefined) return
    const text = typeof value === 'string' ? value : prettyPrint(value)
    this.#stdout.write(`${harmless(text, this.#stdout)}\n`)
  }

  /** One JSON document on one line to stdout. */
  json(document: JsonValue): void {
    this.#stdout.write(`${stringify(document)}\n`)
  }

  /** A failure to stderr: what happened, and what to do about it. */
  failure({ code, message }: ShownFailure): void {
    const remedy = code !== undefined && COMPLETE_MESSAGES.has(code) ? undefined : remedyOf(code)
    this.note(`${this.#styled('red', 'error')}${code === undefined ? '' : ` [${code}]`}: ${message}`)
    if (remedy !== undefined) this.note(`${this.#styled('cyan', 'what to do')}: ${remedy}`)
  }

  #styled(style: 'red' | 'yellow' | 'cyan' | 'dim' | undefined, text: string): string {
    return style === undefined || !this.#stderr.isTTY
      ? text
      : styleText(style, text, { validateStream: true, stream: process.stderr })
  }
}

/** What the table of codes says to do. */
export function remedyOf(code: string | undefined): string | undefined {
  return code !== undefined && Object.hasOwn(ERROR_CODES, code)
    ? ERROR_CODES[code as keyof typeof ERROR_CODES].remedy
    : undefined
}

/** Any thrown thing as it is shown. */
export function failureOf(thrown: unknown): ShownFailure {
  const { message, info } = describeThrown(thrown)
  return info === undefined ? { message } : { code: info.code, message }
}

/** The failure in the JSON document. */
export function failureToJson({ code, message }: ShownFailure, kind?: string): JsonValue {
  const remedy = remedyOf(code)
  return {
    code: code ?? null,
    ...(kind !== undefined && { kind }),
    message,
    ...(remedy !== undefined && { remedy }),
  }
}

/** Escape sequences of a program or a server end before a terminal; a file or a pipe gets the text as it is. */
function harmless(text: string, stream: OutputStream): string {
  return stream.isTTY ? withoutControls(text) : text
}
