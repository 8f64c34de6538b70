// Which scope stands above which (contract B2). A key is an object; what is known of it lives as long as it does.
// The tables are module state on purpose: a binding is a fact about two objects, not about any one service, and all
// services must agree on it. Scopes route trusted plugins; they are no authority boundary.
import { HarnessError } from '../errors/harness-error.ts'

/** Identity of a scope: the agent object itself, or any object that stands for a preset which several agents share. */
export type ScopeKey = object

const parents = new WeakMap<ScopeKey, ScopeKey>()
const chains = new WeakMap<ScopeKey, readonly ScopeKey[]>()

/**
 * Puts `key` below `parent`: it then sees the parent's layers, and the parent's listeners hear its events.
 * Throws `INVALID_SCOPE` when the key has a parent already, when the two would form a cycle, or when one is no object.
 */
export function bindScopeParent(key: ScopeKey, parent: ScopeKey): void {
  assertScopeKey(key)
  assertScopeKey(parent)
  if (parents.has(key)) {
    throw new HarnessError('INVALID_SCOPE', 'This scope key has a parent already. Bind a key to one parent, once.')
  }
  if (scopeChainOf(parent).includes(key)) {
    throw new HarnessError(
      'INVALID_SCOPE',
      'This parent stands below the scope key (or is the key itself), so binding them would form a cycle. Bind a child to its parent, never back.',
    )
  }
  parents.set(key, parent)
}

/** The parent that a key was bound to, if any. */
export function scopeParentOf(key: ScopeKey): ScopeKey | undefined {
  return parents.get(key)
}

/**
 * The key and its ancestors, nearest first. Frozen, and the same array until an ancestor is bound, so that it can serve
 * as part of a cache key. Throws `INVALID_SCOPE` for what is no object.
 */
export function scopeChainOf(key: ScopeKey): readonly ScopeKey[] {
  const known = chains.get(key)
  // Every key but the last has its parent, and a parent is bound once: only the end of a chain can ever grow.
  if (known !== undefined && !parents.has(known[known.length - 1]!)) return known
  assertScopeKey(key)
  const chain: ScopeKey[] = []
  for (let at: ScopeKey | undefined = key; at !== undefined; at = parents.get(at)) chain.push(at)
  Object.freeze(chain)
  chains.set(key, chain)
  return chain
}

/** Throws `INVALID_SCOPE` unless the value can be a scope key. */
export function assertScopeKey(value: unknown): asserts value is ScopeKey {
  if ((typeof value === 'object' && value !== null) || typeof value === 'function') return
  throw new HarnessError('INVALID_SCOPE', `A scope key is an object, such as an agent; got ${typeof value}.`)
}
