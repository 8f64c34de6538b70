// What one scope sees (contract C3, C5, C6): its own tools over what its parent sees, the latter cut by the scope's masks.
// Every call resolves a name here, so the map of a scope is kept until the registry or the scope's ancestors change.
import { compareNames } from '../errors/names.ts'
import { type ScopeKey, scopeChainOf } from '../scope/chain.ts'
import type { Layered } from '../scope/layered.ts'
import type { RegisteredTool } from '../tools/environment.ts'
import { RUN_CODE_NAME } from '../tools/names.ts'
import type { ToolLayer } from './layers.ts'
import { maskAdmits } from './restrictions.ts'

type VisibleTools = ReadonlyMap<string, RegisteredTool>

interface CachedView {
  readonly version: number
  readonly chain: readonly ScopeKey[]
  readonly tools: VisibleTools
}

interface CachedOrder {
  readonly version: number
  readonly tools: readonly RegisteredTool[]
}

/** Answers what is visible, from the layers of a registry. */
export class Visibility {
  private readonly layers: Layered<ToolLayer>
  private readonly version: () => number
  private readonly views = new WeakMap<ScopeKey, CachedView>()
  private readonly orders = new WeakMap<VisibleTools, CachedOrder>()

  /** `version` must rise with every change of a layer. */
  constructor(layers: Layered<ToolLayer>, version: () => number) {
    this.layers = layers
    this.version = version
  }

  /** The tool that the scope sees under a name. */
  resolve(name: string, scope: ScopeKey | undefined): RegisteredTool | undefined {
    return this.visible(scope).get(name)
  }

  /** See `Registry.list`. */
  list(scope: ScopeKey | undefined): readonly RegisteredTool[] {
    const visible = this.visible(scope)
    const version = this.version()
    const known = this.orders.get(visible)
    if (known?.version === version) return known.tools
    const tools = Object.freeze(
      [...visible.values()].sort((a, b) => compareNames(a.definition.name, b.definition.name)),
    )
    this.orders.set(visible, { version, tools })
    return tools
  }

  /** Every name that is registered or reserved in a layer of the scope's chain, whether masked or not. */
  knownNames(scope: ScopeKey | undefined): Set<string> {
    const names = new Set<string>()
    for (const layer of this.layers.outward(scope)) {
      for (const name of layer.tools.keys()) names.add(name)
      for (const name of layer.reserved) names.add(name)
    }
    return names
  }

  /** True when the name passes every mask of the scope's chain, registered or not. `run_code` always does. */
  isAdmitted(name: string, scope: ScopeKey | undefined): boolean {
    if (name === RUN_CODE_NAME) return true
    return this.layers.outward(scope).every((layer) => admits(layer, name))
  }

  private visible(scope: ScopeKey | undefined): VisibleTools {
    const global = this.layers.open(undefined).tools
    if (scope === undefined) return global
    const chain = scopeChainOf(scope)
    const version = this.version()
    const known = this.views.get(scope)
    if (known !== undefined && known.version === version && known.chain === chain) return known.tools
    let tools: VisibleTools = global
    // From the outermost scope inwards, without recursion: a chain may be of any length.
    for (const key of chain.toReversed()) tools = overlay(this.layers.peek(key), tools)
    this.views.set(scope, { version, chain, tools })
    return tools
  }
}

/** One scope's view: its own tools over the inherited ones that its masks leave. Shares the inherited map when nothing differs. */
function overlay(layer: ToolLayer | undefined, inherited: VisibleTools): VisibleTools {
  if (layer === undefined || (layer.tools.size === 0 && layer.masks.size === 0)) return inherited
  const tools = new Map<string, RegisteredTool>()
  for (const [name, tool] of inherited) if (admits(layer, name)) tools.set(name, tool)
  for (const [name, tool] of layer.tools) tools.set(name, tool)
  return tools
}

function admits(layer: ToolLayer, name: string): boolean {
  for (const mask of layer.masks) if (!maskAdmits(mask, name)) return false
  return true
}
