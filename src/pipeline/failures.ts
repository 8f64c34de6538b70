// Turns what was thrown, or what the pipeline itself decides, into a failed result of a call (contract D8, D13).

import type { ErrorCode } from '../errors/codes.ts'
import { clip, describeThrown, MAX_MESSAGE_LENGTH } from '../errors/describe-thrown.ts'
import { HarnessError } from '../errors/harness-error.ts'
import { quoteName } from '../errors/names.ts'
import type { JsonObject } from '../json/json-value.ts'
import { failureResult } from '../tools/outcomes.ts'
import type { ToolErrorResult } from '../tools/result.ts'
import { readObject } from './content.ts'
import type { Call } from './stage.ts'

/**
 * The failure that a thrown thing makes; never throws. On a top-level call the meta of a HarnessError comes along;
 * without one, `meta` of the result that it replaces stays.
 */
export function failureFrom(call: Call, thrown: unknown, meta?: JsonObject): ToolErrorResult {
  return failureResult(describeThrown(thrown), {
    meta: (call.topLevel ? metaOf(call, thrown) : undefined) ?? meta,
    additionalContexts: call.contexts.all,
  })
}

/** A failure that the pipeline decides itself, with one of our codes. The message is clipped. */
export function codedFailure(
  call: Call,
  code: ErrorCode | (string & {}),
  message: string,
  options: { readonly name?: string; readonly meta?: JsonObject | undefined } = {},
): ToolErrorResult {
  const { name = HarnessError.name, meta } = options
  return failureResult(
    { message: clip(message, MAX_MESSAGE_LENGTH), info: { name, code } },
    { meta, additionalContexts: call.contexts.all },
  )
}

/** Ends a call with a denial. `info` with a name and a code becomes `error.info`; all of it is meta of a top-level call. */
export function deny(call: Call, reason: string, info?: JsonObject): ToolErrorResult {
  const message =
    reason.trim() === '' ? `Tool ${quoteName(call.execution.name)} was denied; no reason was given.` : reason
  const { name, code } = info ?? {}
  const named = typeof name === 'string' && typeof code === 'string'
  return call.refuse(
    'denied',
    'denied',
    codedFailure(call, named ? code : 'TOOL_DENIED', message, {
      ...(named && { name }),
      meta: call.topLevel ? info : undefined,
    }),
  )
}

/** What a listener answered, in a word or two, for a message. */
export function preview(answer: unknown): string {
  if (answer === null) return 'null'
  if (typeof answer === 'string') return JSON.stringify(clip(answer, 60))
  return typeof answer === 'object' || typeof answer === 'function'
    ? `a ${typeof answer}`
    : describeThrown(answer).message
}

function metaOf(call: Call, thrown: unknown): JsonObject | undefined {
  if (!HarnessError.is(thrown)) return undefined
  try {
    const { meta } = thrown
    return meta === undefined ? undefined : readObject(meta, 'meta')
  } catch (error) {
    call.log(`the meta of an error of tool call ${call.execution.callId} was dropped`, error)
    return undefined
  }
}
