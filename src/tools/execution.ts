// One call, as its caller describes it and as the stages of the pipeline see it (contract D).
import type { JsonValue } from '../json/json-value.ts'
import type { Agent } from '../scope/agent.ts'
import type { ContextMessage } from './content.ts'

declare const tokenBrand: unique symbol

/** A fresh symbol for each call. It serves equality alone, and never reaches a model, a log or a sandbox (contract D3). */
export type ToolExecutionToken = symbol & { readonly [tokenBrand]: true }

/** What a caller gives to `execute`. */
export interface ToolExecutionInput {
  /** The caller's id of this call, such as the model's tool-call id. */
  readonly callId: string
  readonly name: string
  /** Read once and snapshotted before any policy (contract D2); must be lossless JSON. */
  readonly arguments: unknown
  /** The caller's cancellation. */
  readonly signal: AbortSignal
  /** The calling agent: its scope decides what is visible, who listens and who approves. */
  readonly agent?: Agent
  /** Token of the enclosing call, for a sub-call. */
  readonly parent?: ToolExecutionToken
}

/** A call inside the pipeline: materialized, frozen, with its own token. */
export interface ToolExecution {
  readonly token: ToolExecutionToken
  readonly callId: string
  readonly name: string
  /** Deeply frozen lossless JSON. */
  readonly arguments: JsonValue
  readonly signal: AbortSignal
  readonly agent?: Agent
  readonly parent?: ToolExecutionToken
}

/** What a `tools/execute` wrapper sees: `signal` alone may be replaced (contract D6). */
export interface ToolDispatchExecution extends Omit<ToolExecution, 'signal'> {
  signal: AbortSignal
}

/** What a tool's body sees. */
export interface ToolRunContext extends ToolExecution {
  /** Leaves a context for the call's own result; it survives a throw and a cancellation (contract D10). */
  deferContext(context: ContextMessage): void
  /** Marks a successful result as the end of the model's turn (contract D10). */
  concludeTurn(): void
}
