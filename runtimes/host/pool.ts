// Sandboxes on loan: a cap on how many there are, a fair queue for those who wait, a spare that is ready before it is
// wanted, and healing after a death. It knows nothing of programs; sandbox-host.ts leases, session.ts uses.
//
//   starting ── ready ──▶ idle ── acquire ──▶ leased ── release(reusable) ──▶ idle
//      └── failed ──┐       └── died, aged ──┐    └── release(not reusable) ─┐
//                   ▼                        ▼                               ▼
//                 gone: refill() starts another when one is wanted, later each time when starting itself fails
//
// An idle sandbox never keeps the host's event loop alive.
import { HarnessError } from '../../src/errors/harness-error.ts'
import { BackOff } from './back-off.ts'
import type { Sandbox } from './sandbox.ts'
import { withoutPaths } from './stderr-tail.ts'

/** Idle sandboxes beyond the spares are kept this long for the next burst. */
const IDLE_TTL_MS = 30_000
/** A sandbox whose idle size grew by more than this is not used again: what it holds would be the next run's. */
const MAX_GROWTH_BYTES = 64 * 1024 * 1024

/** How a pool works. */
export interface PoolOptions {
  /** Starts a sandbox; `ready` says how it went. */
  readonly create: () => Sandbox
  readonly maxSandboxes: number
  readonly spares: number
  readonly recycleAfterRuns: number
  /** Told of starts that failed and of idle sandboxes that died; for operators. */
  readonly log: (message: string) => void
}

/** A sandbox that the caller has for itself until it gives it back. */
export interface Lease {
  readonly sandbox: Sandbox
  /** How long the caller stood in the queue, in milliseconds. */
  readonly queuedMs: number
}

interface Slot {
  readonly sandbox: Sandbox
  state: 'starting' | 'idle' | 'leased' | 'dying'
  runs: number
  idleSince: number
  /** Resident size when it was first idle. */
  readonly bytesAtFirst: () => number | undefined
}

interface Waiter {
  readonly since: number
  readonly resolve: (lease: Lease) => void
  readonly reject: (error: HarnessError) => void
}

/** See the head of this file. */
export class SandboxPool {
  readonly #options: PoolOptions
  readonly #slots = new Map<Sandbox, Slot>()
  /** Longest idle first: it has had the most time to make its standby isolate. */
  readonly #idle: Slot[] = []
  readonly #waiters = new Set<Waiter>()
  readonly #backOff = new BackOff()
  #retryTimer: NodeJS.Timeout | undefined
  #trimTimer: NodeJS.Timeout | undefined
  #disposed: Promise<void> | undefined

  constructor(options: PoolOptions) {
    this.#options = options
  }

  /** Process ids of all sandboxes, for tests and diagnostics. */
  get pids(): number[] {
    return [...this.#slots.keys()].flatMap(({ pid }) => (pid === undefined ? [] : [pid]))
  }

  /** Starts the spares, if they are not there. */
  warm(): void {
    this.#refill()
  }

  /**
   * Lends a sandbox, in the order in which callers came. Rejects with `SANDBOX_START` when none can be started, with
   * `RUNTIME_DISPOSED` after disposal, and with an `ABORTED_BEFORE_DISPATCH` error when the signal aborts first.
   */
  acquire(signal?: AbortSignal): Promise<Lease> {
    if (this.#disposed !== undefined) return Promise.reject(disposedError())
    const slot = this.#takeIdle()
    if (slot !== undefined) {
      const lease = this.#lend(slot, 0)
      this.#refill()
      return Promise.resolve(lease)
    }
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiters.delete(waiter)
        reject(new HarnessError('ABORTED_BEFORE_DISPATCH', 'The run was aborted while it waited for a sandbox.'))
      }
      const off = (): void => signal?.removeEventListener('abort', onAbort)
      const waiter: Waiter = {
        since: performance.now(),
        resolve: (lease) => {
          off()
          resolve(lease)
        },
        reject: (error) => {
          off()
          reject(error)
        },
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      this.#waiters.add(waiter)
      this.#refill()
    })
  }

  /** Takes a sandbox back. One that is not reusable, is dead, too old or too fat is ended and replaced. */
  release(sandbox: Sandbox, reusable: boolean): void {
    const slot = this.#slots.get(sandbox)
    if (slot === undefined || slot.state !== 'leased') return
    if (reusable) this.#backOff.reset()
    slot.runs++
    if (this.#disposed !== undefined || !reusable || sandbox.dead || this.#isWornOut(slot)) this.#end(slot)
    else this.#offer(slot)
    this.#refill()
  }

  /** Sends every sandbox its end and waits for none; for a host that exits. */
  killAll(): void {
    for (const sandbox of this.#slots.keys()) void sandbox.kill()
  }

  /** Ends every sandbox and resolves when nothing is left of any. Leases must be given back first, or are cut off. */
  dispose(): Promise<void> {
    this.#disposed ??= this.#disposeAll()
    return this.#disposed
  }

  async #disposeAll(): Promise<void> {
    clearTimeout(this.#retryTimer)
    clearTimeout(this.#trimTimer)
    this.#failWaiters(disposedError())
    const slots = [...this.#slots.values()]
    for (const slot of slots) this.#end(slot)
    await Promise.all(slots.map(({ sandbox }) => sandbox.exited))
  }

  /** Starts what is missing: one for each that waits, or else the spares. */
  #refill(): void {
    if (this.#disposed !== undefined) return
    let available = 0
    for (const { state } of this.#slots.values()) if (state === 'starting' || state === 'idle') available++
    const waiting = this.#waiters.size
    const wanted = waiting > 0 ? waiting : this.#backOff.isHopeless ? 0 : this.#options.spares
    while (available < wanted && this.#slots.size < this.#options.maxSandboxes) {
      if (this.#backOff.waitMs > 0) {
        this.#retryLater()
        return
      }
      this.#start()
      available++
    }
    if (waiting > 0) {
      for (const { state, sandbox } of this.#slots.values()) if (state === 'starting') sandbox.setRef(true)
    }
  }

  #start(): void {
    let sandbox: Sandbox
    try {
      sandbox = this.#options.create()
    } catch (error) {
      this.#startFailed(error)
      return
    }
    sandbox.setRef(false)
    let bytes: number | undefined
    const slot: Slot = { sandbox, state: 'starting', runs: 0, idleSince: 0, bytesAtFirst: () => bytes }
    this.#slots.set(sandbox, slot)
    void sandbox.exited.then(({ stderr }) => this.#onExit(slot, stderr))
    sandbox.ready.then(
      () => {
        if (slot.state !== 'starting') return
        bytes = sandbox.residentBytes()
        this.#offer(slot)
        this.#refill()
      },
      (error: unknown) => {
        if (slot.state !== 'starting') return
        this.#end(slot)
        void sandbox.exited.then(({ stderr }) => stderr !== '' && this.#options.log(stderr))
        this.#startFailed(error)
      },
    )
  }

  #offer(slot: Slot): void {
    const waiter: Waiter | undefined = this.#waiters.values().next().value
    if (waiter !== undefined) {
      this.#waiters.delete(waiter)
      waiter.resolve(this.#lend(slot, performance.now() - waiter.since))
      return
    }
    slot.state = 'idle'
    slot.idleSince = performance.now()
    slot.sandbox.setRef(false)
    this.#idle.push(slot)
    this.#trimLater()
  }

  #takeIdle(): Slot | undefined {
    for (;;) {
      const slot = this.#idle.shift()
      if (slot === undefined || !slot.sandbox.dead) return slot
    }
  }

  #lend(slot: Slot, queuedMs: number): Lease {
    slot.state = 'leased'
    slot.sandbox.setRef(true)
    return { sandbox: slot.sandbox, queuedMs }
  }

  #isWornOut(slot: Slot): boolean {
    if (slot.runs >= this.#options.recycleAfterRuns) return true
    const first = slot.bytesAtFirst()
    const now = slot.sandbox.residentBytes()
    return first !== undefined && now !== undefined && now - first > MAX_GROWTH_BYTES
  }

  #end(slot: Slot): void {
    this.#forgetIdle(slot)
    slot.state = 'dying'
    void slot.sandbox.kill()
  }

  #onExit(slot: Slot, stderr: string): void {
    this.#slots.delete(slot.sandbox)
    const { state } = slot
    this.#forgetIdle(slot)
    // A leased one is still its session's; release finds it dead.
    if (state === 'idle') {
      this.#backOff.fail()
      this.#options.log(`An idle sandbox died. ${stderr}`.trim())
    }
    // What never became ready is a failed start, and `ready` tells of it.
    if (state !== 'starting') this.#refill()
  }

  #forgetIdle(slot: Slot): void {
    const index = this.#idle.indexOf(slot)
    if (index >= 0) this.#idle.splice(index, 1)
  }

  #startFailed(error: unknown): void {
    this.#backOff.fail()
    const problem = error instanceof Error ? error.message : String(error)
    this.#options.log(`A sandbox could not be started: ${problem}`)
    if (this.#backOff.isHopeless) this.#failWaiters(startError(problem, error))
    this.#refill()
  }

  #retryLater(): void {
    clearTimeout(this.#retryTimer)
    this.#retryTimer = setTimeout(() => this.#refill(), Math.ceil(this.#backOff.waitMs))
    if (this.#waiters.size === 0) this.#retryTimer.unref()
  }

  #failWaiters(error: HarnessError): void {
    const waiters = [...this.#waiters]
    this.#waiters.clear()
    for (const waiter of waiters) waiter.reject(error)
  }

  #trimLater(): void {
    if (this.#trimTimer !== undefined || this.#idle.length <= this.#options.spares) return
    this.#trimTimer = setTimeout(() => this.#trim(), IDLE_TTL_MS).unref()
  }

  #trim(): void {
    this.#trimTimer = undefined
    const old = performance.now() - IDLE_TTL_MS
    // The longest idle stand first; the ones used last are the ones to keep.
    while (this.#idle.length > this.#options.spares && this.#idle[0]!.idleSince <= old) this.#end(this.#idle[0]!)
    this.#trimLater()
  }
}

function disposedError(): HarnessError {
  return new HarnessError('RUNTIME_DISPOSED', 'The runtime was disposed; mount it again to run programs.')
}

function startError(problem: string, cause: unknown): HarnessError {
  return new HarnessError(
    'SANDBOX_START',
    `No sandbox could be started for the program: ${withoutPaths(problem)} Check that this Node can load isolated-vm and may start processes.`,
    { cause },
  )
}
