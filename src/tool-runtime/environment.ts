// The CallEnvironment of a tool runtime: what the pipeline learns of registry, presentation and events. On the path of
// every call, so what can be looked up once is.
import type { Context } from '@deepseek-ai/cordis'
import type { CodeModeHost } from '../codemode/host.ts'
import type { CodePresentation } from '../codemode/presentation.ts'
import { RUN_CODE_OUTPUT, runCodeDefinition } from '../codemode/run-code-tool.ts'
import { quoteName, quoteNames } from '../errors/names.ts'
import { nearestNames } from '../errors/nearest.ts'
import type { Registry } from '../registry/registry.ts'
import { compileSchema } from '../schema/validator.ts'
import type { Agent } from '../scope/agent.ts'
import { hasEnded } from '../scope/agent.ts'
import { emitEach, scopeTarget, waterfall } from '../scope/delivery.ts'
import type { ScopeKey } from '../scope/scope.ts'
import type { ToolDefinition } from '../tools/definition.ts'
import type { ApprovalSeam, CallEnvironment, PipelineWaterfall } from '../tools/environment.ts'
import { RUN_CODE_NAME } from '../tools/names.ts'

const ENDED = 'This agent, or one above it, was disposed: nothing can be called for it any more. Create another agent.'

/** The parts that an environment speaks for. */
export interface EnvironmentParts {
  readonly ctx: Context
  readonly registry: Registry
  readonly host: CodeModeHost
  readonly presentation: CodePresentation
  readonly log: (error: unknown) => void
}

/** Makes the environment, and the look-up of the reserved definition that it shares with `tools.get`. */
export function createCallEnvironment({ ctx, registry, host, presentation, log }: EnvironmentParts): {
  environment: CallEnvironment
  runCode: (scope: ScopeKey | undefined) => ToolDefinition | undefined
} {
  const runCodeOutput = compileSchema(RUN_CODE_OUTPUT, { owner: RUN_CODE_NAME, kind: 'output', trusted: true })
  const validateOutput = (value: Parameters<typeof runCodeOutput.violations>[0]) =>
    runCodeOutput.violations(value, 'value')
  const runCode = (scope: ScopeKey | undefined) =>
    host.presentation(scope).mode === 'native' ? undefined : runCodeDefinition(host, presentation)
  const hooks: Readonly<Record<string, readonly unknown[] | undefined>> = ctx.events._hooks
  const environment: CallEnvironment = {
    // Asked again after policy: an agent may end while a call of it waits for a listener or an approval.
    resolve(name, agent) {
      if (agent !== undefined && hasEnded(agent)) return undefined
      if (name !== RUN_CODE_NAME) return registry.resolve(name, agent)
      const definition = runCode(agent)
      return definition && { definition, validateOutput }
    },
    refuseDirectCall({ name, agent, parent }) {
      if (agent !== undefined && hasEnded(agent)) return `Unknown tool ${quoteName(name)}. ${ENDED}`
      if (parent !== undefined || name === RUN_CODE_NAME || host.presentation(agent).mode !== 'code') return undefined
      return registry.resolve(name, agent) === undefined
        ? `Unknown tool ${quoteName(name)}. Only ${RUN_CODE_NAME} can be called directly; other tools are members of \`tools\` inside its program. ${suggestion(registry, name, agent)}`
        : `Tool ${quoteName(name)} cannot be called directly. Call it inside a ${RUN_CODE_NAME} program, where it is the member ${quoteName(name)} of \`tools\`.`
    },
    unknownToolRemedy(name, agent) {
      if (agent !== undefined && hasEnded(agent)) return ENDED
      if (name === RUN_CODE_NAME) {
        return 'This agent is presented with native tools only; call them directly, or select mode "code" or "both".'
      }
      return suggestion(registry, name, agent)
    },
    guards: (agent) => registry.guards(agent),
    hasListeners: (event) => (hooks[event]?.length ?? 0) > 0,
    waterfall: <T>(
      event: PipelineWaterfall,
      agent: Agent | undefined,
      args: readonly unknown[],
      next: () => Promise<T>,
    ) => waterfall(ctx, scopeTarget(agent), event, args, next) as Promise<T>,
    publishResult: (agent, args) => emitEach(ctx, scopeTarget(agent), 'tools/result', args, log),
    approval: () => ctx.get('approval') as ApprovalSeam | undefined,
  }
  return { environment, runCode }
}

/** Which names a caller may have meant. */
function suggestion(registry: Registry, name: string, scope: ScopeKey | undefined): string {
  const visible = registry.list(scope).map(({ definition }) => definition.name)
  if (visible.length === 0) return 'No tool is visible to this agent.'
  const near = nearestNames(name, visible)
  return near.length > 0 ? `Did you mean ${quoteNames(near)}?` : `Visible tools: ${quoteNames(visible)}.`
}
