// What scopes have registered, a layer each, and the order in which they are seen: the scope's own layer, its
// ancestors', then the global one. Used by the registry and the prompt for their own kinds of layer.
import { type ScopeKey, scopeChainOf } from './chain.ts'

/** A layer knows when it holds nothing, so that it can be dropped. */
export interface Layer {
  isEmpty(): boolean
}

/** Layers by scope. A scope that registered nothing has none, and one that is left empty is dropped. */
export class Layered<L extends Layer> {
  private readonly create: () => L
  private readonly global: L
  private readonly scoped = new WeakMap<ScopeKey, L>()

  constructor(create: () => L) {
    this.create = create
    this.global = create()
  }

  /** The layer of a scope, or the global one; `undefined` when the scope has registered nothing. */
  peek(key: ScopeKey | undefined): L | undefined {
    return key === undefined ? this.global : this.scoped.get(key)
  }

  /** The layer of a scope, made if need be. Call {@link prune} after taking something out of it. */
  open(key: ScopeKey | undefined): L {
    const known = this.peek(key)
    if (known !== undefined || key === undefined) return known ?? this.global
    const layer = this.create()
    this.scoped.set(key, layer)
    return layer
  }

  /** Forgets a scope's layer if nothing is left in it. */
  prune(key: ScopeKey | undefined): void {
    if (key !== undefined && this.scoped.get(key)?.isEmpty() === true) this.scoped.delete(key)
  }

  /** Layers that a scope sees, nearest first, the global one last. */
  outward(key: ScopeKey | undefined): L[] {
    return key === undefined ? [this.global] : this.collect(scopeChainOf(key))
  }

  /** Layers that a scope sees beside its own, nearest first, the global one last. */
  inherited(key: ScopeKey): L[] {
    return this.collect(scopeChainOf(key).slice(1))
  }

  private collect(chain: readonly ScopeKey[]): L[] {
    const layers: L[] = []
    for (const key of chain) {
      const layer = this.scoped.get(key)
      if (layer !== undefined) layers.push(layer)
    }
    layers.push(this.global)
    return layers
  }
}
