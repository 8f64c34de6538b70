// What an abort of the caller's signal makes of a call (contract E1, E2), as a table: one row for each way a call can
// stand. Cancellation is cooperative: a started body is awaited, and an abort only ever replaces what it must.
// Attacked cell by cell in tests/unit/pipeline/cancellation.test.ts.
import { quoteName } from '../errors/names.ts'
import { TOOL_ABORTED, TOOL_ABORTED_BEFORE_DISPATCH } from '../errors/tool-errors.ts'
import type { ToolErrorResult, ToolExecutionResult } from '../tools/result.ts'
import { codedFailure } from './failures.ts'
import type { Call, Standing } from './stage.ts'

/** What an abort does to a call that stands so. */
export type AbortEffect = 'stays' | typeof TOOL_ABORTED | typeof TOOL_ABORTED_BEFORE_DISPATCH

/** The table. */
export const ABORT_EFFECTS: Readonly<Record<Standing, AbortEffect>> = {
  unreadable: 'stays',
  ready: TOOL_ABORTED_BEFORE_DISPATCH,
  hidden: 'stays',
  denied: 'stays',
  cancelled: 'stays',
  // Nobody decided anything: a listener that forwards the signal fails because of the abort.
  'policy-failed': TOOL_ABORTED_BEFORE_DISPATCH,
  allowed: TOOL_ABORTED_BEFORE_DISPATCH,
  unknown: 'stays',
  answered: TOOL_ABORTED_BEFORE_DISPATCH,
  succeeded: TOOL_ABORTED,
  failed: 'stays',
}

/** The result as the table has it: the given one, or the abort in its place. Meta and contexts are kept (contract D10). */
export function afterAbort<R extends ToolExecutionResult | undefined>(call: Call, result: R): R | ToolErrorResult {
  if (!call.execution.signal.aborted) return result
  const effect = ABORT_EFFECTS[call.standing]
  if (effect === 'stays') return result
  if (effect === TOOL_ABORTED) {
    const message = `Tool ${quoteName(call.execution.name)} was cancelled after it had started; its effects may have happened.`
    return codedFailure(call, TOOL_ABORTED, message, { meta: result?.meta })
  }
  return abortedBeforeDispatch(call)
}

/** The canonical result of a call whose body never ran. */
export function abortedBeforeDispatch(call: Call): ToolErrorResult {
  call.refusal = 'aborted'
  const message = `Tool ${quoteName(call.execution.name)} was cancelled before it started; nothing was executed.`
  return codedFailure(call, TOOL_ABORTED_BEFORE_DISPATCH, message)
}
