// Where a language runtime meets its sandboxes: it hands a prepared program over and gets the outcome back. Owns the pool and
// the runs in flight; a run itself is session.ts.
import { availableParallelism } from 'node:os'
import { HarnessError } from '../../src/errors/harness-error.ts'
import type { CodeRunError, CodeRunResult } from '../../src/runtime/code-runtime.ts'
import { aborted, neverStarted } from './failures.ts'
import { onHostExit } from './host-exit.ts'
import { InProcessSandbox } from './in-process.ts'
import { launchCommand } from './launch.ts'
import { type Lease, SandboxPool } from './pool.ts'
import type { PreparedRun } from './prepared-run.ts'
import type { Sandbox } from './sandbox.ts'
import { SandboxProcess } from './sandbox-process.ts'
import { Session } from './session.ts'

/** How sandboxes of one language are made and kept. */
export interface SandboxHostOptions {
  /** Module of the language's engine, see runtimes/child/engine.ts. */
  readonly engine: URL
  /** `process`: a process for each live program. `in-process`: on the host's own thread, for trusted programs (contract L4). */
  readonly isolation: 'process' | 'in-process'
  /** Heap limit of standby isolates, in MiB; a run with another limit waits for an isolate of its own. */
  readonly memoryMb: number
  /** Most sandboxes at a time. Default: twice the cores, at least 4. */
  readonly maxProcesses?: number
  /** Sandboxes that stand ready while others work. Default: 1. */
  readonly spares?: number
  /** A sandbox is replaced after so many runs. Default: 500. */
  readonly recycleAfterRuns?: number
  /** Command to put processes behind, such as `['bwrap', …]`; it must pass file descriptor 3 on. */
  readonly launcher?: readonly string[]
  /** Told of what goes wrong with sandboxes; for operators. Default: nobody. */
  readonly log?: (message: string) => void
}

const DEFAULT_SPARES = 1
const DEFAULT_RECYCLE_AFTER_RUNS = 500
const MIN_PROCESSES = 4

/** See the head of this file. */
export class SandboxHost {
  readonly #pool: SandboxPool
  readonly #inFlight = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()
  #lastRun = 0
  #disposed: Promise<void> | undefined
  readonly #forgetExit: () => void

  constructor(options: SandboxHostOptions) {
    this.#pool = new SandboxPool({
      create: sandboxFactory(options),
      maxSandboxes: options.maxProcesses ?? Math.max(MIN_PROCESSES, 2 * availableParallelism()),
      spares: options.spares ?? DEFAULT_SPARES,
      recycleAfterRuns: options.recycleAfterRuns ?? DEFAULT_RECYCLE_AFTER_RUNS,
      log: options.log ?? (() => {}),
    })
    // A sandbox notices that its host is gone when it reads; one in the middle of a loop would go on until its backstop.
    this.#forgetExit = options.isolation === 'process' ? onHostExit(() => this.#pool.killAll()) : () => {}
  }

  /** Process ids of all sandboxes that there are, for tests and diagnostics. */
  get pids(): readonly number[] {
    return this.#pool.pids
  }

  /** Starts the spare sandboxes ahead of the first run. */
  warm(): void {
    this.#pool.warm()
  }

  /** Runs a program. Rejects with `RUNTIME_DISPOSED` after disposal; every other end is an outcome (contract J2). */
  run(run: PreparedRun): Promise<CodeRunResult> {
    if (this.#disposed !== undefined) {
      return Promise.reject(new HarnessError('RUNTIME_DISPOSED', 'This runtime was disposed; mount it again.'))
    }
    const outcome = this.#run(run)
    this.#inFlight.add(outcome)
    const landed = (): boolean => this.#inFlight.delete(outcome)
    outcome.then(landed, landed)
    return outcome
  }

  /** Aborts the runs in flight, waits for them, and ends every sandbox. Idempotent. */
  dispose(): Promise<void> {
    this.#disposed ??= this.#disposeAll()
    return this.#disposed
  }

  async #disposeAll(): Promise<void> {
    this.#closing.abort()
    await Promise.allSettled(this.#inFlight)
    await this.#pool.dispose()
    this.#forgetExit()
  }

  async #run(run: PreparedRun): Promise<CodeRunResult> {
    const stop = new StopSignal(run.signal, this.#closing.signal)
    try {
      if (stop.why !== undefined) return neverRan(aborted(stop.why), 0)
      const since = performance.now()
      let lease: Lease
      try {
        lease = await this.#pool.acquire(stop.signal)
      } catch (error) {
        return neverRan(startFailure(stop, error), performance.now() - since)
      }
      return await this.#runLeased(run, lease, stop)
    } finally {
      stop.release()
    }
  }

  async #runLeased(run: PreparedRun, { sandbox, queuedMs }: Lease, stop: StopSignal): Promise<CodeRunResult> {
    if (stop.why !== undefined) {
      this.#pool.release(sandbox, true)
      return neverRan(aborted(stop.why), queuedMs)
    }
    const session = new Session(run, sandbox, { id: ++this.#lastRun, queuedMs })
    stop.onStop((why) => session.abort(why))
    session.start()
    const { result, reusable } = await session.outcome
    this.#pool.release(sandbox, reusable)
    return result
  }
}

/** The two ways in which a run is stopped from outside, as one. */
class StopSignal {
  readonly signal: AbortSignal
  readonly #controller = new AbortController()
  readonly #caller: AbortSignal | undefined
  readonly #closing: AbortSignal
  #listener: ((why: string) => void) | undefined
  #why: string | undefined
  readonly #onCaller = (): void => this.#stop('The run was aborted by its caller.')
  readonly #onClosing = (): void => this.#stop('The run was aborted because its runtime is being disposed.')

  constructor(caller: AbortSignal | undefined, closing: AbortSignal) {
    this.signal = this.#controller.signal
    this.#caller = caller
    this.#closing = closing
    caller?.addEventListener('abort', this.#onCaller, { once: true })
    closing.addEventListener('abort', this.#onClosing, { once: true })
    if (caller?.aborted) this.#onCaller()
  }

  /** Why the run is to stop; `undefined` while it is not. */
  get why(): string | undefined {
    return this.#why
  }

  onStop(listener: (why: string) => void): void {
    this.#listener = listener
    if (this.#why !== undefined) listener(this.#why)
  }

  release(): void {
    this.#listener = undefined
    this.#caller?.removeEventListener('abort', this.#onCaller)
    this.#closing.removeEventListener('abort', this.#onClosing)
  }

  #stop(why: string): void {
    if (this.#why !== undefined) return
    this.#why = why
    this.#controller.abort()
    this.#listener?.(why)
  }
}

function sandboxFactory(options: SandboxHostOptions): () => Sandbox {
  const { engine, memoryMb, launcher } = options
  if (options.isolation === 'in-process') return () => new InProcessSandbox({ engine, memoryMb })
  const command = launchCommand({ engine, memoryMb, ...(launcher && { launcher }) })
  return () => new SandboxProcess(command)
}

function startFailure(stop: StopSignal, error: unknown): CodeRunError {
  if (stop.why !== undefined) return aborted(stop.why)
  return neverStarted(error instanceof Error ? error.message : 'No sandbox could be started for the program.')
}

function neverRan(error: CodeRunError, queuedMs: number): CodeRunResult {
  const usage = { wallMs: 0, cpuMs: 0, queuedMs, calls: 0, peakMemoryBytes: null, bytesIn: 0, bytesOut: 0 }
  return { logs: [], error, usage }
}
