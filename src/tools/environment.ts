// What the pipeline may ask of the world. It cuts the knot between pipeline and registry: the pipeline is handed a
// CallEnvironment and never sees how tools are stored, masked or presented. `src/tool-runtime/service.ts` implements it.
import type { Violation } from '../errors/tool-errors.ts'
import type { JsonValue } from '../json/json-value.ts'
import type { Agent } from '../scope/agent.ts'
import type { ToolGuard } from './decisions.ts'
import type { ToolDefinition } from './definition.ts'
import type { ToolExecutionInput } from './execution.ts'

/** A definition that passed registration, with what registration compiled once. */
export interface RegisteredTool {
  readonly definition: ToolDefinition
  /** Violations of the output schema, with paths from `value`; empty when the value fits. Bounded in number. */
  validateOutput(value: JsonValue): readonly Violation[]
}

/** Outcomes of an approval (contract D5, R4). */
export type ApprovalOutcome = 'allowed-once' | 'rejected' | 'cancelled' | 'unavailable'

/** What is asked of a person. */
export interface ApprovalRequest {
  readonly agent: Agent
  readonly toolName: string
  readonly callId: string
  readonly arguments: JsonValue
  readonly reason?: string
  readonly displayReason?: string
  /** The program that makes the call, when it is a sub-call. */
  readonly program?: string
  readonly signal: AbortSignal
}

/** The approval service as the pipeline sees it (`ctx.approval`). */
export interface ApprovalSeam {
  request(request: ApprovalRequest): Promise<ApprovalOutcome>
}

/** The three transformable stages. */
export type PipelineWaterfall = 'tools/pre-execute' | 'tools/execute' | 'tools/post-execute'

/** What the pipeline may ask. One instance serves all calls of a tool runtime. */
export interface CallEnvironment {
  /** The tool that the agent sees under this name, or `undefined`. */
  resolve(name: string, agent: Agent | undefined): RegisteredTool | undefined
  /** The message of an `UNKNOWN_TOOL` refusal when the presentation forbids this call before policy (contract F3), else `undefined`. */
  refuseDirectCall(input: Pick<ToolExecutionInput, 'name' | 'agent' | 'parent'>): string | undefined
  /** What an `UNKNOWN_TOOL` message tells the caller to do: nearest visible names, or the way back. */
  unknownToolRemedy(name: string, agent: Agent | undefined): string
  /** Guards that apply to the agent, iterated live: one that registers another is seen (contract C7). */
  guards(agent: Agent | undefined): Iterable<ToolGuard>
  /** False when nobody listens to the event, so that the stage can be skipped. */
  hasListeners(event: PipelineWaterfall | 'tools/result'): boolean
  /** Runs a waterfall for the agent's scope; `next` is the pipeline's own step. */
  waterfall<T>(
    event: PipelineWaterfall,
    agent: Agent | undefined,
    args: readonly unknown[],
    next: () => Promise<T>,
  ): Promise<T>
  /** Calls every `tools/result` listener of the agent's scope; what one throws is logged and stops no other (contract D12). */
  publishResult(agent: Agent | undefined, args: readonly unknown[]): void
  /** The mounted approval service, looked up for each call. */
  approval(): ApprovalSeam | undefined
}
