// What policy listeners answer (contract D4, D9), and what a guard is (C7).
import type { JsonObject, JsonValue } from '../json/json-value.ts'
import type { ContentBlock, ContextMessage } from './content.ts'
import type { ToolExecution } from './execution.ts'

/** The answer of a `tools/pre-execute` listener. Arguments cannot be rewritten. */
export type PreToolDecision =
  | { readonly kind: 'allow' }
  | {
      readonly kind: 'deny'
      /** Message of the failure. */
      readonly reason: string
      /** With text fields `name` and `code` these become `error.info`; all of it is `meta` of a top-level failure. */
      readonly info?: JsonObject
    }
  | { readonly kind: 'ask'; readonly reason?: string; readonly displayReason?: string }
  | { readonly kind: 'cancel' }

/** The answer of a `tools/post-execute` listener. `content` and `value` exclude each other. */
export type PostToolDecision =
  | {
      readonly kind: 'accept'
      readonly content?: readonly ContentBlock[]
      readonly value?: JsonValue
      readonly additionalContexts?: readonly ContextMessage[]
    }
  | {
      readonly kind: 'block'
      readonly feedback: string
      readonly additionalContexts?: readonly ContextMessage[]
    }

/** A synchronous check after policy: a string denies for good, `undefined` leaves the call as it was. */
export type ToolGuard = (execution: ToolExecution) => string | undefined

/** How a call may be scheduled beside its neighbours (contract C9). */
export type ExecutionMode = { readonly kind: 'parallel' } | { readonly kind: 'exclusive' }
