// What scopes have registered, a layer each, and the order in which they are seen: the scope's own layer, its
// ancestors', then the global one. Used by the registry and the prompt for their own kinds of layer.
import { type ScopeKey, scopeChainOf } from './chain.ts'

/** Layers by scope. A scope that never registered anything has none; a layer lives as long as its key. */
export class Layered<L extends object> {
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

  /** The layer of a scope, made if need be. */
  open(key: ScopeKey | undefined): L {
    const known = this.peek(key)
    if (known !== undefined || key === undefined) return known ?? this.global
    const layer = this.create()
    this.scoped.set(key, layer)
    return layer
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
