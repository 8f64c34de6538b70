// The `systemPrompt` service (contract F1): what plugins register, layered by the calling scope, and one assembly of it.
// Hosts call `assemble`; the tool runtime contributes tools and its own sections. Text is made in assemble.ts.
import { type Context, Service } from '@deepseek-ai/cordis'
import { z } from 'zod'
import { quoteName } from '../errors/names.ts'
import { Changes, eventChangeHost } from '../scope/changes.ts'
import { scopeTarget, waterfall } from '../scope/delivery.ts'
import { Layered } from '../scope/layered.ts'
import { scopeOf } from '../scope/scope.ts'
import { checkAssembly } from './answer.ts'
import { buildAssembly } from './assemble.ts'
import { checkVariable, PromptLayer, readSection } from './layer.ts'
import { PromptError } from './prompt-error.ts'
import { toolOrderProblem } from './tool-order.ts'
import type {
  PromptAssembly,
  PromptRequest,
  PromptSection,
  PromptToolProvider,
  PromptVariableProvider,
} from './types.ts'

export type {
  AssembledSection,
  PromptAssembly,
  PromptRequest,
  PromptSection,
  PromptTool,
  PromptToolProvider,
  PromptVariableProvider,
  ToolContribution,
} from './types.ts'

declare module '@deepseek-ai/cordis' {
  interface Context {
    /** Sections, tools and variables of the system prompt. */
    systemPrompt: SystemPrompt
  }

  interface Events {
    /**
     * A prompt is being assembled. Answer what `next()` gives, or another assembly: the answer is authoritative, checked
     * for its shape alone. Scoped like the events of the pipeline (contract B4). A throw rejects `assemble`.
     */
    'system-prompt/assemble'(
      request: PromptRequest,
      next: () => Promise<PromptAssembly>,
    ): PromptAssembly | Promise<PromptAssembly>
    /** A section, a provider or a variable came or went. Unfiltered; a listener that throws rolls a registration back. */
    'system-prompt/change'(): void
  }
}

const configSchema = z
  .strictObject({
    /** Names of tools in the order in which they are offered; `<unlisted-tools>` stands for all others. Default: all in lexicographic order. */
    toolOrder: z
      .array(z.string())
      .superRefine((order, context) => {
        const problem = toolOrderProblem(order)
        if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
      })
      .optional(),
  })
  .prefault({})

/** Configuration of {@link SystemPrompt}. */
export interface SystemPromptConfig {
  readonly toolOrder?: readonly string[] | undefined
}

/**
 * The service behind `ctx.systemPrompt`. Registrations go into the layer of the calling context's scope, are seen by that
 * scope and its descendants alone, and leave with the calling fiber or with the returned disposer.
 */
export class SystemPrompt extends Service {
  static readonly Config = configSchema
  static readonly provide = 'systemPrompt'
  private readonly layers = new Layered(() => new PromptLayer())
  private readonly changes: Changes
  private readonly toolOrder: readonly string[] | undefined

  constructor(ctx: Context, config: SystemPromptConfig = {}) {
    super(ctx, 'systemPrompt')
    this.toolOrder = config.toolOrder
    this.changes = new Changes(
      eventChangeHost(ctx, 'system-prompt/change', (error) => ctx.logger('systemPrompt').error(error)),
    )
  }

  /** Adds a section. Throws `INVALID_PROMPT` when it is malformed or its name is taken in this layer. */
  section(section: PromptSection): () => void {
    const added = readSection(section)
    return this.put('section', added.name, (layer) => layer.sections, added)
  }

  /** Adds a variable for `{{name}}`. Throws `INVALID_PROMPT` when it is malformed or its name is taken in this layer. */
  variable(name: string, provider: PromptVariableProvider): () => void {
    checkVariable(name, provider)
    return this.put('variable', name, (layer) => layer.variables, provider)
  }

  /** Adds a provider of tools; where scopes contribute the same name, the nearest counts. */
  tools(provider: PromptToolProvider): () => void {
    if (typeof provider !== 'function') throw new PromptError('systemPrompt.tools takes a function that answers tools.')
    const scope = scopeOf(this.ctx)
    return this.changes.register(this.ctx, 'systemPrompt.tools()', () => {
      const layer = this.layers.open(scope)
      const entry = { provide: provider }
      layer.providers.add(entry)
      return () => layer.providers.delete(entry)
    })
  }

  /**
   * The prompt of a scope. Rejects with `INVALID_PROMPT` (a malformed or unknown reference, a `toolOrder` entry that
   * nothing contributes, a provider that failed), with the coded error of a provider, or with the signal's reason.
   */
  async assemble(request: PromptRequest = {}): Promise<PromptAssembly> {
    const { scope, signal } = request
    const passed: PromptRequest = Object.freeze({ ...(scope !== undefined && { scope }), ...(signal && { signal }) })
    const build = () => buildAssembly(this.layers, this.toolOrder, passed)
    const answer = await waterfall(this.ctx, scopeTarget(scope), 'system-prompt/assemble', [passed], build)
    return checkAssembly(answer)
  }

  private put<T>(kind: string, name: string, part: (layer: PromptLayer) => Map<string, T>, value: T): () => void {
    const scope = scopeOf(this.ctx)
    return this.changes.register(this.ctx, `systemPrompt.${kind}(${quoteName(name)})`, () => {
      const entries = part(this.layers.open(scope))
      if (entries.has(name)) {
        throw new PromptError(
          `This layer has a ${kind} ${quoteName(name)} already. Choose another name, dispose the first, or register the variant of one agent through agent.ctx.systemPrompt.`,
        )
      }
      entries.set(name, value)
      return () => entries.delete(name)
    })
  }
}
