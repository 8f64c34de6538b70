// Guards (contract C7): synchronous checks that no listener can overrule. Global from a plain context, for one scope and
// its descendants from a scoped one. The pipeline runs them; here they are only kept and iterated.
import type { Context } from '@deepseek-ai/cordis'
import { HarnessError } from '../errors/harness-error.ts'
import { Layered } from '../scope/layered.ts'
import { type ScopeKey, scopeOf } from '../scope/scope.ts'
import type { ToolGuard } from '../tools/decisions.ts'

/** One entry a registration, so that the same function can be registered twice. */
type GuardLayer = Set<{ readonly guard: ToolGuard }>

/** The guards of one registry. */
export class Guards {
  private readonly layers = new Layered<GuardLayer>(() => new Set())
  private count = 0

  /** Files a guard in the layer of `ctx`, as an effect of its fiber. */
  add(ctx: Context, guard: ToolGuard): () => void {
    if (typeof guard !== 'function') {
      throw new HarnessError('INVALID_CONFIG', 'guard takes a function: (execution) => string | undefined.')
    }
    const scope = scopeOf(ctx)
    return ctx.effect(() => {
      const entry = { guard }
      const layer = this.layers.open(scope)
      layer.add(entry)
      this.count += 1
      return () => {
        layer.delete(entry)
        this.count -= 1
      }
    }, 'tools.guard()')
  }

  /**
   * Guards that apply to a scope: global ones first, then from the outermost ancestor inwards, each layer in order of
   * registration. Live: one that is added meanwhile, in any of these layers, is still yielded, and one that is gone is not.
   */
  applying(scope: ScopeKey | undefined): Iterable<ToolGuard> {
    return this.count === 0 ? [] : this.iterate(scope)
  }

  private *iterate(scope: ScopeKey | undefined): Generator<ToolGuard, void, void> {
    const yielded = new Set<object>()
    for (let before = -1; before < yielded.size; ) {
      before = yielded.size
      for (const layer of this.layers.outward(scope).reverse()) {
        for (const entry of layer) {
          if (yielded.has(entry)) continue
          yielded.add(entry)
          yield entry.guard
        }
      }
    }
  }
}
