// The first stage (contract D2, D3, E2): reads a caller's input once, snapshots and freezes the arguments, makes the token.
// Never throws: whatever the input is, there is a call with an execution that can be published, and perhaps a problem.

import { isAbortSignal } from '../async/signals.ts'
import { HarnessError } from '../errors/harness-error.ts'
import type { JsonValue } from '../json/json-value.ts'
import { snapshot } from '../json/snapshot.ts'
import type { Agent } from '../scope/agent.ts'
import type { CallEnvironment } from '../tools/environment.ts'
import type { ToolExecution, ToolExecutionInput, ToolExecutionToken } from '../tools/execution.ts'
import { Call, type CallStart, type ExecuteHooks, type LogFunction } from './stage.ts'

/** Arguments of a call whose own could not be read. */
const NO_ARGUMENTS: JsonValue = Object.freeze({})

type Draft = { -readonly [K in keyof ToolExecution]: ToolExecution[K] }

/** Opens a call. Its arguments are read here and never again. */
export function openCall(env: CallEnvironment, input: ToolExecutionInput, hooks: ExecuteHooks, log: LogFunction): Call {
  const draft: Draft = {
    token: Symbol('runcell.call') as ToolExecutionToken,
    callId: '',
    name: '',
    arguments: NO_ARGUMENTS,
    signal: undefined as unknown as AbortSignal,
  }
  let problem: CallStart['problem']
  try {
    readInput(draft, input)
  } catch (thrown) {
    problem = { thrown, refusal: 'invalid-call' }
  }
  // A signal that never fires stands in for a missing one, so that observers find what they expect.
  draft.signal ??= new AbortController().signal
  if (problem === undefined) {
    try {
      draft.arguments = snapshot(input.arguments, 'args')
    } catch (thrown) {
      problem = { thrown, refusal: 'invalid-args' }
    }
  }
  const start = { env, log, hooks, execution: Object.freeze(draft) }
  return withFinalizer(problem === undefined ? start : { ...start, problem })
}

/** Captures the finalizer of the tool as it is now (contract D11). */
function withFinalizer(start: CallStart): Call {
  try {
    const { execution } = start
    const definition = start.env.resolve(execution.name, execution.agent)?.definition
    const finalizeContent = definition?.finalizeContent
    if (finalizeContent === undefined) return new Call(start, undefined)
    return new Call(start, (result) => Reflect.apply(finalizeContent, definition, [execution, result]))
  } catch (thrown) {
    return new Call({ ...start, problem: start.problem ?? { thrown, refusal: 'invalid-call' } }, undefined)
  }
}

/** Reads each field once and checks it before it is taken over. */
function readInput(draft: Draft, input: ToolExecutionInput): void {
  if (typeof input !== 'object' || input === null) refuse('the call', 'an object', input)
  const { callId, name, signal, agent, parent } = input as { readonly [K in keyof ToolExecutionInput]: unknown }
  if (typeof callId === 'string') draft.callId = callId
  if (typeof name === 'string') draft.name = name
  if (isAbortSignal(signal)) draft.signal = signal
  if (typeof agent === 'object' && agent !== null) draft.agent = agent as Agent
  if (typeof parent === 'symbol') draft.parent = parent as ToolExecutionToken
  if (draft.callId !== callId) refuse('callId', 'a string', callId)
  if (draft.name !== name) refuse('name', 'a string', name)
  if (!draft.signal) refuse('signal', 'an AbortSignal', signal)
  if (draft.agent !== agent) refuse('agent', 'an agent or undefined', agent)
  if (draft.parent !== parent) refuse('parent', 'the token of the enclosing call or undefined', parent)
}

function refuse(field: string, wanted: string, got: unknown): never {
  const shown = got === null ? 'null' : typeof got
  throw new HarnessError('INVALID_CALL', `execute: ${field} must be ${wanted}, got ${shown}; nothing was executed.`)
}
