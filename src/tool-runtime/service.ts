// The `tools` service: one thin method for each thing that users do. It ties three parts that do not know each other:
// the registry (what is there), the pipeline (how a call runs) and code mode (how programs call).
//
//   ctx.tools.register(…) ─▶ Registry ◀── CallEnvironment ── Pipeline ◀─ ctx.tools.execute(…)
//                               ▲                               ▲
//                               └──── CodeModeHost ── run_code ─┘
import { type Context, Service } from '@deepseek-ai/cordis'
import { typescriptSdk } from '../../sdk-templates/index.ts'
import '../codemode/events.ts'
import type { CodeModeHost, Presentation } from '../codemode/host.ts'
import { CODE_ONLY_SECTION, CodePresentation, SDK_SECTION } from '../codemode/presentation.ts'
import { Pipeline } from '../pipeline/execute.ts'
import type { PresentationOptions } from '../registry/presentation.ts'
import { Registry } from '../registry/registry.ts'
import type { RestrictionFilter } from '../registry/restrictions.ts'
import { eventChangeHost } from '../scope/changes.ts'
import { emitEach, scopeTarget } from '../scope/delivery.ts'
import type { ScopeKey } from '../scope/scope.ts'
import type { ExecutionMode, ToolGuard } from '../tools/decisions.ts'
import type { ToolDefinition, ToolSchema } from '../tools/definition.ts'
import '../tools/events.ts'
import type { ToolExecutionInput } from '../tools/execution.ts'
import { type PresentationMode, RUN_CODE_NAME } from '../tools/names.ts'
import type { ToolExecutionResult } from '../tools/result.ts'
import type { SdkRenderer } from '../tools/sdk-renderer.ts'
import { type ToolRuntimeConfigInput, toolRuntimeConfigSchema } from './config.ts'
import { createCallEnvironment } from './environment.ts'

declare module '@deepseek-ai/cordis' {
  interface Context {
    /** The tool registry and its pipeline. */
    tools: ToolRuntime
  }
}

/**
 * The service behind `ctx.tools`. What is registered goes into the layer of the calling context's scope and leaves with
 * the calling fiber, or with the returned disposer. Scopes route trusted plugins; they are no authority boundary.
 */
export class ToolRuntime extends Service {
  static readonly inject = ['systemPrompt']
  static readonly Config = toolRuntimeConfigSchema
  private readonly registry: Registry
  private readonly pipeline: Pipeline
  private readonly maxParallel: number
  private readonly runCode: (scope: ScopeKey | undefined) => ToolDefinition | undefined

  constructor(ctx: Context, configInput: ToolRuntimeConfigInput = {}) {
    super(ctx, 'tools')
    const config = toolRuntimeConfigSchema.parse(configInput)
    const log = (error: unknown) => ctx.logger('tools').error(error)
    const registry = new Registry({
      ...eventChangeHost(ctx, 'tools/change', log),
      warn: (message) => ctx.logger('tools').warn(message),
    })
    const presentationOf = (scope: ScopeKey | undefined): Presentation => {
      const declared = registry.presentation(scope)
      const { language, languages } = declared?.options ?? {}
      return {
        mode: declared?.mode ?? config.mode,
        languages: language !== undefined ? [language] : (languages ?? config.languages),
      }
    }
    const host: CodeModeHost = {
      list: (scope) => registry.list(scope),
      presentation: presentationOf,
      renderer: (language) => registry.renderer(language),
      rendererLanguages: () => registry.rendererLanguages(),
      codeRuntime: () => ctx.get('codeRuntime'),
      scheduler: () => this.pipeline.scheduler({ maxParallel: config.maxParallelSubCalls }),
      emitLog: (agent, event) => emitEach(ctx, scopeTarget(agent), 'tools/code-log', [event], log),
    }
    const presentation = new CodePresentation(host)
    const { environment, runCode } = createCallEnvironment({ ctx, registry, host, presentation, log })
    this.registry = registry
    this.maxParallel = config.maxParallelSubCalls
    this.runCode = runCode
    this.pipeline = new Pipeline(environment, { log: (message, error) => ctx.logger('tools').warn(message, error) })
    registry.sdkRenderer(ctx, typescriptSdk)
    contributeToPrompt(ctx, registry, presentation, presentationOf, log)
  }

  /** Files a tool in the calling scope's layer (contract C1, C2). Throws at once when the definition is refused. */
  register(definition: ToolDefinition): () => void {
    return this.registry.register(this.ctx, definition)
  }

  /** Makes a name known and restrictable before its definition is there (contract C4). */
  reserve(name: string): () => void {
    return this.registry.reserve(this.ctx, name)
  }

  /** Masks tools that the calling agent inherits (contract C3). */
  restrict(filter: RestrictionFilter): () => void {
    return this.registry.restrict(this.ctx, filter)
  }

  /** Whether a name passes every restriction on the scope's chain (contract C5). */
  isAdmitted(name: string, scope?: ScopeKey): boolean {
    return this.registry.isAdmitted(name, scope)
  }

  /** The definition that a scope sees, `run_code` included where the scope is presented with it (contract C6). */
  get(name: string, scope?: ScopeKey): ToolDefinition | undefined {
    return name === RUN_CODE_NAME ? this.runCode(scope) : this.registry.get(name, scope)
  }

  /** Name, description and parameters of what a scope sees; detached copies (contract C6). */
  schemas(scope?: ScopeKey): ToolSchema[] {
    return this.registry.schemas(scope)
  }

  /** A synchronous check after `tools/pre-execute`; a string denies for good (contract C7). */
  guard(guard: ToolGuard): () => void {
    return this.registry.guard(this.ctx, guard)
  }

  /** Selects how the calling agent's tools are shown to its model (contract C8). */
  presentAs(mode: PresentationMode, options?: PresentationOptions): () => void {
    return this.registry.presentAs(this.ctx, mode, options)
  }

  /** Registers the SDK renderer of a language (contract C11). */
  sdkRenderer(renderer: SdkRenderer): () => void {
    return this.registry.sdkRenderer(this.ctx, renderer)
  }

  /** Executes one call through the whole pipeline. Never rejects (contract D1). */
  execute(input: ToolExecutionInput): Promise<ToolExecutionResult> {
    return this.pipeline.execute(input)
  }

  /** Executes a model's parallel calls; results are in the order given (contract D15). `maxParallel` defaults to the configured `maxParallelSubCalls`. */
  executeBatch(
    calls: readonly ToolExecutionInput[],
    options?: { readonly maxParallel?: number },
  ): Promise<ToolExecutionResult[]> {
    return this.pipeline.executeBatch(calls, { maxParallel: this.maxParallel, ...options })
  }

  /** Whether a call may overlap its neighbours (contract C9). */
  executionMode(call: Pick<ToolExecutionInput, 'name' | 'arguments' | 'agent'>): ExecutionMode {
    return this.pipeline.executionMode(call)
  }
}

/** Tools and sections for the system prompt, by the presentation of the scope that it is assembled for (contract F2). */
function contributeToPrompt(
  ctx: Context,
  registry: Registry,
  presentation: CodePresentation,
  presentationOf: (scope: ScopeKey | undefined) => Presentation,
  log: (error: unknown) => void,
): void {
  ctx.systemPrompt.tools(({ scope }) => ({
    tools: presentation.tools(scope, () => registry.schemas(scope)),
    // In mode `code` the tools themselves are not contributed, and an order that lists one is a mistake (contract F1).
    known: presentationOf(scope).mode === 'code' ? [] : registry.knownNames(scope),
  }))
  // Whoever keeps a prompt hears of one event when it is stale, whatever made it so (contract F1).
  ctx.on('tools/change', () => announceStalePrompt(ctx, log))
  ctx.systemPrompt.section({ ...CODE_ONLY_SECTION, text: (request) => presentation.codeOnlyText(request) })
  ctx.systemPrompt.section({ ...SDK_SECTION, text: (request) => presentation.sdkText(request) })
}

/** Tells every listener, and throws what the first of them threw, so that it rolls a registration back as any listener does. */
function announceStalePrompt(ctx: Context, log: (error: unknown) => void): void {
  const thrown: unknown[] = []
  let told = false
  emitEach(ctx, undefined, 'system-prompt/change', [], (error) => (told ? log(error) : thrown.push(error)))
  told = true
  if (thrown.length > 0) throw thrown[0]
}
