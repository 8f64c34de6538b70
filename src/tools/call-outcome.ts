// What a call came to, by what its body did (contract H11): the pipeline's account and code mode's ledger speak of it alike.
import type { ToolExecutionResult } from './result.ts'

/** What a call came to. */
export type CallOutcome =
  /** The body returned, whatever later stages made of it. */
  | 'committed'
  /** The body threw. */
  | 'failed'
  /** The body threw after its signal had fired, or lost its connection: its effects may have happened. */
  | 'unknown'
  /** Denied, no such tool, invalid arguments, or over a limit: the body did not run. */
  | 'refused'
  /** Never dispatched. */
  | 'not-started'

/** What became of a scheduled call. Without `result` it was never started. */
export interface SettledCall {
  readonly outcome: CallOutcome
  readonly result?: ToolExecutionResult
}
