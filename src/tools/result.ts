// The outcome of a call (contract D1): a discriminated union, deeply frozen by the pipeline.
import type { JsonObject, JsonValue } from '../json/json-value.ts'
import type { ContentBlock, ContextMessage } from './content.ts'

/** What failed: a message for the model and, for a HarnessError, its name and stable code for the host. */
export interface ToolFailure {
  readonly message: string
  readonly info?: { readonly name: string; readonly code: string }
}

/** A call whose body returned a value that its output declaration accepts. */
export interface ToolSuccessResult {
  readonly isError: false
  /** The canonical value, whole. Programs get this; the model gets `content`. */
  readonly value: JsonValue
  readonly content: readonly ContentBlock[]
  /** For hosts and presenters; never for a model. */
  readonly meta?: JsonObject
  readonly additionalContexts?: readonly ContextMessage[]
  /** True when the tool ended the model's turn. */
  readonly concludesTurn?: true
}

/** A call that failed, was denied or was cancelled. */
export interface ToolErrorResult {
  readonly isError: true
  readonly error: ToolFailure
  /** One text block, `Error: <message>`, unless a later stage replaced it. */
  readonly content: readonly ContentBlock[]
  readonly meta?: JsonObject
  readonly additionalContexts?: readonly ContextMessage[]
}

/** What `execute` resolves with; it never rejects. */
export type ToolExecutionResult = ToolSuccessResult | ToolErrorResult
