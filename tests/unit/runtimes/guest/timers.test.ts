// Timers run on a fixed clock here (`now`), where their order is a function of the program; the harness wakes it without waiting.
import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../../runtimes/typescript/child/engine.ts'
import { runInEngine } from '../../../support/engine.ts'

const NOW = 1_000_000

describe('order', () => {
  it('[L3] [J7] timers fire in the order in which they are due, ties in the order of arming', () => {
    const { value } = runInEngine(
      `const order = []
      for (const [name, ms] of [['c', 30], ['a', 10], ['d', 30], ['b', 20], ['now', 0]]) setTimeout(() => order.push(name), ms)
      await new Promise((resolve) => setTimeout(resolve, 40))
      return order`,
      { now: NOW },
    )
    expect(value).toEqual(['now', 'a', 'b', 'c', 'd'])
  })

  it('[L3] microtasks drain between two timers that are due together', () => {
    const { value } = runInEngine(
      `const order = []
      setTimeout(() => { order.push('first'); queueMicrotask(() => order.push('micro')); Promise.resolve().then(() => order.push('then')) }, 5)
      setTimeout(() => order.push('second'), 5)
      await new Promise((resolve) => setTimeout(resolve, 6))
      return order`,
      { now: NOW },
    )
    expect(value).toEqual(['first', 'micro', 'then', 'second'])
  })

  it('[J7] the clock stands still but for the timers that fire', () => {
    const { value } = runInEngine(
      `const at = [Date.now()]
      for (let i = 0; i < 1e5; i++);
      at.push(Date.now())
      await tools.slow()
      at.push(Date.now())
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      at.push(Date.now(), new Date().getTime())
      return at.map((ms) => ms - ${NOW})`,
      { now: NOW, tools: { slow: () => 1 } },
    )
    expect(value).toEqual([0, 0, 0, 1_500, 1_500])
  })

  it('[J7] any set of delays fires in due order', () => {
    const { value } = runInEngine(
      `const delays = Array.from({ length: 500 }, (_, i) => (i * 7919) % 251)
      const fired = []
      delays.forEach((ms, i) => setTimeout(() => fired.push([ms, i]), ms))
      await new Promise((resolve) => setTimeout(resolve, 300))
      return [fired, delays]`,
      { now: NOW },
    )
    const [fired, delays] = value as [[number, number][], number[]]
    const expected = delays.map((ms, i): [number, number] => [ms, i]).sort((a, b) => a[0] - b[0] || a[1] - b[1])
    expect(fired).toEqual(expected)
  })
})

describe('arming and clearing', () => {
  it('[L3] ids are numbers, arguments are passed on, and this is undefined', () => {
    const { value } = runInEngine(
      `const id = setTimeout(() => {}, 1)
      const got = await new Promise((resolve) => setTimeout(function (...args) { resolve([this === undefined, ...args]) }, 1, 'a', 2))
      return [typeof id, typeof setInterval(() => {}, 1e9), got]`,
      { now: NOW },
    )
    expect(value).toEqual(['number', 'number', [true, 'a', 2]])
  })

  it('[L3] a cleared timer never fires, whichever function clears it, from wherever', () => {
    const { value } = runInEngine(
      `const fired = []
      const a = setTimeout(() => fired.push('a'), 1), b = setInterval(() => fired.push('b'), 1)
      clearInterval(a); clearTimeout(b)
      const d = setTimeout(() => fired.push('d'), 3)
      setTimeout(() => clearTimeout(d), 2)
      clearTimeout(); clearTimeout(null); clearTimeout(12345); clearTimeout('x'); clearTimeout({})
      await new Promise((resolve) => setTimeout(resolve, 5))
      return fired`,
      { now: NOW },
    )
    expect(value).toEqual([])
  })

  it('[L3] an interval fires until it is cleared, also by itself', () => {
    const { value } = runInEngine(
      `const at = []
      const start = Date.now()
      await new Promise((resolve) => {
        const id = setInterval((label) => { at.push([label, Date.now() - start]); if (at.length === 3) { clearInterval(id); resolve() } }, 10, 'x')
      })
      await new Promise((resolve) => setTimeout(resolve, 100))
      return at`,
      { now: NOW },
    )
    expect(value).toEqual([
      ['x', 10],
      ['x', 20],
      ['x', 30],
    ])
  })

  it.each(['undefined', 'NaN', '-5', '"no number"', 'null', '-Infinity'])('[L3] a delay of %s is none', (delay) => {
    expect(
      runInEngine(`await new Promise((resolve) => setTimeout(resolve, ${delay})); return Date.now()`, { now: NOW })
        .value,
    ).toBe(NOW)
  })

  it.each(['2 ** 31', '1e15', 'Infinity', 'Number.MAX_VALUE'])(
    '[L3] a delay of %s does not fire at once, and what is due sooner does',
    (delay) => {
      const { value } = runInEngine(
        `let early = false
      setTimeout(() => { early = true }, ${delay})
      await new Promise((resolve) => setTimeout(resolve, 1000))
      return early`,
        { now: NOW },
      )
      expect(value).toBe(false)
    },
  )

  it.each([
    ['setTimeout("code")', 'setTimeout needs a function, got string'],
    ['setInterval()', 'setInterval needs a function, got undefined'],
    ['queueMicrotask({})', 'queueMicrotask needs a function, got object'],
  ])('[L3] %s is a TypeError', (call, message) => {
    expect(runInEngine(call).end).toMatchObject({ kind: 'exception', name: 'TypeError', message })
  })

  it('[K9] what a timer or a microtask throws is a warning, and the rest goes on', () => {
    const { logs, value } = runInEngine(
      `setTimeout(() => { throw new TypeError('in a timer') }, 1)
      queueMicrotask(() => { throw 'in a microtask' })
      await new Promise((resolve) => setTimeout(resolve, 2))
      return 'done'`,
      { now: NOW },
    )
    expect(value).toBe('done')
    expect(logs).toEqual([
      "warn: Uncaught in a timer or microtask: 'in a microtask'",
      'warn: Uncaught in a timer or microtask: TypeError: in a timer',
    ])
  })
})

describe('what the host is told', () => {
  const start = {
    type: 'start',
    run: 1,
    file: 'program.ts',
    namespaces: [],
    memoryMb: 64,
    entryTimeoutMs: 5_000,
    seed: null,
    now: null,
  } as const
  const wake = { type: 'deliver', run: 1, answers: [], wake: true, entryTimeoutMs: 5_000 } as const
  const ignore = (): void => {}

  it('[J8] how long until the next timer, null for none, and again after each wake', () => {
    const engine = createEngine({ memoryMb: 64 })
    try {
      const first = engine.start(
        {
          ...start,
          source:
            'setTimeout(() => {}, 5_000); const id = setTimeout(() => {}, 1_000); await new Promise((r) => setTimeout(r, 9_000)); clearTimeout(id)',
        },
        ignore,
      )
      expect(first.wakeMs).toBeGreaterThan(900)
      expect(first.wakeMs).toBeLessThanOrEqual(1_000)
      // A wake says that the time has come, whatever the clock says: one timer is gone.
      const second = engine.deliver(wake)
      expect(second.wakeMs).toBeGreaterThan(4_900)
      expect(engine.deliver(wake).wakeMs).toBeGreaterThan(8_900)
      expect(engine.deliver(wake)).toMatchObject({ wakeMs: null, end: { kind: 'value' } })
    } finally {
      engine.dispose()
    }
  })

  it('[L3] the longest wake is what a timer of the host can wait', () => {
    const engine = createEngine({ memoryMb: 64 })
    try {
      const { wakeMs } = engine.start({ ...start, source: 'await new Promise((r) => setTimeout(r, 1e12))' }, ignore)
      expect(wakeMs).toBe(2 ** 31 - 1)
    } finally {
      engine.dispose()
    }
  })

  it('[L3] without a wake nothing fires', () => {
    const engine = createEngine({ memoryMb: 64 })
    try {
      engine.start(
        { ...start, source: 'setTimeout(() => console.log("fired"), 0); await new Promise(() => {})' },
        (_level, text) => {
          throw new Error(`logged ${text}`)
        },
      )
      expect(engine.deliver({ ...wake, wake: false }).end).toBeUndefined()
    } finally {
      engine.dispose()
    }
  })

  it('[J8] a timer that rearms itself at once fires once a wake', () => {
    const { turns, value } = runInEngine(
      'let n = 0; await new Promise((resolve) => { const again = () => (++n === 5 ? resolve() : setTimeout(again, 0)); again() }); return n',
      { now: NOW },
    )
    expect([value, turns]).toEqual([5, 5])
  })
})
