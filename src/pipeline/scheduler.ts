// Calls on lanes (contract D15): the one scheduler for a model's batch of native calls and for the sub-calls of a program.
// Arguments are read at submission; the call starts when its turn comes.
import { LaneClosedError, Lanes } from '../async/lanes.ts'
import { HarnessError } from '../errors/harness-error.ts'
import type { SettledCall } from '../tools/call-outcome.ts'
import type { ToolExecutionInput } from '../tools/execution.ts'
import type { Pipeline } from './execute.ts'
import { modeOf } from './mode.ts'
import type { ExecuteHooks } from './stage.ts'

/** Options of one scheduled call. */
export interface ScheduledHooks extends ExecuteHooks {
  /** Called when the call leaves the queue; must not throw. */
  readonly onStart?: () => void
}

/** Runs calls of one owner under one contract. */
export class CallScheduler {
  readonly #pipeline: Pipeline
  readonly #lanes: Lanes

  /** Throws INVALID_CONFIG unless `maxParallel` (default 10) is a positive integer. */
  constructor(pipeline: Pipeline, options: { readonly maxParallel?: number | undefined } = {}) {
    this.#pipeline = pipeline
    try {
      this.#lanes = new Lanes(options)
    } catch (thrown) {
      throw new HarnessError('INVALID_CONFIG', (thrown as RangeError).message, { cause: thrown })
    }
  }

  /** Queues a call; resolves when it has settled or was abandoned. Never rejects. */
  async submit(input: ToolExecutionInput, hooks: ScheduledHooks = {}): Promise<SettledCall> {
    const call = this.#pipeline.open(input, hooks)
    const { onStart } = hooks
    try {
      const result = await this.#lanes.submit({
        mode: () => modeOf(call).kind,
        run: (phases) => this.#pipeline.run(call, phases),
        ...(onStart && { onStart }),
      })
      return { outcome: call.account(result).outcome, result }
    } catch (thrown) {
      if (thrown instanceof LaneClosedError) return { outcome: 'not-started' }
      throw thrown
    }
  }

  /** Abandons what is queued and refuses what comes later; started calls go on. */
  close(): void {
    this.#lanes.close()
  }

  /** Resolves when nothing is queued or running; after {@link close}, when every started call has settled. */
  idle(): Promise<void> {
    return this.#lanes.drain()
  }
}
