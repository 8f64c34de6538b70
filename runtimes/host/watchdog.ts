// The clocks and the scale of one run (contract K2, and docs/decisions/0002). All are the host's own:
//
//   wall     from start to end, whatever the program does;
//   compute  charged by turn: the wall time of a turn bounds its CPU time from above. Only when that bound reaches the
//            budget is the process asked what it really used, and the bound comes down to it;
//   memory   resident size over that of the idle process, sampled only while the program computes.
//
// One timer a run, armed for the earliest moment at which any budget can be spent; a turn that ends does not take it back,
// so a thousand short turns arm it once in ten milliseconds. Whoever owns the run decides what a spent budget means.
import type { RunLimits } from '../../src/runtime/code-runtime.ts'
import type { Clock } from './failures.ts'
import type { Sandbox } from './sandbox.ts'

/** How often memory is looked at while the program computes: at some GB/s of page faults, an overshoot of a few tens of MB. */
const SAMPLE_MS = 10
/** What V8 takes beside an isolate's heap while it collects garbage: programs that use their budget to the full stay under it. */
const MEMORY_SLACK_BYTES = 64 * 1024 * 1024
/** A text on its way through the process is there as chunks, as a frame and as a string, and garbage for a while after. */
const COPIES_IN_TRANSIT = 4
/** A backstop for a process whose host is gone fires this long after the wall budget. */
const ORPHAN_GRACE_MS = 1_000
const MAX_TIMER_MS = 2 ** 31 - 1
const MIB = 1024 * 1024

/** A budget that is spent. */
export type Spent = Clock | 'memory'

/** What a run has cost. */
export interface RunCosts {
  readonly wallMs: number
  readonly cpuMs: number
  readonly peakMemoryBytes: number | null
}

/** See the head of this file. */
export class Watchdog {
  readonly #limits: RunLimits
  readonly #sandbox: Sandbox
  readonly #onSpent: (spent: Spent) => void
  readonly #startedAt: number
  readonly #idleCpuMs: number | undefined
  readonly #idleBytes: number | undefined
  #peakBytes: number | undefined
  #transitBytes = 0
  /** Upper bound of the CPU time of all turns that ended, in milliseconds. */
  #chargedMs = 0
  #reportedMs = 0
  #turnStartedAt: number | undefined
  #timer: NodeJS.Timeout | undefined
  #armedFor = Number.POSITIVE_INFINITY
  #stopped = false

  /** Starts the wall clock and takes the measure of the idle sandbox. `onSpent` is called at most once, never from a method. */
  constructor(limits: RunLimits, sandbox: Sandbox, onSpent: (spent: Spent) => void) {
    this.#limits = limits
    this.#sandbox = sandbox
    this.#onSpent = onSpent
    this.#idleCpuMs = sandbox.cpuMs()
    this.#idleBytes = sandbox.residentBytes()
    this.#peakBytes = this.#idleBytes
    this.#startedAt = performance.now()
  }

  /** A message of so many bytes crosses. What the process holds of it is not the program's, up to once the budget. */
  allowTransit(bytes: number): void {
    const allowance = Math.min(COPIES_IN_TRANSIT * bytes, this.#limits.memoryMb * MIB)
    if (allowance > this.#transitBytes) this.#transitBytes = allowance
  }

  /** The program is about to be entered. Returns the backstop of the entry, in whole milliseconds. */
  enter(): number {
    const now = performance.now()
    this.#turnStartedAt = now
    this.#armBy(this.#nextLook(now))
    const wallMs = this.#wallLeftMs(now)
    const entryMs =
      this.#sandbox.isolation === 'in-process'
        ? Math.min(wallMs, this.#limits.computeMs - this.#chargedMs)
        : wallMs + ORPHAN_GRACE_MS
    return Math.min(MAX_TIMER_MS, Math.max(1, Math.ceil(entryMs)))
  }

  /** The program rests. `reportedCpuUs` is what the sandbox says it used. Returns the budget that is spent now, if one is. */
  leave(reportedCpuUs: number): Clock | undefined {
    const now = performance.now()
    this.#chargedMs += now - (this.#turnStartedAt ?? now)
    this.#turnStartedAt = undefined
    this.#reportedMs = reportedCpuUs / 1_000
    if (this.#idleCpuMs === undefined) this.#chargedMs = Math.min(this.#chargedMs, this.#reportedMs)
    if (this.#wallLeftMs(now) <= 0) return 'wall'
    return this.#computeSpent(now) ? 'compute' : undefined
  }

  /** Which clock an entry ran into that the sandbox's backstop ended; `undefined` when by the host's clocks it was none. */
  clockOfBackstop(): Clock | undefined {
    const now = performance.now()
    const wallMs = this.#wallLeftMs(now)
    if (this.#sandbox.isolation === 'process') return wallMs <= 0 ? 'wall' : undefined
    return wallMs <= this.#limits.computeMs - this.#boundMs(now) ? 'wall' : 'compute'
  }

  /** True when the program was last seen near its budget of memory, or the sandbox was. */
  get nearMemory(): boolean {
    if (this.#peakBytes === undefined || this.#idleBytes === undefined) return false
    return this.#peakBytes - this.#idleBytes >= 0.75 * this.#limits.memoryMb * MIB
  }

  /** Stops the clocks. Call it while the sandbox is still there, so that the last reading is exact. */
  stop(): RunCosts {
    this.#stopped = true
    clearTimeout(this.#timer)
    const now = performance.now()
    // The kernel accounts for a process that still runs a little late: for a short run it says nothing at all.
    const cpuMs = Math.max(0, this.#measuredMs() ?? 0, this.#reportedMs)
    this.#sampleMemory()
    return {
      wallMs: now - this.#startedAt,
      cpuMs: Math.min(this.#boundMs(now), cpuMs),
      peakMemoryBytes: this.#peakBytes ?? null,
    }
  }

  #wallLeftMs(now: number): number {
    return this.#startedAt + this.#limits.maxWallMs - now
  }

  #boundMs(now: number): number {
    return this.#chargedMs + (this.#turnStartedAt === undefined ? 0 : now - this.#turnStartedAt)
  }

  #measuredMs(): number | undefined {
    if (this.#idleCpuMs === undefined) return undefined
    const cpuMs = this.#sandbox.cpuMs()
    return cpuMs === undefined ? undefined : cpuMs - this.#idleCpuMs
  }

  /** Asks the process only when the bound has reached the budget, and brings the bound down to the answer. */
  #computeSpent(now: number): boolean {
    if (this.#boundMs(now) < this.#limits.computeMs) return false
    const measuredMs = this.#measuredMs()
    if (measuredMs === undefined) return true
    this.#chargedMs = Math.min(this.#boundMs(now), measuredMs)
    if (this.#turnStartedAt !== undefined) this.#turnStartedAt = now
    return this.#chargedMs >= this.#limits.computeMs
  }

  #memorySpent(): boolean {
    const bytes = this.#sampleMemory()
    if (bytes === undefined || this.#idleBytes === undefined) return false
    return bytes - this.#idleBytes > this.#limits.memoryMb * MIB + MEMORY_SLACK_BYTES + this.#transitBytes
  }

  #sampleMemory(): number | undefined {
    const bytes = this.#sandbox.residentBytes()
    if (bytes !== undefined && bytes > (this.#peakBytes ?? 0)) this.#peakBytes = bytes
    return bytes
  }

  #nextLook(now: number): number {
    const wall = now + this.#wallLeftMs(now)
    if (this.#turnStartedAt === undefined) return wall
    const compute = now + Math.max(1, this.#limits.computeMs - this.#boundMs(now))
    const memory = this.#idleBytes === undefined ? wall : now + SAMPLE_MS
    return Math.min(wall, compute, memory)
  }

  #armBy(at: number): void {
    if (this.#armedFor <= at) return
    clearTimeout(this.#timer)
    this.#armedFor = at
    const delayMs = Math.min(MAX_TIMER_MS, Math.max(1, Math.ceil(at - performance.now())))
    this.#timer = setTimeout(() => {
      // A host that was busy may have the program's end in its queue: what has arrived is seen before a clock is asked.
      setImmediate(() => this.#look())
    }, delayMs)
  }

  #look(): void {
    this.#armedFor = Number.POSITIVE_INFINITY
    if (this.#stopped) return
    const now = performance.now()
    const spent = this.#spentNow(now)
    if (spent === undefined) {
      this.#armBy(this.#nextLook(now))
      return
    }
    this.#stopped = true
    this.#onSpent(spent)
  }

  #spentNow(now: number): Spent | undefined {
    if (this.#wallLeftMs(now) <= 0) return 'wall'
    if (this.#turnStartedAt === undefined) return undefined
    if (this.#computeSpent(now)) return 'compute'
    return this.#memorySpent() ? 'memory' : undefined
  }
}
