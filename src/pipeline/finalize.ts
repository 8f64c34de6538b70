// The end of every call (contract D10–D12): contexts on the result, the definition's last word on the content, exactly
// once; then the observers, and the account for whoever owns the call. Never throws.
import { disown } from '../async/in-flight.ts'
import { withContent, withContexts } from '../tools/outcomes.ts'
import type { ToolExecutionResult } from '../tools/result.ts'
import { readContent } from './content.ts'
import { failureFrom } from './failures.ts'
import type { Call } from './stage.ts'

/** Finishes a call with this outcome and answers what is handed on. Called once a call. */
export function finish(call: Call, outcome: ToolExecutionResult): ToolExecutionResult {
  const result = finalized(call, withContexts(outcome, call.contexts.all))
  const { env, execution, hooks } = call
  try {
    if (env.hasListeners('tools/result')) env.publishResult(execution.agent, [execution, result])
  } catch (thrown) {
    call.log('a tools/result listener failed', thrown)
  }
  if (hooks.onSettled !== undefined) settled(call, hooks.onSettled, result)
  return result
}

function finalized(call: Call, result: ToolExecutionResult): ToolExecutionResult {
  if (call.finalizer === undefined) return result
  try {
    const content = call.finalizer(result)
    if (content === undefined) return result
    disown(content)
    return withContent(result, readContent(content, 'content'))
  } catch (thrown) {
    return failureFrom(call, thrown, result.meta)
  }
}

function settled(call: Call, onSettled: NonNullable<Call['hooks']['onSettled']>, result: ToolExecutionResult): void {
  try {
    onSettled(call.account(result), result)
  } catch (thrown) {
    call.log('the owner of a tool call failed to take its account', thrown)
  }
}
