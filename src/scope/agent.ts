// An agent: a scope key with an id, a scoped context and, optionally, a session for durable events (contract B3).
import type { Context } from '@deepseek-ai/cordis'
import { HarnessError } from '../errors/harness-error.ts'
import type { JsonValue } from '../json/json-value.ts'
import { scopeChainOf } from './chain.ts'
import { createScope, disposeScope, type ScopeKey } from './scope.ts'

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
  /** Disposes the scope with all that was registered through it. Every call gives the same promise. */
  dispose(): Promise<void>
}

/** The contexts of agents, by agent; whether one has ended is a fact about the object, for every service alike. */
const scopes = new WeakMap<ScopeKey, Context>()

/**
 * True once an agent, or an agent above it, is disposed or being disposed. Its restrictions and guards are gone then, so
 * its handle must not be good for calls any more: without this it would fall back to what the root may do.
 */
export function hasEnded(agent: ScopeKey): boolean {
  return scopeChainOf(agent).some((key) => scopes.get(key)?.fiber.uid === null)
}

/** Options of {@link createAgent}. */
export interface AgentOptions {
  /** A name for people and logs; need not be unique. */
  readonly id: string
  /** An agent, or the key of a preset, whose layers this agent sees. */
  readonly parent?: Agent | ScopeKey
  readonly session?: AgentSession
}

/**
 * Makes an agent below `ctx`; it ends with `dispose()` or with the fiber of `ctx`.
 * Throws `INVALID_SCOPE` for an id that is no non-empty string or a parent that is no object.
 */
export function createAgent(ctx: Context, options: AgentOptions): Agent {
  const { id, parent, session } = options
  if (typeof id !== 'string' || id === '') {
    throw new HarnessError('INVALID_SCOPE', 'An agent needs an id: createAgent(ctx, { id: "main" }).')
  }
  // The agent is its own scope key, so it must be there before its context can be made.
  const agent = { id, ...(session !== undefined && { session }) } as { -readonly [K in keyof Agent]: Agent[K] }
  const scope = createScope(ctx, agent, parent === undefined ? {} : { parent })
  let disposal: Promise<void> | undefined
  agent.ctx = scope
  scopes.set(agent, scope)
  agent.dispose = () => (disposal ??= disposeScope(scope))
  return Object.freeze(agent)
}
