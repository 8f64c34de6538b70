// Who hears an event (contract B4): listeners without a scope hear everything, a listener in a scope hears its own scope
// and what stands below it. Also how listeners are called: all of them although one throws, and one around another.
import { Context } from '@deepseek-ai/cordis'
import { disown } from '../async/in-flight.ts'
import { type ScopeKey, scopeChainOf } from './chain.ts'
import { scopeOf } from './scope.ts'

/** The `this` of a scoped event: `ctx.emit(scopeTarget(agent), 'tools/result', …)`. Listeners get it as their `this`. */
export interface ScopeTarget {
  /** The scope that the event belongs to; `undefined` when no agent is involved. */
  readonly scope: ScopeKey | undefined
}

class Target implements ScopeTarget {
  readonly scope: ScopeKey | undefined

  constructor(scope: ScopeKey | undefined) {
    this.scope = scope
  }

  [Context.filter](listener: Context): boolean {
    const tag = scopeOf(listener)
    if (tag === undefined || tag === this.scope) return true
    return this.scope !== undefined && scopeChainOf(this.scope).includes(tag)
  }
}

/**
 * Addresses an event to a scope: it reaches untagged listeners and those whose tag is the key or an ancestor of it.
 * Without a key it reaches untagged listeners alone. Routing among trusted plugins; no authority boundary.
 */
export function scopeTarget(key: ScopeKey | undefined): ScopeTarget {
  return new Target(key)
}

/**
 * Calls every listener of an event in order, whatever one of them throws: `onError` gets that, and what an asynchronous
 * listener rejects with. `target` is a {@link scopeTarget}, or `undefined` for an event that is not scoped.
 */
export function emitEach(
  ctx: Context,
  target: ScopeTarget | undefined,
  event: string,
  args: readonly unknown[],
  onError: (error: unknown) => void,
): void {
  let listeners: ((...args: unknown[]) => unknown)[]
  try {
    listeners = ctx.events.dispatch('emit', target === undefined ? [event, ...args] : [target, event, ...args])
  } catch (error) {
    onError(error)
    return
  }
  for (const listener of listeners) {
    try {
      containRejection(listener(...args), onError)
    } catch (error) {
      onError(error)
    }
  }
}

/**
 * Runs a waterfall: each listener around the ones after it, `inner` innermost. Unlike Cordis' own, a listener that calls
 * `next()` again (a retry) runs all that is further in again, so that a second attempt passes the same policy and the same
 * budgets as the first; and a `next()` that a listener does not wait for cannot end the process when it rejects.
 */
export function waterfall(
  ctx: Context,
  target: ScopeTarget,
  event: string,
  args: readonly unknown[],
  inner: () => unknown,
): unknown {
  const listeners: ((...args: unknown[]) => unknown)[] = ctx.events.dispatch('waterfall', [target, event, ...args])
  const step = (index: number): unknown => {
    const listener = listeners[index]
    if (listener === undefined) return inner()
    return listener(...args, () => {
      const answer = step(index + 1)
      disown(answer)
      return answer
    })
  }
  return step(0)
}

/** Keeps the promise of an asynchronous listener from ending the process as an unhandled rejection. */
export function containRejection(returned: unknown, onError: (error: unknown) => void): void {
  if (typeof returned === 'object' && returned !== null) Promise.resolve(returned).catch(onError)
}
