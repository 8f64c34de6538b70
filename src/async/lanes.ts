// The scheduler of contract D15: which jobs may overlap, and in which order they pass their phases. Used for batches of
// native calls and for the sub-calls of a program (src/pipeline/scheduler.ts), so that both run under one contract.
// It knows nothing of tools: a job says how it may be scheduled and passes its phases in order.
//
//   queue ──▶ start to dispatch ─▶ dispatch ─────▶ post ─────────▶ done
//             one at a time,       parallel jobs   one at a time,
//             in order of          overlap up to   in order of
//             submission           the cap         completion
//
// A job that waits before its dispatch holds back later starts only. An exclusive job starts when nothing else is active
// and bars later ones until it is done. A job counts against the cap from its start until it is done.

/** How a job may be scheduled beside its neighbours. */
export type LaneMode = 'parallel' | 'exclusive'

/**
 * What a started job calls as it goes: each phase at most once, in this order. Whatever `fn` answers comes back.
 * What a job does before `dispatch` is one job at a time, in order of submission.
 */
export interface LanePhases {
  /** The part that overlaps with other parallel jobs. The next job starts as soon as `fn` has been called. */
  dispatch<T>(fn: () => Promise<T>): Promise<T>
  /** The part that is one job at a time, in order of completion. */
  post<T>(fn: () => Promise<T>): Promise<T>
}

/** One piece of work. */
export interface LaneJob<R> {
  /** Asked once, when the job is next to start. A throw means exclusive. */
  mode(): LaneMode
  /** The work. A job that never dispatches holds back later starts until it settles. */
  run(phases: LanePhases): Promise<R>
  /** Called just before `run`; must not throw. */
  onStart?(): void
}

/** Why a job was not started. Nothing of it ran. */
export class LaneClosedError extends Error {
  /** `abandoned`: it was queued when the lanes closed. `late`: it was submitted afterwards. */
  readonly state: 'abandoned' | 'late'
  /** What `close` was given. */
  readonly reason: unknown

  constructor(state: 'abandoned' | 'late', reason: unknown) {
    super(state === 'late' ? 'submitted after the end' : 'abandoned in the queue, never started')
    this.name = 'LaneClosedError'
    this.state = state
    this.reason = reason
  }
}

/** Default of `maxParallel` (contract H3, R2). */
export const DEFAULT_MAX_PARALLEL = 10

interface Waiting {
  readonly job: LaneJob<unknown>
  readonly resolve: (value: any) => void
  readonly reject: (reason: unknown) => void
  mode?: LaneMode
}

/** One scheduler for the jobs of one owner (a batch, a program). */
export class Lanes {
  readonly maxParallel: number
  readonly #queue = new Set<Waiting>()
  #active = 0
  #exclusive = false
  #starting = false
  #pumping = false
  #posts: Promise<void> | undefined
  #closed: { readonly reason: unknown } | undefined
  #idle: (() => void)[] = []

  /** Throws a RangeError unless `maxParallel` (default 10) is a positive integer. */
  constructor(options: { readonly maxParallel?: number | undefined } = {}) {
    const { maxParallel = DEFAULT_MAX_PARALLEL } = options
    if (!Number.isSafeInteger(maxParallel) || maxParallel < 1) {
      throw new RangeError(`maxParallel must be a positive integer, got ${String(maxParallel)}`)
    }
    this.maxParallel = maxParallel
  }

  /** Jobs that have started and are not done. */
  get active(): number {
    return this.#active
  }

  /** Jobs that have not started. */
  get queued(): number {
    return this.#queue.size
  }

  /** Queues a job. Settles as its `run` does, or rejects with a {@link LaneClosedError} when it never started. */
  submit<R>(job: LaneJob<R>): Promise<R> {
    if (this.#closed !== undefined) return Promise.reject(new LaneClosedError('late', this.#closed.reason))
    return new Promise<R>((resolve, reject) => {
      this.#queue.add({ job, resolve, reject })
      this.#pump()
    })
  }

  /** Abandons what is queued and refuses what comes later; started jobs go on. Only the first call counts. */
  close(reason?: unknown): void {
    if (this.#closed !== undefined) return
    this.#closed = { reason }
    const abandoned = [...this.#queue]
    this.#queue.clear()
    for (const waiting of abandoned) waiting.reject(new LaneClosedError('abandoned', reason))
    this.#settleIdle()
  }

  /** Resolves when nothing is active and nothing queued. After {@link close}: when every started job is done. */
  drain(): Promise<void> {
    if (this.#active === 0 && this.#queue.size === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#idle.push(resolve)
    })
  }

  #pump(): void {
    if (this.#pumping) return
    this.#pumping = true
    try {
      for (let next = this.#startable(); next !== undefined; next = this.#startable()) this.#start(next)
    } finally {
      this.#pumping = false
    }
  }

  /** The head of the queue, if it may start now. Later jobs never overtake it. */
  #startable(): Waiting | undefined {
    if (this.#starting || this.#exclusive) return undefined
    const head = this.#queue.values().next().value
    if (head === undefined) return undefined
    head.mode ??= modeOf(head.job)
    // The job's own code ran; it may have closed the lanes.
    if (this.#closed !== undefined) return undefined
    return this.#active < (head.mode === 'exclusive' ? 1 : this.maxParallel) ? head : undefined
  }

  #start(waiting: Waiting): void {
    this.#queue.delete(waiting)
    this.#active += 1
    this.#starting = true
    this.#exclusive = waiting.mode === 'exclusive'
    const phases = new Passage(this.#startNext, this.#enterPost)
    const done = (): void => {
      phases.endStart()
      this.#active -= 1
      if (waiting.mode === 'exclusive') this.#exclusive = false
      this.#pump()
      this.#settleIdle()
    }
    waiting.job.onStart?.()
    running(waiting.job, phases).then(
      (value) => {
        waiting.resolve(value)
        done()
      },
      (thrown: unknown) => {
        waiting.reject(thrown)
        done()
      },
    )
  }

  readonly #startNext = (): void => {
    this.#starting = false
    this.#pump()
  }

  readonly #enterPost = async <T>(fn: () => Promise<T>): Promise<T> => {
    const earlier = this.#posts
    let leave!: () => void
    const mine = new Promise<void>((resolve) => {
      leave = resolve
    })
    this.#posts = mine
    if (earlier !== undefined) await earlier
    try {
      return await fn()
    } finally {
      if (this.#posts === mine) this.#posts = undefined
      leave()
    }
  }

  #settleIdle(): void {
    if (this.#active > 0 || this.#queue.size > 0) return
    for (const resolve of this.#idle.splice(0)) resolve()
  }
}

/** The phases of one started job. */
class Passage implements LanePhases {
  #starting = true
  readonly #startNext: () => void
  readonly #enterPost: LanePhases['post']

  constructor(startNext: () => void, enterPost: LanePhases['post']) {
    this.#startNext = startNext
    this.#enterPost = enterPost
  }

  /** Lets the next job start. Idempotent. */
  endStart(): void {
    if (!this.#starting) return
    this.#starting = false
    this.#startNext()
  }

  dispatch<T>(fn: () => Promise<T>): Promise<T> {
    // Called before the next job starts, so that bodies begin in order of submission too.
    try {
      return fn()
    } finally {
      this.endStart()
    }
  }

  post<T>(fn: () => Promise<T>): Promise<T> {
    this.endStart()
    return this.#enterPost(fn)
  }
}

/** The job's run, a synchronous throw included. */
async function running(job: LaneJob<unknown>, phases: LanePhases): Promise<unknown> {
  return job.run(phases)
}

function modeOf(job: LaneJob<unknown>): LaneMode {
  try {
    return job.mode() === 'parallel' ? 'parallel' : 'exclusive'
  } catch {
    return 'exclusive'
  }
}
