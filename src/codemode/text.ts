// What a model reads of a run (contract H8): the log lines, then the result; or why it failed, with what it said before.
import { clip, MAX_MESSAGE_LENGTH } from '../errors/describe-thrown.ts'
import type { JsonValue } from '../json/json-value.ts'
import { prettyPrint } from '../json/print.ts'
import type { CodeRunError } from '../runtime/code-runtime.ts'
import { describeLedger, type Ledger } from './ledger.ts'

/** Text of a run that produced nothing. */
export const NO_OUTPUT = '(run_code completed with no output)'
const MAX_STACK_LINES = 6
/** Of the message, and of the frames: with the longest ledger they leave room for output. */
const MAX_PART_LENGTH = 4_096
/** Room for the note of a clipped text, and for line ends between the parts. */
const CLIP_NOTE_LENGTH = 64

/** The canonical value of a successful `run_code`. */
export interface RunCodeValue {
  readonly logs: readonly string[]
  /** Absent when the program returned nothing. */
  readonly result?: JsonValue
}

/** Model-facing text of a success: log lines, then the result, a string raw and other JSON pretty-printed. */
export function describeSuccess({ logs, result }: RunCodeValue): string {
  const parts = [...logs]
  if (result !== undefined) parts.push(typeof result === 'string' ? result : prettyPrint(result))
  const text = parts.join('\n')
  return text === '' ? NO_OUTPUT : text
}

/**
 * Message of a failure: the kind, what happened, the program's own frames, captured output, and the ledger. It fits the
 * pipeline's bound of a message, which cuts at the end: output gives way first, so that the ledger is always there.
 */
export function describeFailure(error: CodeRunError, logs: readonly string[], ledger: Ledger): string {
  const calls = `\n${describeLedger(ledger)}`
  const parts = [`code run failed (${error.kind}): ${clip(error.message, MAX_PART_LENGTH)}`]
  const frames = error.stack?.split('\n').filter((line) => line.trim() !== '') ?? []
  if (frames.length > 0) parts.push(clip(frames.slice(0, MAX_STACK_LINES).join('\n'), MAX_PART_LENGTH))
  if (logs.length > 0) {
    const head = '\nOutput before the failure:\n'
    const used = parts.join('\n').length + head.length + calls.length
    parts.push(head + clip(logs.join('\n'), Math.max(0, MAX_MESSAGE_LENGTH - used - CLIP_NOTE_LENGTH)))
  }
  parts.push(calls)
  return parts.join('\n')
}
