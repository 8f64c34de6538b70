// A CallEnvironment in memory for tests of the pipeline: a Map of tools instead of the registry, and a real Cordis context,
// so that listeners behave as they do in production.
import { Context } from '@deepseek-ai/cordis'
import type { Violation } from '../../src/errors/tool-errors.ts'
import { Pipeline } from '../../src/pipeline/execute.ts'
import type { Agent } from '../../src/scope/agent.ts'
import { emitEach, scopeTarget, waterfall } from '../../src/scope/delivery.ts'
import type { ToolGuard } from '../../src/tools/decisions.ts'
import type { ToolDefinition } from '../../src/tools/definition.ts'
import type { ApprovalSeam, CallEnvironment, PipelineWaterfall, RegisteredTool } from '../../src/tools/environment.ts'
import type {} from '../../src/tools/events.ts'
import type { ToolExecution, ToolExecutionInput } from '../../src/tools/execution.ts'
import type { ToolExecutionResult } from '../../src/tools/result.ts'

export interface Published {
  readonly execution: ToolExecution
  readonly result: ToolExecutionResult
}

/** The environment, with what it saw. */
export class MemoryEnvironment implements CallEnvironment {
  readonly ctx = new Context()
  readonly tools = new Map<string, RegisteredTool>()
  readonly guardList: ToolGuard[] = []
  readonly logged: { readonly message: string; readonly error: unknown }[] = []
  readonly pipeline = new Pipeline(this, { log: (message, error) => this.logged.push({ message, error }) })
  service: ApprovalSeam | undefined
  refuseDirectCall: CallEnvironment['refuseDirectCall'] = () => undefined

  /** Registers a tool; `violations` stands for the validator of its output schema. */
  add(definition: ToolDefinition, violations: (value: unknown) => readonly Violation[] = () => []): void {
    this.tools.set(definition.name, { definition, validateOutput: violations })
  }

  /** Collects what observers see. */
  observe(): Published[] {
    const published: Published[] = []
    this.ctx.on('tools/result', (execution, result) => void published.push({ execution, result }))
    return published
  }

  resolve(name: string): RegisteredTool | undefined {
    return this.tools.get(name)
  }

  unknownToolRemedy(): string {
    return `Known: ${[...this.tools.keys()].join(', ')}.`
  }

  guards(): Iterable<ToolGuard> {
    return this.guardList
  }

  hasListeners(event: PipelineWaterfall | 'tools/result'): boolean {
    return (this.ctx.events._hooks[event]?.length ?? 0) > 0
  }

  waterfall<T>(event: PipelineWaterfall, agent: Agent | undefined, args: readonly unknown[], next: () => Promise<T>) {
    return waterfall(this.ctx, scopeTarget(agent), event, args, next) as Promise<T>
  }

  publishResult(agent: Agent | undefined, args: readonly unknown[]): void {
    const log = (error: unknown) => void this.logged.push({ message: 'observer', error })
    emitEach(this.ctx, scopeTarget(agent), 'tools/result', args, log)
  }

  approval(): ApprovalSeam | undefined {
    return this.service
  }
}

/** A definition with a body; it renders its value as JSON text. */
export function toolOf(
  name: string,
  execute: ToolDefinition['execute'] = () => 'done',
  more: Partial<ToolDefinition> = {},
): ToolDefinition {
  return {
    name,
    description: `The tool ${name}.`,
    parameters: { type: 'object' },
    output: { schema: true, render: (_args, value) => JSON.stringify(value) },
    execute,
    ...more,
  }
}

let calls = 0

/** A call with a fresh id and a signal of its own. */
export function callOf(name: string, more: Partial<ToolExecutionInput> = {}): ToolExecutionInput {
  calls += 1
  return { callId: `call-${calls}`, name, arguments: {}, signal: new AbortController().signal, ...more }
}

/** A promise that is settled from outside. */
export interface Gate<T = void> {
  readonly promise: Promise<T>
  open(value: T): void
  fail(reason: unknown): void
}

export function gate<T = void>(): Gate<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  return { promise, open: resolve, fail: reject }
}

/** Lets everything that can go on without outside help go on. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve))
}

/** True when the value and all that it holds is frozen. Agents, signals and functions are handed on as they are. */
export function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen)
}
