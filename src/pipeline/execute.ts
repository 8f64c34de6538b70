// The pipeline of one call (contract D): the order of the stages and nothing else; each stage is a file of its own.
//
//   open ─▶ entry ─▶ policy ─▶ dispatch ─▶ post ─▶ finish
//   materialize.ts   policy.ts  dispatch.ts  post.ts  finalize.ts
//
// It knows no registry: what it needs of the world it asks its CallEnvironment, which src/tool-runtime/service.ts
// implements. A stage for which nobody listens is skipped, and costs nothing.
import type { LanePhases } from '../async/lanes.ts'
import { HarnessError } from '../errors/harness-error.ts'
import { ToolNotFoundError } from '../errors/tool-errors.ts'
import type { ExecutionMode } from '../tools/decisions.ts'
import type { CallEnvironment } from '../tools/environment.ts'
import type { ToolExecutionInput } from '../tools/execution.ts'
import type { ToolErrorResult, ToolExecutionResult } from '../tools/result.ts'
import { afterAbort } from './cancellation.ts'
import { dispatch } from './dispatch.ts'
import { codedFailure, failureFrom } from './failures.ts'
import { finish } from './finalize.ts'
import { openCall } from './materialize.ts'
import { executionMode } from './mode.ts'
import { decide } from './policy.ts'
import { review } from './post.ts'
import { CallScheduler } from './scheduler.ts'
import type { Call, ExecuteHooks, LogFunction } from './stage.ts'

const NO_HOOKS: ExecuteHooks = Object.freeze({})

/** Options of a {@link Pipeline}. */
export interface PipelineOptions {
  /** Told of what no result shows: observers that throw, meta that is no JSON. Default: nobody is told. */
  readonly log?: LogFunction
}

/** Executes calls. One instance serves a tool runtime; it keeps no state between calls. */
export class Pipeline {
  readonly #env: CallEnvironment
  readonly #log: LogFunction

  constructor(env: CallEnvironment, options: PipelineOptions = {}) {
    this.#env = env
    this.#log = options.log ?? (() => {})
  }

  /** Executes one call. Never rejects: every outcome, refusals of the input included, is a frozen result (contract D1). */
  execute(input: ToolExecutionInput, hooks: ExecuteHooks = NO_HOOKS): Promise<ToolExecutionResult> {
    return this.run(this.open(input, hooks))
  }

  /** How a call may be scheduled beside its neighbours (contract C9). Never throws. */
  executionMode(input: Pick<ToolExecutionInput, 'name' | 'arguments' | 'agent'>): ExecutionMode {
    return executionMode(this.#env, input)
  }

  /**
   * Executes the calls of one batch under the contract of D15; the list of results is in order of submission.
   * Rejects for misuse alone: INVALID_CONFIG for a `maxParallel` (default 10) that is no positive integer, INVALID_CALL for
   * a batch that is no array.
   */
  async executeBatch(
    inputs: readonly ToolExecutionInput[],
    options: { readonly maxParallel?: number | undefined } = {},
  ): Promise<ToolExecutionResult[]> {
    if (!Array.isArray(inputs)) throw new HarnessError('INVALID_CALL', 'executeBatch: calls must be an array.')
    const scheduler = this.scheduler(options)
    // Array.from reads holes too: each place of the batch gets a result.
    const settled = await Promise.all(Array.from(inputs, (input: ToolExecutionInput) => scheduler.submit(input)))
    // Never closed, so every call was started and has a result.
    return settled.map((call) => call.result as ToolExecutionResult)
  }

  /** A scheduler for the calls of one owner, such as the sub-calls of a program. Throws INVALID_CONFIG. */
  scheduler(options: { readonly maxParallel?: number | undefined } = {}): CallScheduler {
    return new CallScheduler(this, options)
  }

  /** Reads an input into a call that has not started. Never throws. */
  open(input: ToolExecutionInput, hooks: ExecuteHooks): Call {
    return openCall(this.#env, input, hooks, this.#log)
  }

  /** Runs an open call to its end, once. Never rejects. */
  async run(call: Call, phases?: LanePhases): Promise<ToolExecutionResult> {
    let result: ToolExecutionResult
    try {
      result = atEntry(call) ?? (await decide(call)) ?? (await work(call, phases))
    } catch (thrown) {
      // No stage is meant to throw; an environment that does must not break the promise of D1.
      result = failureFrom(call, thrown)
    }
    return finish(call, result)
  }
}

/** What ends a call before anything of it runs (contract D2, E2, F3). */
function atEntry(call: Call): ToolErrorResult | undefined {
  const { problem, env, execution } = call
  if (problem !== undefined) return call.refuse('unreadable', problem.refusal, failureFrom(call, problem.thrown))
  const aborted = afterAbort(call, undefined)
  if (aborted !== undefined) return aborted
  const message = env.refuseDirectCall(execution)
  return message === undefined ? undefined : refuseUnknown(call, 'hidden', message)
}

/** Dispatch and post-policy of a call that policy let through. */
async function work(call: Call, phases: LanePhases | undefined): Promise<ToolExecutionResult> {
  // Policy was awaited, if only for a microtask: a caller that aborts right after `execute` must see no body start.
  const aborted = afterAbort(call, undefined)
  if (aborted !== undefined) return aborted
  // Asked again: while policy took its time the tool may have come, gone or been replaced.
  const tool = call.resolve()
  if (tool === undefined) {
    const { name, agent } = call.execution
    return refuseUnknown(call, 'unknown', new ToolNotFoundError(name, call.env.unknownToolRemedy(name, agent)).message)
  }
  let result = phases === undefined ? await dispatch(call, tool) : await phases.dispatch(() => dispatch(call, tool))
  if (call.env.hasListeners('tools/post-execute')) {
    const dispatched = result
    result =
      phases === undefined
        ? await review(call, tool, dispatched)
        : await phases.post(() => review(call, tool, dispatched))
  }
  return afterAbort(call, result)
}

function refuseUnknown(call: Call, standing: 'hidden' | 'unknown', message: string): ToolErrorResult {
  return call.refuse(
    standing,
    'unknown-tool',
    codedFailure(call, 'UNKNOWN_TOOL', message, { name: ToolNotFoundError.name }),
  )
}
