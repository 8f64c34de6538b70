// Scoped contexts (contract B1): a Cordis context that carries the key of a scope, with a fiber of its own, so that all
// that is registered through it is tagged and leaves together. Scopes route trusted plugins to the agents they are meant
// for; they are no authority boundary: whoever holds a context can reach its root.
import type { Context } from '@deepseek-ai/cordis'
import { assertScopeKey, bindScopeParent, type ScopeKey, scopeParentOf } from './chain.ts'

export type { ScopeKey } from './chain.ts'

/** Options of {@link createScope}. */
export interface ScopeOptions {
  /** The scope whose layers this one sees. A key keeps its parent for good; naming the same one again is fine. */
  readonly parent?: ScopeKey
}

// A registered symbol: a second copy of the package must not take a scoped context for a plain one.
const SCOPE = Symbol.for('runcell.scope')

/** The plugin behind every scope. It does nothing; its fiber owns what is registered through the scope's context. */
const scopePlugin = { name: 'scope', apply(): void {} }

/**
 * Makes a context that is tagged with `key`. It can be used at once, and several contexts may share a key (and so a layer).
 * It is disposed with `scope.fiber.dispose()`, or with the fiber of `ctx`. It finds services as `ctx` does.
 *
 * Throws `INVALID_SCOPE` when the key has another parent or the parents would form a cycle, and what Cordis throws when
 * the fiber of `ctx` has ended.
 */
export function createScope(ctx: Context, key: ScopeKey, options: ScopeOptions = {}): Context {
  assertScopeKey(key)
  ctx.fiber.assertActive()
  const { parent } = options
  if (parent !== undefined && scopeParentOf(key) !== parent) bindScopeParent(key, parent)
  const scope = ctx.extend({ [SCOPE]: key }).plugin(scopePlugin).ctx
  // Cordis lets only fibers without a runtime record (the root) read services that they did not inject, and looks no
  // further up than the first of them (reflect.ts, `handler.get`). A scope made from such a context must read like it,
  // or `agent.ctx.tools` would throw. Nothing but that rule and the display name reads the field afterwards.
  if (ctx.fiber.runtime === null) scope.fiber.runtime = null
  return scope
}

/** The key that a context, or the nearest scoped one that it derives from, is tagged with; `undefined` for a plain context. */
export function scopeOf(ctx: Context): ScopeKey | undefined {
  return (ctx as { readonly [SCOPE]?: ScopeKey })[SCOPE]
}

/** Disposes a scope's context and waits until all that was registered through it is gone. Safe to call again, and while its parent ends. */
export async function disposeScope(scope: Context): Promise<void> {
  const { fiber } = scope
  await fiber.dispose()
  // A disposer that somebody else started answers at once; the fiber itself knows when it is through.
  while (fiber.inertia !== undefined) await fiber.inertia
}
