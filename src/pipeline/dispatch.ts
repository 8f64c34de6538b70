// Dispatch (contract D6): the around-waterfall, with the body as its innermost step. Wrappers may replace the signal, call
// `next` several times or not at all, or race it; a body that has started is awaited all the same (E1).
import { InFlight } from '../async/in-flight.ts'
import { fuseSignals, isAbortSignal } from '../async/signals.ts'
import { HarnessError } from '../errors/harness-error.ts'
import { quoteName } from '../errors/names.ts'
import type { JsonObject } from '../json/json-value.ts'
import type { RegisteredTool } from '../tools/environment.ts'
import type { ToolDispatchExecution } from '../tools/execution.ts'
import type { ToolExecutionResult } from '../tools/result.ts'
import { authoredResult } from './authored.ts'
import { runBody } from './body.ts'
import { abortedBeforeDispatch } from './cancellation.ts'
import { codedFailure, failureFrom, preview } from './failures.ts'
import type { Call } from './stage.ts'

/** Runs the body of an allowed call inside its wrappers. Sets the call's standing; never rejects. */
export async function dispatch(call: Call, tool: RegisteredTool): Promise<ToolExecutionResult> {
  const result = call.env.hasListeners('tools/execute')
    ? await new WrappedDispatch(call, tool).run()
    : await runBody(call, tool, call.execution.signal)
  // Every body has settled; one that left something running behind must not slip a context past a block.
  call.contexts.close()
  if (result.isError) call.standing = 'failed'
  else call.standing = call.bodyStarted ? 'succeeded' : 'answered'
  return result
}

/** One call inside the wrappers. */
class WrappedDispatch {
  readonly #call: Call
  readonly #tool: RegisteredTool
  readonly #bodies = new InFlight()
  /** Results of this call's own bodies; whatever else a wrapper answers is checked. */
  readonly #own = new Set<unknown>()
  /** Meta of the latest of them, such as the ledger of a program: a wrapper that throws must not lose it. */
  #meta: JsonObject | undefined
  #signal: AbortSignal

  constructor(call: Call, tool: RegisteredTool) {
    this.#call = call
    this.#tool = tool
    this.#signal = call.execution.signal
  }

  async run(): Promise<ToolExecutionResult> {
    const { env, execution } = this.#call
    try {
      const answer = await env.waterfall('tools/execute', execution.agent, [this.#view()], this.#next)
      await this.#bodies.close()
      if (this.#own.has(answer)) return answer
      return authoredResult(this.#call, this.#tool, answer)
    } catch (thrown) {
      await this.#bodies.close()
      return failureFrom(this.#call, thrown, this.#meta)
    }
  }

  /** The execution as wrappers see it: frozen, but for `signal`. */
  #view(): ToolDispatchExecution {
    const read = (): AbortSignal => this.#signal
    const replace = (signal: unknown): void => {
      if (!isAbortSignal(signal)) {
        throw new HarnessError(
          'INVALID_POLICY_DECISION',
          `A tools/execute wrapper set execution.signal to ${preview(signal)}; it must be an AbortSignal.`,
        )
      }
      this.#signal = signal
    }
    return Object.freeze({
      ...this.#call.execution,
      get signal() {
        return read()
      },
      set signal(signal) {
        replace(signal)
      },
    })
  }

  readonly #next = (): Promise<ToolExecutionResult> => {
    if (!this.#bodies.closed) return this.#bodies.track(this.#step())
    // No rejection: nobody may be there to handle it.
    const message = `next() was called after a call of tool ${quoteName(this.#call.execution.name)} had ended; nothing was executed.`
    return Promise.resolve(codedFailure(this.#call, 'CALL_ENDED', message))
  }

  /** One attempt, under the caller's signal and the wrappers' together. */
  async #step(): Promise<ToolExecutionResult> {
    const wrappers = this.#signal
    const fused = fuseSignals([this.#call.execution.signal, wrappers])
    this.#signal = fused.signal
    try {
      const result = fused.signal.aborted
        ? abortedBeforeDispatch(this.#call)
        : await runBody(this.#call, this.#tool, fused.signal)
      this.#own.add(result)
      this.#meta = result.meta
      return result
    } finally {
      fused.dispose()
      if (this.#signal === fused.signal) this.#signal = wrappers
    }
  }
}
