// A sandbox that was taken over writes what it likes to its pipe (contract K3). Every attack costs its own run and its own
// process; the host lives, no binding is called that the program had no right to, and the next run works.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BindingFunction, CodeRunResult } from '../../src/runtime/code-runtime.ts'
import type { Forgery, Step } from '../support/sandbox/forging-engine.ts'
import { forgingEngine, runToy, shareHost, type ToyRun } from '../support/sandbox/hosts.ts'

const host = shareHost({ engine: forgingEngine, spares: 2 })
const rejections: unknown[] = []
const onRejection = (error: unknown): void => void rejections.push(error)
beforeAll(() => void process.on('unhandledRejection', onRejection))
afterAll(() => void process.off('unhandledRejection', onRejection))

const forge = (entries: Forgery['entries'], run: ToyRun = {}): Promise<CodeRunResult> =>
  runToy(host, JSON.stringify({ entries }), run)

/** One entry with these steps that then never ends by itself. */
const attack = (...steps: Step[]): Forgery['entries'] => [{ steps: [...steps, { hang: true }] }]

/** Run ids are the host's numbers, from 1: every run of this file adds one. A forger that knows its number has this one. */
let runs = 0
const turn = (fields: object = {}): object => ({
  type: 'turn',
  run: runs,
  calls: [],
  wakeMs: null,
  cpuUs: 0,
  ...fields,
})

async function expectBroken(entries: (run: number) => Forgery['entries'], rule: string, run?: ToyRun): Promise<void> {
  runs++
  const { error, value } = await forge(entries(runs), run)
  expect(error).toMatchObject({ kind: 'worker-exit', message: expect.stringContaining('broke protocol') })
  expect(error?.message).toContain(rule)
  expect(value).toBeUndefined()
  runs++
  expect(
    await forge([{ turn: { calls: [], wakeMs: null, cpuUs: 0, end: { kind: 'value', text: '"clean"' } } }]),
  ).toMatchObject({
    value: 'clean',
  })
}

describe('[K3] traffic that is no message', () => {
  it.each<[string, Step, string]>([
    ['text', { bytes: [...Buffer.from('Hello, host. I am junk.')] }, 'a frame claims'],
    ['a frame of four gigabytes', { bytes: [255, 255, 255, 255, 2, 0, 0, 0] }, 'a frame claims 4294967295 bytes'],
    ['a frame without a head', { bytes: [4, 0, 0, 0, 0, 0, 0, 0] }, 'no JSON'],
    ['an unknown type', { head: { type: 'start', run: 1 } }, 'unknown type'],
    ['an unknown key', { head: { type: 'ready', version: 1, token: 1 } }, 'unknown key'],
    ['ready again', { head: { type: 'ready', version: 1 } }, 'ready twice'],
    ['a wrong run', { head: { type: 'fatal', run: 2 ** 40, reason: 'memory', message: 0 } }, 'another run'],
    ['a body that is not there', { head: { type: 'log', run: 1, level: 'log', text: 99 } }, 'no valid length'],
    ['a body that nobody named', { head: { type: 'ready', version: 1 }, bodies: ['x'] }, 'more bytes'],
  ])('%s', async (_, step, rule) => {
    await expectBroken(() => attack(step), rule)
  })

  it('of random bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 8, maxLength: 64 }), async (bytes) => {
        runs++
        const { error } = await forge([{ steps: [{ bytes: [...bytes] }, { exit: 0 }] }])
        expect(error?.kind).toBe('worker-exit')
      }),
      { numRuns: 5, seed: 6 },
    )
  })
})

describe('[K3] messages that are out of order', () => {
  const called: unknown[] = []
  const note: BindingFunction = async (argument) => {
    called.push(argument)
    return null
  }
  const tools = { note }
  const call = (n: number, namespace: number, member: number): number[] => [n, namespace, member, 2]
  const calls = (...list: number[][]): Forgery['entries'] =>
    attack({ head: turn({ calls: list.flat() }), bodies: list.map(() => '{}') })

  it.each<[string, () => Forgery['entries'], string]>([
    ['a call of a namespace that is not there', () => calls(call(1, 1, 0)), 'not given'],
    ['a call of a member that is not there', () => calls(call(1, 0, 1)), 'not given'],
    ['a number that is used twice', () => calls(call(1, 0, 0), call(1, 0, 0)), 'do not rise'],
    ['a number that falls', () => calls(call(2, 0, 0), call(1, 0, 0)), 'do not rise'],
    ['a number zero', () => calls(call(0, 0, 0)), 'do not rise'],
    [
      'a second turn',
      () => attack({ head: turn({ wakeMs: 1e6 }) }, { head: turn({ end: { kind: 'value' } }) }),
      'to wait',
    ],
    [
      'a log line between turns',
      () =>
        attack(
          { head: turn({ wakeMs: 1e6 }) },
          { head: { type: 'log', run: runs, level: 'log', text: 1 }, bodies: ['x'] },
        ),
      'to wait',
    ],
    [
      'a fatal message between turns',
      () =>
        attack({ head: turn({ wakeMs: 1e6 }) }, { head: { type: 'fatal', run: runs, reason: 'memory', message: 0 } }),
      'to wait',
    ],
  ])('%s', async (_, entries, rule) => {
    await expectBroken(entries, rule, { tools })
  })

  it('what came before the break was heard, and nothing after it', async () => {
    called.length = 0
    await expectBroken(() => calls(call(1, 0, 0), call(2, 0, 7), call(3, 0, 0)), 'not given', { tools })
    expect(called).toEqual([{}])
  })

  it('a message after the end costs the process, not the run', async () => {
    runs++
    const before = host.pids
    const { value } = await forge([
      {
        steps: [{ later: [{ head: { type: 'log', run: runs, level: 'log', text: 1 }, bodies: ['x'] }] }],
        turn: { calls: [], wakeMs: null, cpuUs: 0, end: { kind: 'value', text: '1' } },
      },
    ])
    expect(value).toBe(1)
    while (before.every((pid) => host.pids.includes(pid))) await new Promise((resolve) => setTimeout(resolve, 5))
    runs++
    expect((await forge([{}])).error).toBeUndefined()
  })
})

describe('[K3] values that are no lossless JSON', () => {
  it.each([['junk'], ['-0'], ['1e999'], ['{"a":'], ['']])('a result %s is invalid-output', async (text) => {
    runs++
    const { error } = await forge([{ turn: { calls: [], wakeMs: null, cpuUs: 0, end: { kind: 'value', text } } }])
    expect(error?.kind).toBe('invalid-output')
  })

  it('an argument fails its call, and dispatches nothing', async () => {
    runs++
    let called = 0
    const note = async (): Promise<null> => {
      called++
      return null
    }
    const turns: Forgery['entries'] = [
      { turn: { calls: [{ call: 1, namespace: 0, member: 0, text: '[-0]' }], wakeMs: null, cpuUs: 0 } },
      {},
    ]
    expect((await forge(turns, { tools: { note } })).error).toBeUndefined()
    expect(called).toBe(0)
  })
})

describe('[K3] floods', () => {
  it('of log lines end at the budget of output', async () => {
    const head = { type: 'log', run: ++runs, level: 'log', text: 1_000 }
    const { error, logs } = await forge(attack({ head, bodies: ['x'.repeat(1_000)], times: 1e6 }), {
      limits: { maxOutputBytes: 100_000 },
    })
    expect(error?.kind).toBe('output-limit')
    expect(logs.length).toBe(100)
  })

  it('of empty log lines end too', async () => {
    const head = { type: 'log', run: ++runs, level: 'log', text: 0 }
    const { error } = await forge(attack({ head, times: 1e6 }), { limits: { maxOutputBytes: 10_000 } })
    expect(error?.kind).toBe('output-limit')
  })

  it('of calls in one turn are refused as a whole', async () => {
    await expectBroken(
      () => attack({ head: turn({ calls: Array.from({ length: 4 * 40_000 }, () => 0) }) }),
      'more than 32768',
    )
  })

  it('of a turn that never ends are cut by the wall', async () => {
    runs++
    const { error } = await forge(attack({ bytes: [200, 0, 0, 0, 100, 0, 0, 0, 123] }), { limits: { maxWallMs: 200 } })
    expect(error?.kind).toBe('timeout')
  })
})

describe('[J2] what a sandbox claims decides no kind', () => {
  it('an entry timeout that no clock of the host knows of is a failed sandbox', async () => {
    const head = { type: 'fatal', run: ++runs, reason: 'entry-timeout', message: 4 }
    const { error } = await forge(attack({ head, bodies: ['late'] }))
    expect(error).toMatchObject({ kind: 'worker-exit', message: expect.stringContaining('late') })
  })

  it('CPU time that it denies is measured', async () => {
    runs++
    const spin: Forgery['entries'] = [{ turn: { calls: [], wakeMs: 1e6, cpuUs: 1e15 } }]
    const { error } = await forge(spin, { limits: { maxWallMs: 200 } })
    expect(error).toMatchObject({ kind: 'timeout', message: expect.stringContaining('maxWallMs') })
  })
})

it('[K8] none of this left a rejection unhandled in the host', () => {
  expect(rejections).toEqual([])
})
