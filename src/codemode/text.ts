// What a model reads of a run (contract H8): the log lines, then the result; or why it failed, with what it said before.
import type { JsonValue } from '../json/json-value.ts'
import { prettyPrint } from '../json/print.ts'
import type { CodeRunError } from '../runtime/code-runtime.ts'
import { describeLedger, type LedgerEntry } from './ledger.ts'

/** Text of a run that produced nothing. */
export const NO_OUTPUT = '(run_code completed with no output)'
const MAX_STACK_LINES = 6

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

/** Message of a failure: the kind, what happened, the program's own frames, captured output, and the ledger. */
export function describeFailure(error: CodeRunError, logs: readonly string[], ledger: readonly LedgerEntry[]): string {
  const parts = [`code run failed (${error.kind}): ${error.message}`]
  const frames = error.stack?.split('\n').filter((line) => line.trim() !== '') ?? []
  if (frames.length > 0) parts.push(frames.slice(0, MAX_STACK_LINES).join('\n'))
  if (logs.length > 0) parts.push(`\nOutput before the failure:\n${logs.join('\n')}`)
  parts.push(`\n${describeLedger(ledger)}`)
  return parts.join('\n')
}
