// The live events of the registry and the pipeline, merged into Cordis' `Events`.
// All but `tools/change` are scoped: untagged listeners hear every call, a listener in a scope hears the calls of that scope and of its descendants (contract B4).
import type { PostToolDecision, PreToolDecision } from './decisions.ts'
import type { ToolDispatchExecution, ToolExecution } from './execution.ts'
import type { ToolExecutionResult } from './result.ts'

declare module '@deepseek-ai/cordis' {
  interface Events {
    /**
     * Policy, before anything runs. Answer a decision, or pass on what `next()` answers.
     * Nothing else may change; a throw makes an error result and the body does not run (contract D4, D13).
     */
    'tools/pre-execute'(
      execution: ToolExecution,
      next: () => Promise<PreToolDecision>,
    ): PreToolDecision | Promise<PreToolDecision>
    /**
     * Around the body: timeouts, retries, metrics. Only `execution.signal` may be replaced; a result that the wrapper
     * wrote itself is checked against the tool's output declaration. A throw makes an error result (contract D6, D13).
     */
    'tools/execute'(
      execution: ToolDispatchExecution,
      next: () => Promise<ToolExecutionResult>,
    ): ToolExecutionResult | Promise<ToolExecutionResult>
    /** After the body: accept (with other content, another value, contexts) or block. A throw makes an error result (contract D9, D13). */
    'tools/post-execute'(
      execution: ToolExecution,
      result: ToolExecutionResult,
      next: () => Promise<PostToolDecision>,
    ): PostToolDecision | Promise<PostToolDecision>
    /** The final outcome, frozen. Observation only: a throw is logged and changes nothing (contract D12). */
    'tools/result'(execution: ToolExecution, result: ToolExecutionResult): void
    /** What is registered, reserved or restricted changed. Unfiltered; a listener that throws rolls a registration back (contract C10). */
    'tools/change'(): void
  }
}
