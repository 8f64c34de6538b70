import { afterAll, describe, expect, it } from 'vitest'
import type { EngineFatalError } from '../../../../runtimes/child/engine.ts'
import { createEngine } from '../../../../runtimes/typescript/child/engine.ts'
import type { StartMessage } from '../../../../runtimes/wire/messages.ts'
import { drive, runInEngine } from '../../../support/engine.ts'

const engine = createEngine({ memoryMb: 64 })
afterAll(() => engine.dispose())

const ignore = (): void => {}
function startOf(source: string, more: Partial<StartMessage> = {}): StartMessage {
  return {
    type: 'start',
    run: 1,
    source,
    file: 'program.ts',
    namespaces: [],
    memoryMb: 64,
    entryTimeoutMs: 5_000,
    seed: null,
    now: null,
    ...more,
  }
}

function fatalOf(action: () => unknown): EngineFatalError {
  try {
    action()
  } catch (error) {
    return error as EngineFatalError
  }
  throw new Error('it was not fatal')
}

describe('programs', () => {
  it.each([
    ['return 1', { kind: 'value', text: '1' }],
    ['return "a\\u2028"', { kind: 'value', text: '"a\u2028"' }],
    ['return null', { kind: 'value', text: 'null' }],
    ['', { kind: 'value' }],
    ['return', { kind: 'value' }],
    ['return undefined', { kind: 'value' }],
    ['return await Promise.resolve([])', { kind: 'value', text: '[]' }],
    ['return Promise.resolve({ a: 1 })', { kind: 'value', text: '{"a":1}' }],
    [
      'return { a: undefined }',
      { kind: 'invalid-output', message: 'result.a is undefined: leave it out, or use null' },
    ],
    ['// a comment at the end', { kind: 'value' }],
    ['return typeof this + arguments.length', { kind: 'value', text: '"undefined0"' }],
  ])('[J1] %j ends as it says', (source, end) => {
    expect(runInEngine(source).end).toEqual(end)
  })

  it('[J1] programs are strict', () => {
    expect(runInEngine('undeclared = 1').end).toMatchObject({ name: 'ReferenceError' })
    expect(runInEngine('with ({}) {}').end).toMatchObject({ name: 'SyntaxError', stack: '    at program.ts:1:1' })
  })

  it('[L1] what V8 refuses is a SyntaxError with its place, and nothing has run', () => {
    const { end, logs } = runInEngine('console.log("ran")\n\n  let a = 1; let a = 2')
    expect(end).toEqual({
      kind: 'exception',
      name: 'SyntaxError',
      message: "Identifier 'a' has already been declared",
      stack: '    at program.ts:3:18',
    })
    expect(logs).toEqual([])
  })

  it.each(['my program.ts', 'a [b] (c):d.ts', 'ünï.ts', ' '])('[L1] the file is called %j in stacks, too', (file) => {
    expect(runInEngine('throw new Error("x")', { file }).end).toMatchObject({ stack: `    at ${file}:1:7` })
    expect(runInEngine('let a; let a', { file }).end).toMatchObject({
      stack: `    at ${file}:1:12`,
      message: "Identifier 'a' has already been declared",
    })
  })

  it.each([
    ['an Error', 'throw new TypeError("no")', 'TypeError', 'no'],
    [
      'one with causes',
      'throw new Error("a", { cause: new RangeError("b", { cause: "c" }) })',
      'Error',
      "a\nCaused by: RangeError: b\nCaused by: 'c'",
    ],
    ['many in one', 'throw new AggregateError([new Error("a"), 2], "both")', 'AggregateError', 'both\n- Error: a\n- 2'],
    ['one with a name of its own', 'class MyError extends Error { name = "Mine" } throw new MyError("x")', 'Mine', 'x'],
    ['a text', 'throw "just text"', '', "'just text' was thrown, which is no Error"],
    ['an object', 'throw { code: 5 }', '', '{ code: 5 } was thrown, which is no Error'],
    ['nothing', 'throw undefined', '', 'undefined was thrown, which is no Error'],
  ])('[J2] [L1] %s that is thrown', (_what, source, name, message) => {
    expect(runInEngine(source).end).toMatchObject({ kind: 'exception', name, message })
  })

  it('[K9] a rejection that nothing handles is a warning with its place, and the run goes on', () => {
    const { logs, value } = runInEngine(
      'async function lost() {\n  throw new TypeError("lost")\n}\nvoid lost()\nreturn "done"',
    )
    expect(value).toBe('done')
    expect(logs).toEqual(['warn: Unhandled rejection: TypeError: lost\n    at lost (program.ts:2:9)'])
  })

  it('[K8] [K9] a call that fails before it is awaited ends nothing', () => {
    const { value } = runInEngine(
      `const slow = tools.slow(), failing = tools.fail()
      await slow
      await tools.slow()
      return await failing.catch((error) => error.message)`,
      {
        tools: {
          slow: () => 1,
          fail: () => {
            throw new Error('early')
          },
        },
      },
    )
    expect(value).toBe('early')
  })
})

describe('ends of the isolate', () => {
  it.each([
    ['for (;;) {}'],
    ['await 0; for (;;) {}'],
    ['queueMicrotask(function again() { queueMicrotask(again) }); await new Promise(() => {})'],
    ['/(a+)+$/.test("a".repeat(40) + "b")'],
  ])('[K2] %s outlives its entry', (source) => {
    expect(fatalOf(() => drive(createEngine({ memoryMb: 64 }), source, { entryTimeoutMs: 200 }))).toMatchObject({
      name: 'EngineFatalError',
      reason: 'entry-timeout',
    })
  })

  it('[K2] so does one that is entered by an answer, or by a timer', () => {
    const tools = { x: () => 1 }
    for (const source of [
      'await tools.x(); for (;;) {}',
      'setTimeout(() => { for (;;) {} }, 1); await new Promise(() => {})',
    ]) {
      expect(
        fatalOf(() => drive(createEngine({ memoryMb: 64 }), source, { entryTimeoutMs: 200, tools })),
      ).toMatchObject({
        reason: 'entry-timeout',
      })
    }
  })

  it('[K2] one that fills its heap', () => {
    expect(
      fatalOf(() => drive(createEngine({ memoryMb: 32 }), 'const a = []; for (;;) a.push({})', { memoryMb: 32 })),
    ).toMatchObject({ reason: 'memory' })
  })

  it('[K8] a log that cannot be written is a failure of the engine, and no error of the program', () => {
    const seen: string[] = []
    const error = fatalOf(() =>
      engine.start(
        startOf('try { console.log("x") } catch (e) { globalThis.caught = e.stack } return typeof caught'),
        () => {
          seen.push('called')
          throw new Error('EPIPE: /secret/path')
        },
      ),
    )
    expect(error).toMatchObject({ name: 'EngineFatalError', reason: 'engine' })
    expect(seen).toEqual(['called'])
    engine.end()
  })

  it('answers without a program are a failure of the engine', () => {
    const idle = createEngine({ memoryMb: 64 })
    const wake = { type: 'deliver', run: 1, answers: [], wake: true, entryTimeoutMs: 100 } as const
    expect(fatalOf(() => idle.deliver(wake))).toMatchObject({ reason: 'engine' })
  })
})

describe('standby', () => {
  it('[J4] each program has an isolate of its own, prepared or not', () => {
    for (let run = 0; run < 5; run++) {
      if (run % 2 === 0) engine.prepare()
      engine.prepare()
      const turn = engine.start(
        startOf('const before = globalThis.left; globalThis.left = 1; return before ?? "clean"'),
        ignore,
      )
      expect(turn.end).toEqual({ kind: 'value', text: '"clean"' })
      engine.end()
      engine.end()
    }
  })

  it('[J4] a start gives up what was there before', () => {
    engine.start(startOf('await new Promise(() => {})'), ignore)
    expect(engine.start(startOf('return 2'), ignore).end).toEqual({ kind: 'value', text: '2' })
    engine.end()
  })

  it('[J1] a run with another memory limit has an isolate with that limit', () => {
    engine.prepare()
    const hold = 'const a = []; for (let i = 0; i < 40; i++) a.push(new Uint8Array(1e6).fill(1)); return a.length'
    expect(engine.start(startOf(hold, { memoryMb: 256 }), ignore).end).toEqual({ kind: 'value', text: '40' })
    engine.end()
    expect(engine.start(startOf(hold, { memoryMb: 16 }), ignore).end).toMatchObject({
      kind: 'exception',
      name: 'RangeError',
    })
    engine.end()
  })

  it('[H10] CPU time is what the program used', () => {
    const idle = engine.start(startOf('return 1'), ignore)
    engine.end()
    const busy = engine.start(startOf('const end = Date.now() + 60; while (Date.now() < end); return 1'), ignore)
    engine.end()
    expect(idle.cpuUs).toBeGreaterThan(0)
    expect(Number.isInteger(busy.cpuUs)).toBe(true)
    expect(busy.cpuUs).toBeGreaterThan(idle.cpuUs)
  })

  it('[H8] calls leave by turn, and those made after the end do not', () => {
    const namespaces = [{ global: 'tools', members: ['x'] }]
    const turn = engine.start(startOf('tools.x({ n: 1 }); tools.x({ n: 2 }); return "end"', { namespaces }), ignore)
    expect(turn.calls.map((call) => call.text)).toEqual(['{"n":1}', '{"n":2}'])
    expect(turn.end).toEqual({ kind: 'value', text: '"end"' })
    engine.end()
  })

  it('[K3] answers that match no open call are dropped, and each call is answered once', () => {
    const namespaces = [{ global: 'tools', members: ['x'] }]
    engine.start(startOf('return [await tools.x(), await tools.x()]', { namespaces }), ignore)
    const answers = [
      { call: 7, ok: true, text: '"nobody"' },
      { call: 1, ok: true, text: '"first"' },
      { call: 1, ok: true, text: '"again"' },
      { call: 1, ok: false, text: 'again' },
    ]
    const deliver = { type: 'deliver', run: 1, wake: false, entryTimeoutMs: 1_000 } as const
    expect(engine.deliver({ ...deliver, answers }).calls).toMatchObject([{ call: 2 }])
    expect(engine.deliver({ ...deliver, answers: [{ call: 2, ok: true, text: '"second"' }] }).end).toEqual({
      kind: 'value',
      text: '["first","second"]',
    })
    engine.end()
  })

  it('[H3] ten thousand calls in one turn are answered in one delivery', () => {
    const { value, turns } = runInEngine(
      'return (await Promise.all(Array.from({ length: 10_000 }, (_, i) => tools.echo(i)))).reduce((a, b) => a + b)',
      { tools: { echo: (n) => n } },
    )
    expect([value, turns]).toEqual([49_995_000, 2])
  })
})
