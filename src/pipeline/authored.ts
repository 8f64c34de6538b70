// Results that a `tools/execute` wrapper wrote itself, or kept from another call (contract D6): nothing in them is
// believed. A value goes through the declaration of the tool that was called, and content and meta are made anew from it.
import { clip, MAX_MESSAGE_LENGTH } from '../errors/describe-thrown.ts'
import { HarnessError } from '../errors/harness-error.ts'
import type { RegisteredTool } from '../tools/environment.ts'
import { failureResult } from '../tools/outcomes.ts'
import type { ToolErrorResult, ToolExecutionResult, ToolFailure } from '../tools/result.ts'
import { canonicalResult } from './body.ts'
import { readContexts, readObject } from './content.ts'
import { preview } from './failures.ts'
import type { Call } from './stage.ts'

const MAX_LABEL_LENGTH = 128

/** Makes this call's own result of a wrapper's answer. Throws INVALID_POLICY_DECISION or what its parts are refused with. */
export function authoredResult(call: Call, tool: RegisteredTool, answer: unknown): ToolExecutionResult {
  if (typeof answer !== 'object' || answer === null) return refuse(preview(answer))
  const { isError, value, error, meta, additionalContexts, concludesTurn } = answer as Record<string, unknown>
  if (typeof isError !== 'boolean') return refuse('an object without isError')
  // What the call deferred itself is in a result that a wrapper spreads; it is there once all the same.
  call.contexts.adopt(readContexts(additionalContexts, 'additionalContexts'))
  if (isError) return authoredFailure(call, error, meta)
  return canonicalResult(call, tool, value, {
    origin: 'got from a tools/execute listener',
    concludesTurn: concludesTurn === true,
  })
}

function authoredFailure(call: Call, error: unknown, meta: unknown): ToolErrorResult {
  return failureResult(readFailure(error), {
    meta: call.topLevel && meta !== undefined ? readObject(meta, 'meta') : undefined,
    additionalContexts: call.contexts.all,
  })
}

function readFailure(error: unknown): ToolFailure {
  if (typeof error !== 'object' || error === null) return refuse('a failure without error')
  const { message, info } = error as Record<string, unknown>
  if (typeof message !== 'string') return refuse('a failure without a message')
  const text = clip(message, MAX_MESSAGE_LENGTH)
  if (typeof info !== 'object' || info === null) return { message: text }
  const { name, code } = info as Record<string, unknown>
  if (typeof name !== 'string' || typeof code !== 'string') return { message: text }
  return { message: text, info: { name: clip(name, MAX_LABEL_LENGTH), code: clip(code, MAX_LABEL_LENGTH) } }
}

function refuse(what: string): never {
  throw new HarnessError(
    'INVALID_POLICY_DECISION',
    `A tools/execute listener answered ${what}; it must answer a ToolExecutionResult, or what next() gave it.`,
  )
}
