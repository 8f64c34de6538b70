// The tool registry (contract C): what is registered by whom, and what each scope sees of it. A plain class; the `tools`
// service (src/tool-runtime/service.ts) wraps one thin method around each of these and passes the caller's context, from
// which a registration takes its layer (the scope's tag) and its owner (the fiber).
//
//   register, reserve, restrict ──▶ layers ──▶ visibility ──▶ get, schemas, list, resolve
import type { Context } from '@deepseek-ai/cordis'
import { HarnessError } from '../errors/harness-error.ts'
import { quoteName } from '../errors/names.ts'
import { type ChangeHost, Changes } from '../scope/changes.ts'
import { Layered } from '../scope/layered.ts'
import { type ScopeKey, scopeOf } from '../scope/scope.ts'
import type { ToolGuard } from '../tools/decisions.ts'
import type { ToolDefinition, ToolSchema } from '../tools/definition.ts'
import type { RegisteredTool } from '../tools/environment.ts'
import type { PresentationMode } from '../tools/names.ts'
import type { SdkRenderer } from '../tools/sdk-renderer.ts'
import { admitDefinition, assertToolName, refuseReservedName, type SchemaAdmission } from './admission.ts'
import { Guards } from './guards.ts'
import { ToolLayer } from './layers.ts'
import { type PresentationDeclaration, type PresentationOptions, Presentations } from './presentation.ts'
import { Renderers } from './renderers.ts'
import { createMask, type RestrictionFilter } from './restrictions.ts'
import { schemaAdmission } from './schemas.ts'
import { Visibility } from './visibility.ts'

/** What a registry needs of its host. */
export interface RegistryOptions extends ChangeHost, Partial<SchemaAdmission> {
  /** Told of what was registered but is not wholly enforced. Default: nobody is told. */
  warn?(message: string): void
}

/**
 * One tool runtime's registry. Every method that registers something takes the caller's context, makes an effect of its
 * fiber and returns the effect's own disposer, which a composite effect can yield. Scopes are no authority boundary.
 */
export class Registry {
  private readonly layers = new Layered(() => new ToolLayer())
  private readonly changes: Changes
  private readonly visibility: Visibility
  private readonly schemaAdmission: SchemaAdmission
  private readonly guardList = new Guards()
  private readonly presentations: Presentations
  private readonly renderers: Renderers

  constructor(options: RegistryOptions) {
    const ours = schemaAdmission((message) => options.warn?.(message))
    const { compileOutput = ours.compileOutput, checkParameters = ours.checkParameters } = options
    this.schemaAdmission = { compileOutput, checkParameters }
    this.changes = new Changes(options)
    this.visibility = new Visibility(this.layers, () => this.changes.version)
    this.presentations = new Presentations(this.changes)
    this.renderers = new Renderers(this.changes)
  }

  /** Rises on every change of what is registered, reserved, restricted or presented; for caches. */
  get version(): number {
    return this.changes.version
  }

  /**
   * Files a tool in the layer of `ctx` (contract C1, C2). Throws `DUPLICATE_TOOL`, `RESERVED_TOOL_NAME`,
   * `INVALID_TOOL_DEFINITION` or `INVALID_SCHEMA`, and what a `tools/change` listener throws.
   */
  register(ctx: Context, definition: ToolDefinition): () => void {
    const tool = admitDefinition(definition, this.schemaAdmission)
    const { name } = tool.definition
    return this.change(ctx, `tools.register(${quoteName(name)})`, (layer) => {
      if (layer.tools.has(name)) throw duplicate(`has a tool ${quoteName(name)} already`)
      layer.tools.set(name, tool)
      return () => layer.tools.delete(name)
    })
  }

  /** Makes a name known in the layer of `ctx` without a definition (contract C4). Throws `DUPLICATE_TOOL` and `RESERVED_TOOL_NAME`. */
  reserve(ctx: Context, name: string): () => void {
    assertToolName(name)
    refuseReservedName(name)
    return this.change(ctx, `tools.reserve(${quoteName(name)})`, (layer) => {
      if (layer.reserved.has(name)) throw duplicate(`has the name ${quoteName(name)} reserved already`)
      layer.reserved.add(name)
      return () => layer.reserved.delete(name)
    })
  }

  /** Masks what the scope of `ctx` inherits (contract C3). Throws `INVALID_RESTRICTION`. */
  restrict(ctx: Context, filter: RestrictionFilter): () => void {
    const scope = scopeOf(ctx)
    if (scope === undefined) {
      throw new HarnessError(
        'INVALID_RESTRICTION',
        'restrict masks what one agent inherits, and this context belongs to no agent. Call it on agent.ctx.tools.',
      )
    }
    const mask = createMask(filter, this.layers.peek(scope), this.layers.inherited(scope))
    return this.change(ctx, 'tools.restrict()', (layer) => {
      layer.masks.add(mask)
      return () => layer.masks.delete(mask)
    })
  }

  /** Whether a name passes every restriction on the scope's chain, registered or not (contract C5). */
  isAdmitted(name: string, scope?: ScopeKey): boolean {
    return this.visibility.isAdmitted(name, scope)
  }

  /** The definition that the scope sees under a name: a frozen record of what was registered (contract C6). */
  get(name: string, scope?: ScopeKey): ToolDefinition | undefined {
    return this.visibility.resolve(name, scope)?.definition
  }

  /** Like {@link get}, with what registration compiled. On the path of every call. */
  resolve(name: string, scope?: ScopeKey): RegisteredTool | undefined {
    return this.visibility.resolve(name, scope)
  }

  /**
   * What the scope sees, in lexicographic order by UTF-16 code unit. Frozen, and the same array until a registration or
   * the scope's ancestors change, so that it can serve as a cache key.
   */
  list(scope?: ScopeKey): readonly RegisteredTool[] {
    return this.visibility.list(scope)
  }

  /** Detached, mutable copies of what a model is told of the tools that the scope sees, in the order of {@link list} (contract C6). */
  schemas(scope?: ScopeKey): ToolSchema[] {
    return this.visibility.list(scope).map(({ definition: { name, description, parameters } }) => ({
      name,
      description,
      parameters: structuredClone(parameters),
    }))
  }

  /** Every name that is registered or reserved on the scope's chain, masked ones included. */
  knownNames(scope?: ScopeKey): Set<string> {
    return this.visibility.knownNames(scope)
  }

  /** Adds a guard, global or for the scope of `ctx` (contract C7). Guards change nothing that is visible, so they are not announced. */
  guard(ctx: Context, guard: ToolGuard): () => void {
    return this.guardList.add(ctx, guard)
  }

  /** Guards that apply to the scope, iterated live. */
  guards(scope?: ScopeKey): Iterable<ToolGuard> {
    return this.guardList.applying(scope)
  }

  /** Declares how the scope of `ctx` is presented (contract C8). Throws `INVALID_PRESENTATION`. */
  presentAs(ctx: Context, mode: PresentationMode, options?: PresentationOptions): () => void {
    return this.presentations.declare(ctx, mode, options)
  }

  /** The nearest declaration of the scope's chain; `undefined` leaves it to the configuration. */
  presentation(scope?: ScopeKey): PresentationDeclaration | undefined {
    return this.presentations.of(scope)
  }

  /** Registers a language's SDK renderer (contract C11). Throws `INVALID_RENDERER`. */
  sdkRenderer(ctx: Context, renderer: SdkRenderer): () => void {
    return this.renderers.add(ctx, renderer)
  }

  renderer(language: string): SdkRenderer | undefined {
    return this.renderers.get(language)
  }

  /** Languages that have a renderer, in order of registration. */
  rendererLanguages(): string[] {
    return this.renderers.languages()
  }

  private change(ctx: Context, label: string, apply: (layer: ToolLayer) => () => unknown): () => void {
    const scope = scopeOf(ctx)
    return this.changes.register(ctx, label, () => apply(this.layers.open(scope)))
  }
}

function duplicate(problem: string): HarnessError {
  return new HarnessError(
    'DUPLICATE_TOOL',
    `This layer ${problem}. Choose another name, dispose the first registration, or register the variant of one agent through agent.ctx.tools, where it shadows the inherited tool for that agent alone.`,
  )
}
