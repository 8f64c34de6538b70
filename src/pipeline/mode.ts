// How a call may be scheduled (contract C9): parallel only when the tool itself says so for these arguments. Everything
// unclear is exclusive.
import { disown } from '../async/in-flight.ts'
import type { JsonValue } from '../json/json-value.ts'
import { snapshot } from '../json/snapshot.ts'
import type { ExecutionMode } from '../tools/decisions.ts'
import type { CallEnvironment } from '../tools/environment.ts'
import type { ToolExecutionInput } from '../tools/execution.ts'
import type { Call } from './stage.ts'

const PARALLEL: ExecutionMode = Object.freeze({ kind: 'parallel' })
const EXCLUSIVE: ExecutionMode = Object.freeze({ kind: 'exclusive' })

/** Mode of a call that was not opened yet; its arguments are read once for this. Never throws. */
export function executionMode(
  env: CallEnvironment,
  input: Pick<ToolExecutionInput, 'name' | 'arguments' | 'agent'>,
): ExecutionMode {
  try {
    const { name, agent } = input
    return classify(env, name, agent, snapshot(input.arguments, 'args'))
  } catch {
    return EXCLUSIVE
  }
}

/** Mode of an open call. Never throws. */
export function modeOf(call: Call): ExecutionMode {
  if (call.problem !== undefined) return EXCLUSIVE
  try {
    const { name, agent, arguments: args } = call.execution
    return classify(call.env, name, agent, args)
  } catch {
    return EXCLUSIVE
  }
}

function classify(
  env: CallEnvironment,
  name: string,
  agent: ToolExecutionInput['agent'],
  args: JsonValue,
): ExecutionMode {
  const answer: unknown = env.resolve(name, agent)?.definition.isConcurrencySafe?.(args)
  if (answer === true) return PARALLEL
  disown(answer)
  return EXCLUSIVE
}
