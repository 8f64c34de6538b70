// The `toolTimeouts` plugin (contract D16): enforces the `timeoutMs` of definitions as a `tools/execute` wrapper. It only
// signals: the body is awaited however long it takes (E1), and then the call is reported as TOOL_TIMEOUT.
import type { Context } from '@deepseek-ai/cordis'
import { fuseSignals } from '../async/signals.ts'
import { HarnessError } from '../errors/harness-error.ts'
import { quoteName } from '../errors/names.ts'
import { TOOL_TIMEOUT } from '../errors/tool-errors.ts'
import type { Agent } from '../scope/agent.ts'
import type { ToolDefinition } from '../tools/definition.ts'
import type { ToolDispatchExecution } from '../tools/execution.ts'
import { failureResult } from '../tools/outcomes.ts'
import type { ToolExecutionResult } from '../tools/result.ts'

/** Node's timers overflow beyond this and fire after 1 ms; a longer budget (24 days) is no budget. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** What the plugin asks of the `tools` service. */
interface ToolLookup {
  get(name: string, scope?: Agent): Pick<ToolDefinition, 'timeoutMs'> | undefined
}

/** Mount it with `ctx.plugin(toolTimeouts)`. */
export const toolTimeouts = {
  name: 'tool-timeouts',
  inject: ['tools'],
  apply(ctx: Context): void {
    // Injected: Cordis runs this again when another service takes its place.
    const tools = ctx.get('tools') as ToolLookup | undefined
    ctx.on('tools/execute', (execution, next) => {
      const timeoutMs = tools?.get(execution.name, execution.agent)?.timeoutMs
      return timeoutMs === undefined || timeoutMs > MAX_TIMER_MS ? next() : withTimeout(timeoutMs, execution, next)
    })
  },
}

async function withTimeout(
  timeoutMs: number,
  execution: ToolDispatchExecution,
  next: () => Promise<ToolExecutionResult>,
): Promise<ToolExecutionResult> {
  const outer = execution.signal
  const message = `Tool ${quoteName(execution.name)} did not settle within its timeout of ${timeoutMs} ms; its effects may have happened.`
  const budget = new AbortController()
  const timer = setTimeout(() => {
    // Whoever cancelled first is the reason; a body that winds down slowly after a cancellation is no timeout.
    if (!outer.aborted) budget.abort(new HarnessError(TOOL_TIMEOUT, message))
  }, timeoutMs)
  const fused = fuseSignals([outer, budget.signal])
  execution.signal = fused.signal
  try {
    const result = await next()
    if (!budget.signal.aborted) return result
    return failureResult({ message, info: { name: HarnessError.name, code: TOOL_TIMEOUT } }, { meta: result.meta })
  } finally {
    clearTimeout(timer)
    fused.dispose()
    execution.signal = outer
  }
}
