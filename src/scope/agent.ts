// An agent: a scope key with an id, a scoped context and, optionally, a session for durable events (contract B3).
import type { Context } from '@deepseek-ai/cordis'
import type { JsonValue } from '../json/json-value.ts'

/** Where durable events of an agent go (contract R5). */
export interface AgentSession {
  /** Awaited; a start event that fails refuses the call, a settle event that fails is logged. */
  append(type: string, data: JsonValue): void | Promise<void>
}

/** Whoever calls tools. The object itself is the scope key. */
export interface Agent {
  readonly id: string
  /** What is registered through this context is visible to this agent (and its children) alone. */
  readonly ctx: Context
  readonly session?: AgentSession
  /** Disposes the scope with all that was registered through it. */
  dispose(): Promise<void>
}
