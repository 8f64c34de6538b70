// The pool over sandboxes that a test starts, readies and ends by hand: order, caps and healing are forced, not awaited.
import { describe, expect, it, vi } from 'vitest'
import { type Lease, type PoolOptions, SandboxPool } from '../../../../runtimes/host/pool.ts'
import type { Sandbox, SandboxExit } from '../../../../runtimes/host/sandbox.ts'
import { until } from '../../../support/sandbox/processes.ts'

class HandSandbox implements Sandbox {
  readonly isolation = 'process'
  readonly pid = undefined
  readonly ready: Promise<void>
  readonly exited: Promise<SandboxExit>
  dead = false
  refs = true
  bytes = 50_000_000
  becomeReady!: () => void
  failToStart!: (error: Error) => void
  #leave!: (exit: SandboxExit) => void

  constructor() {
    this.ready = new Promise((resolve, reject) => {
      this.becomeReady = resolve
      this.failToStart = reject
    })
    this.exited = new Promise((resolve) => {
      this.#leave = resolve
    })
  }

  die(stderr = ''): void {
    this.dead = true
    this.#leave({ code: 1, signal: null, stderr })
  }

  kill(): Promise<SandboxExit> {
    this.die()
    return this.exited
  }

  listen(): void {}
  send(): void {}
  cpuMs(): undefined {}
  residentBytes(): number {
    return this.bytes
  }
  setRef(ref: boolean): void {
    this.refs = ref
  }
}

/** Lets all promises that can settle do so. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function makePool(options: Partial<PoolOptions> = {}): { pool: SandboxPool; made: HandSandbox[]; logs: string[] } {
  const made: HandSandbox[] = []
  const logs: string[] = []
  const create = (): Sandbox => {
    const sandbox = new HandSandbox()
    made.push(sandbox)
    return sandbox
  }
  const pool = new SandboxPool({
    create,
    maxSandboxes: 4,
    spares: 1,
    recycleAfterRuns: 100,
    log: (m) => logs.push(m),
    ...options,
  })
  return { pool, made, logs }
}

/** Notes the order in which acquisitions came through. */
function acquire(pool: SandboxPool, got: string[], name: string, signal?: AbortSignal): Promise<Lease | Error> {
  return pool.acquire(signal).then(
    (lease) => {
      got.push(name)
      return lease
    },
    (error: Error) => {
      got.push(`${name}: ${(error as Error & { code: string }).code}`)
      return error
    },
  )
}

describe('a pool', () => {
  it('starts nothing until it is asked, then one for whoever waits, then the spare', async () => {
    const { pool, made } = makePool()
    expect(made).toHaveLength(0)
    const lease = pool.acquire()
    expect(made).toHaveLength(1)
    made[0]!.becomeReady()
    expect((await lease).sandbox).toBe(made[0])
    expect(made).toHaveLength(2)
  })

  it('starts its spares when it is warmed', () => {
    const { pool, made } = makePool({ spares: 2 })
    pool.warm()
    pool.warm()
    expect(made).toHaveLength(2)
  })

  it('lends in the order in which callers came, and never above the cap', async () => {
    const { pool, made } = makePool({ maxSandboxes: 2, spares: 1 })
    const got: string[] = []
    const leases = ['a', 'b', 'c', 'd'].map((name) => acquire(pool, got, name))
    expect(made).toHaveLength(2)
    for (const sandbox of made) sandbox.becomeReady()
    await settle()
    expect(got).toEqual(['a', 'b'])
    pool.release(((await leases[0]) as Lease).sandbox, true)
    await settle()
    expect(got).toEqual(['a', 'b', 'c'])
    pool.release(((await leases[1]) as Lease).sandbox, false)
    await settle()
    expect(made).toHaveLength(3)
    made[2]!.becomeReady()
    await settle()
    expect(got).toEqual(['a', 'b', 'c', 'd'])
    expect(((await leases[3]) as Lease).queuedMs).toBeGreaterThan(0)
  })

  it('lends the one that has been idle longest, and waits for nothing then', async () => {
    const { pool, made } = makePool({ spares: 2 })
    pool.warm()
    for (const sandbox of made) sandbox.becomeReady()
    await settle()
    const first = await pool.acquire()
    expect(first).toEqual({ sandbox: made[0], queuedMs: 0 })
    pool.release(first.sandbox, true)
    expect((await pool.acquire()).sandbox).toBe(made[1])
  })

  it('keeps the event loop alive for leases and for those who wait, not when idle', async () => {
    const { pool, made } = makePool({ spares: 1 })
    pool.warm()
    expect(made[0]!.refs).toBe(false)
    const lease = pool.acquire()
    expect(made[0]!.refs).toBe(true)
    made[0]!.becomeReady()
    const { sandbox } = await lease
    expect(made.map(({ refs }) => refs)).toEqual([true, false])
    pool.release(sandbox, true)
    expect(made[0]!.refs).toBe(false)
  })

  it.each<[string, (sandbox: HandSandbox) => void, boolean]>([
    ['ended in a failure', () => {}, false],
    ['is dead', (sandbox) => sandbox.die(), true],
    ['has grown', (sandbox) => (sandbox.bytes += 65 * 1024 * 1024), true],
  ])('[K10] does not lend again what %s', async (_, harm, reusable) => {
    const { pool, made } = makePool({ spares: 0 })
    const lease = pool.acquire()
    made[0]!.becomeReady()
    const { sandbox } = await lease
    harm(made[0]!)
    pool.release(sandbox, reusable)
    expect(made[0]!.dead).toBe(true)
    const next = pool.acquire()
    await settle()
    made[1]!.becomeReady()
    expect((await next).sandbox).toBe(made[1])
  })

  it('replaces a sandbox after its share of runs', async () => {
    const { pool, made } = makePool({ spares: 0, recycleAfterRuns: 2 })
    const first = pool.acquire()
    made[0]!.becomeReady()
    pool.release((await first).sandbox, true)
    pool.release((await pool.acquire()).sandbox, true)
    expect(made[0]!.dead).toBe(true)
  })

  it('ignores what is given back twice', async () => {
    const { pool, made } = makePool({ spares: 0, maxSandboxes: 1 })
    const lease = pool.acquire()
    made[0]!.becomeReady()
    const { sandbox } = await lease
    pool.release(sandbox, true)
    pool.release(sandbox, true)
    const got: string[] = []
    void acquire(pool, got, 'a')
    void acquire(pool, got, 'b')
    await settle()
    expect(got).toEqual(['a'])
  })

  it('lets who aborts leave the queue', async () => {
    const { pool, made } = makePool({ maxSandboxes: 1 })
    const abort = new AbortController()
    const got: string[] = []
    void acquire(pool, got, 'a', abort.signal)
    void acquire(pool, got, 'b')
    abort.abort()
    made[0]!.becomeReady()
    await settle()
    expect(got).toEqual(['a: ABORTED_BEFORE_DISPATCH', 'b'])
  })
})

describe('[K4] a pool heals', () => {
  it('when an idle sandbox dies, after a pause', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const { pool, made, logs } = makePool()
      pool.warm()
      made[0]!.becomeReady()
      await settle()
      made[0]!.die('out of luck')
      await settle()
      expect(logs).toEqual(['An idle sandbox died. out of luck'])
      expect(made).toHaveLength(1)
      vi.advanceTimersByTime(100)
      expect(made).toHaveLength(2)
    } finally {
      vi.useRealTimers()
    }
  })

  it('tries a start again later each time, tells those who wait after three, and goes on when asked', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const { pool, made, logs } = makePool()
      const got: string[] = []
      const lease = acquire(pool, got, 'a')
      const failed: number[] = []
      for (const [index, pauseMs] of [100, 200, 400].entries()) {
        made[index]!.failToStart(new Error('spawn /usr/local/bin/node ENOENT'))
        await settle()
        failed.push(made.length)
        vi.advanceTimersByTime(pauseMs - 1)
        failed.push(made.length)
        vi.advanceTimersByTime(1)
      }
      expect(failed).toEqual([1, 1, 2, 2, 3, 3])
      expect(got).toEqual(['a: SANDBOX_START'])
      expect(((await lease) as Error).message).toContain('spawn <path> ENOENT')
      expect(logs[0]).toContain('/usr/local/bin/node')
      expect(made).toHaveLength(3)
      void acquire(pool, got, 'b')
      expect(made).toHaveLength(4)
      made[3]!.becomeReady()
      await settle()
      expect(got.at(-1)).toBe('b')
    } finally {
      vi.useRealTimers()
    }
  })

  it('counts a sandbox that was gone before it was ready once', async () => {
    const { pool, made, logs } = makePool()
    const lease = pool.acquire()
    made[0]!.die()
    made[0]!.failToStart(new Error('gone'))
    await settle()
    expect([made.length, logs.length]).toEqual([1, 1])
    await until(() => made.length === 2)
    made[1]!.becomeReady()
    expect((await lease).sandbox).toBe(made[1])
  })

  it('survives a factory that throws', async () => {
    const { pool } = makePool({
      create: () => {
        throw new Error('E2BIG')
      },
    })
    const error = await pool.acquire().catch((reason: Error) => reason)
    expect(error).toMatchObject({ code: 'SANDBOX_START', message: expect.stringContaining('E2BIG') })
  })
})

describe('the disposal of a pool', () => {
  it('ends all that it has and turns away all who come', async () => {
    const { pool, made } = makePool({ spares: 2, maxSandboxes: 3 })
    pool.warm()
    made[0]!.becomeReady()
    await settle()
    await pool.acquire()
    const got: string[] = []
    void acquire(pool, got, 'waiting')
    const disposal = pool.dispose()
    expect(pool.dispose()).toBe(disposal)
    await disposal
    expect(made.map(({ dead }) => dead)).not.toContain(false)
    void acquire(pool, got, 'late')
    await settle()
    expect(got).toEqual(['waiting: RUNTIME_DISPOSED', 'late: RUNTIME_DISPOSED'])
  })

  it('lets idle sandboxes beyond the spares go after a while', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    try {
      const { pool, made } = makePool({ spares: 1 })
      const leases = [pool.acquire(), pool.acquire(), pool.acquire()]
      for (const sandbox of made) sandbox.becomeReady()
      for (const lease of leases) pool.release((await lease).sandbox, true)
      vi.advanceTimersByTime(29_000)
      expect(made.filter(({ dead }) => dead)).toHaveLength(0)
      vi.advanceTimersByTime(32_000)
      expect(made.slice(0, 3).map(({ dead }) => dead)).toEqual([true, true, false])
    } finally {
      vi.useRealTimers()
    }
  })
})
