// The only constructors of a call's outcome (contract D1): both shapes, frozen. Everything else builds results here, so
// that no stage can hand on a half-made one. Values, content, meta and contexts are frozen by whoever made them.
import type { JsonObject, JsonValue } from '../json/json-value.ts'
import type { ContentBlock, ContextMessage } from './content.ts'
import { textBlock } from './content.ts'
import type { ToolErrorResult, ToolExecutionResult, ToolFailure, ToolSuccessResult } from './result.ts'

/** What rides on an outcome of either kind. Absent and `undefined` are the same. */
export interface OutcomeExtras {
  readonly meta?: JsonObject | undefined
  /** An empty list is left out. */
  readonly additionalContexts?: readonly ContextMessage[] | undefined
}

/** Builds a success. `value` and `content` are deeply frozen already. */
export function successResult(
  value: JsonValue,
  content: readonly ContentBlock[],
  extras: OutcomeExtras & { readonly concludesTurn?: boolean | undefined } = {},
): ToolSuccessResult {
  const result: Mutable<ToolSuccessResult> = { isError: false, value, content }
  addExtras(result, extras)
  if (extras.concludesTurn === true) result.concludesTurn = true
  return Object.freeze(result)
}

/** Builds a failure. Its content is one text block `Error: <message>`, unless a later stage gives other content. */
export function failureResult(
  error: ToolFailure,
  extras: OutcomeExtras & { readonly content?: readonly ContentBlock[] | undefined } = {},
): ToolErrorResult {
  const { message, info } = error
  const result: Mutable<ToolErrorResult> = {
    isError: true,
    error: Object.freeze(info === undefined ? { message } : { message, info: Object.freeze({ ...info }) }),
    content: extras.content ?? textContent(`Error: ${message}`),
  }
  addExtras(result, extras)
  return Object.freeze(result)
}

/** The same outcome with other content; value, meta and the rest stay (contract D9, D11). */
export function withContent(result: ToolExecutionResult, content: readonly ContentBlock[]): ToolExecutionResult {
  return Object.freeze({ ...result, content })
}

/** The same outcome with these contexts, or none. */
export function withContexts(
  result: ToolExecutionResult,
  additionalContexts: readonly ContextMessage[] | undefined,
): ToolExecutionResult {
  if (result.additionalContexts === additionalContexts) return result
  const { additionalContexts: _replaced, ...next } = result as Mutable<ToolExecutionResult>
  addExtras(next, { additionalContexts })
  return Object.freeze(next)
}

/** Frozen content of one text block. */
export function textContent(text: string): readonly ContentBlock[] {
  return Object.freeze([Object.freeze(textBlock(text))])
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }

function addExtras(
  result: Mutable<Pick<ToolExecutionResult, 'meta' | 'additionalContexts'>>,
  extras: OutcomeExtras,
): void {
  if (extras.meta !== undefined) result.meta = extras.meta
  if (extras.additionalContexts !== undefined && extras.additionalContexts.length > 0) {
    result.additionalContexts = extras.additionalContexts
  }
}
