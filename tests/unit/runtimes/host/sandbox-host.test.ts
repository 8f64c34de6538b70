// Runs over real sandboxes, in both isolations. What only a process can promise stands in tests/security.
import { beforeAll, describe, expect, it } from 'vitest'
import type { BindingFunction } from '../../../../src/runtime/code-runtime.ts'
import { makeHost, runToy, shareHost } from '../../../support/sandbox/hosts.ts'

const echo: BindingFunction = async (argument) => argument
const never: BindingFunction = () => new Promise(() => {})

let rejections: unknown[] = []
beforeAll(() => {
  rejections = []
  process.on('unhandledRejection', (error) => rejections.push(error))
})

describe.each(['process', 'in-process'] as const)('a program in a sandbox, %s', (isolation) => {
  const host = shareHost({ isolation, memoryMb: 64 })

  it('[J2] returns a value, or nothing', async () => {
    expect(await runToy(host, 'return { a: [1, "ü", null] }')).toMatchObject({ value: { a: [1, 'ü', null] }, logs: [] })
    const nothing = await runToy(host, 'log("done")')
    expect(nothing).not.toHaveProperty('value')
    expect(nothing).not.toHaveProperty('error')
    expect(nothing.logs).toEqual(['done'])
  })

  it('[J2] that throws, or does not compile, is an exception', async () => {
    const threw = await runToy(host, 'log("before"); throw new RangeError("no")')
    expect(threw).toMatchObject({
      logs: ['before'],
      error: { kind: 'exception', name: 'RangeError', message: 'RangeError: no' },
    })
    expect((await runToy(host, 'return ]')).error).toMatchObject({ kind: 'exception', name: 'SyntaxError' })
  })

  it('has its exception described by the language, and falls back when that throws', async () => {
    const describeException = ({ message }: { message: string }) => ({
      message: `mapped ${message}`,
      line: 7,
      column: 2,
    })
    expect((await runToy(host, 'throw Error("x")', { describeException })).error).toEqual({
      kind: 'exception',
      message: 'mapped x',
      line: 7,
      column: 2,
    })
    const broken = (): never => {
      throw new Error('mapper')
    }
    expect((await runToy(host, 'throw Error("x")', { describeException: broken })).error).toMatchObject({
      message: 'Error: x',
    })
  })

  it('calls bindings in sequence and in parallel, in the order in which it called', async () => {
    const seen: unknown[] = []
    const note: BindingFunction = async (argument) => {
      seen.push(argument)
      return argument
    }
    const source = `
      const first = await tools.note({ n: 0 })
      const rest = await Promise.all([1, 2, 3].map((n) => tools.note({ n })))
      return [first, ...rest].map(({ n }) => n)`
    const { value, usage } = await runToy(host, source, { tools: { note } })
    expect(value).toEqual([0, 1, 2, 3])
    expect(seen).toEqual([{ n: 0 }, { n: 1 }, { n: 2 }, { n: 3 }])
    expect(usage).toMatchObject({ calls: 4 })
  })

  it('is not held up by the slowest of its calls', async () => {
    let release: (value: null) => void = () => {}
    const slow: BindingFunction = () => new Promise((resolve) => (release = resolve))
    const open: BindingFunction = async () => {
      release(null)
      return null
    }
    const source = 'const s = tools.slow(); await tools.echo(1); await tools.open(); return await s'
    expect((await runToy(host, source, { tools: { slow, echo, open } })).value).toBeNull()
  })

  it('gets arguments frozen, and results checked', async () => {
    let argument: unknown
    const tools = {
      keep: async (given: unknown) => {
        argument = given
        return null
      },
      date: async () => new Date(0) as never,
      nothing: async () => undefined as never,
    }
    const source = `
      await tools.keep({ deep: [{}] })
      const failures = []
      for (const name of ['date', 'nothing']) await tools[name]().catch((e) => failures.push(e.message))
      return failures`
    const { value } = await runToy(host, source, { tools })
    expect(Object.isFrozen((argument as { deep: object[] }).deep[0])).toBe(true)
    expect(value).toEqual([expect.stringContaining('result'), expect.stringContaining('result')])
  })

  it('[K8] sees the message of a binding that fails, whatever it throws and however', async () => {
    const tools: Record<string, BindingFunction> = {
      rejects: async () => {
        throw new TypeError('no such file')
      },
      throws: () => {
        throw 'at once'
      },
      hostile: () =>
        Promise.reject(
          Object.defineProperty({}, 'message', {
            get: () => {
              throw new Error('getter')
            },
          }),
        ),
      thenable: (() => ({
        then: () => {
          throw new Error('then')
        },
      })) as never,
      poisoned: () =>
        Object.defineProperty(Promise.resolve(1), 'constructor', {
          get: () => {
            throw new Error('constructor')
          },
        }),
    }
    const source = `
      const said = []
      for (const name of Object.keys(tools)) await tools[name]().then(() => said.push('none'), (e) => said.push(e.message))
      return said`
    const { value } = await runToy(host, source, { tools })
    expect(value).toEqual([
      'no such file',
      'at once',
      '(an object without a message was thrown)',
      'then',
      'constructor',
    ])
    expect(JSON.stringify(value)).not.toContain('.ts:')
  })

  it('[H9] streams its log lines while it runs, with their levels; a listener that throws is ignored', async () => {
    const lines: string[] = []
    const { logs, value } = await runToy(host, 'log("one"); log("two", "warn"); return await tools.seen()', {
      tools: { seen: async () => [...lines] },
      onLog: (line, level) => {
        lines.push(`${level}: ${line}`)
        throw new Error('listener')
      },
    })
    expect(value).toEqual(['log: one', 'warn: two'])
    expect(logs).toEqual(['one', 'two'])
  })

  it('waits on timers without a call', async () => {
    expect((await runToy(host, 'await sleep(15); await sleep(0); return "awake"')).value).toBe('awake')
  })

  it('wakes by its timer while calls are open', async () => {
    const source = 'return await Promise.race([tools.never(), sleep(10).then(() => "timer")])'
    expect((await runToy(host, source, { tools: { never } })).value).toBe('timer')
  })

  it('[J8] that waits for nothing is stalled at once', async () => {
    const { error, logs } = await runToy(host, 'log("waiting"); await new Promise(() => {})')
    expect(error).toMatchObject({ kind: 'stalled' })
    expect(logs).toEqual(['waiting'])
  })

  it('[K9] has an unhandled rejection as a warning, and goes on', async () => {
    const { value, logs } = await runToy(host, 'Promise.reject(new Error("lost")); await sleep(1); return 1')
    expect(value).toBe(1)
    expect(logs).toEqual(['unhandled: Error: lost'])
  })

  it('[K9] may await a call that failed before it was awaited', async () => {
    const fail = async (): Promise<never> => {
      throw new Error('second')
    }
    const source =
      'const a = tools.echo(1), b = tools.fail(); await a; await sleep(5); try { await b } catch (e) { return e.message }'
    expect((await runToy(host, source, { tools: { echo, fail } })).value).toBe('second')
  })

  it('[J4] leaves nothing to the next program', async () => {
    const host = makeHost({ isolation, spares: 0, maxProcesses: 1 })
    await runToy(host, 'globalThis.left = 1; Object.prototype.left = 1; return 1')
    expect((await runToy(host, 'return [typeof left, ({}).left === undefined]')).value).toEqual(['undefined', true])
  })

  describe('has budgets', () => {
    it('[K2] of CPU time: a hot loop ends as a timeout that names it', async () => {
      const { error, logs } = await runToy(host, 'log("in"); for (;;) {}', { limits: { computeMs: 100 } })
      expect(error).toMatchObject({ kind: 'timeout', message: expect.stringMatching(/100 ms \(computeMs\)/) })
      expect(logs).toEqual(['in'])
      expect((await runToy(host, 'return 1')).value).toBe(1)
    })

    it('[K2] of CPU time over all its turns', async () => {
      const source = 'for (;;) { const t = Date.now(); while (Date.now() - t < 20) {} await tools.echo(1) }'
      const { error } = await runToy(host, source, { tools: { echo }, limits: { computeMs: 100 } })
      expect(error).toMatchObject({ kind: 'timeout', message: expect.stringContaining('computeMs') })
    })

    it('[K2] of CPU time, of which waiting costs none', async () => {
      const slow = (): Promise<null> => new Promise((resolve) => setTimeout(() => resolve(null), 150))
      const { value, usage } = await runToy(host, 'await tools.slow(); return 1', {
        tools: { slow },
        limits: { computeMs: 100 },
      })
      expect(value).toBe(1)
      expect(usage!.cpuMs).toBeLessThan(100)
      expect(usage!.wallMs).toBeGreaterThanOrEqual(100)
    })

    it('[K2] of wall time, while it waits for a call or a timer', async () => {
      const limits = { maxWallMs: 100 }
      for (const source of ['await tools.never()', 'await sleep(1e9)']) {
        const { error } = await runToy(host, source, { tools: { never }, limits })
        expect(error).toMatchObject({ kind: 'timeout', message: expect.stringMatching(/100 ms \(maxWallMs\)/) })
      }
    })

    it('[K2] of wall time, while it computes', async () => {
      const { error } = await runToy(host, 'for (;;) {}', { limits: { maxWallMs: 100 } })
      expect(error).toMatchObject({ kind: 'timeout', message: expect.stringContaining('maxWallMs') })
    })

    it('[K2] of wall time, which a chain of calls that are answered at once does not escape', async () => {
      const limits = { maxWallMs: 200, maxCalls: 1e9 }
      const { error } = await runToy(host, 'for (;;) await tools.echo(1)', { tools: { echo }, limits })
      expect(error).toMatchObject({ kind: 'timeout', message: expect.stringContaining('maxWallMs') })
    })

    it('[K2] of memory: a heap that grows ends as worker-exit that names it', async () => {
      const source = "const a = []; for (;;) a.push(new Array(1000).fill('x'))"
      const { error } = await runToy(host, source, { limits: { memoryMb: 32, computeMs: 60_000 } })
      expect(error).toMatchObject({ kind: 'worker-exit', message: expect.stringMatching(/32 MiB \(memoryMb\)/) })
      expect((await runToy(host, 'return 1')).value).toBe(1)
    })

    it('[K2] of output: log lines are kept up to the limit', async () => {
      const source = 'log("12345"); for (;;) log("äöü".repeat(20))'
      const { error, logs } = await runToy(host, source, { limits: { maxOutputBytes: 200 } })
      expect(error).toMatchObject({ kind: 'output-limit', message: expect.stringMatching(/200 bytes/) })
      expect(logs[0]).toBe('12345')
      expect(logs.at(-1)).toMatch(/^(äöü)+[äö]?ä?$/)
      expect(Buffer.byteLength(JSON.stringify(logs))).toBeLessThanOrEqual(202)
    })

    it.each([
      ['value', 'log("x".repeat(150)); return "y".repeat(60)'],
      ['message', 'log("x".repeat(150)); throw new Error("y".repeat(60))'],
    ])('[K2] of output: logs and %s count together', async (_, source) => {
      const { error, logs } = await runToy(host, source, { limits: { maxOutputBytes: 200 } })
      expect(error?.kind).toBe('output-limit')
      expect(logs).toEqual(['x'.repeat(150)])
      expect((await runToy(host, source, { limits: { maxOutputBytes: 250 } })).error?.kind).not.toBe('output-limit')
    })

    it('[K2] of calls: one more is refused with its limit, and the run goes on', async () => {
      let dispatched = 0
      const count: BindingFunction = async () => ++dispatched
      const source = `
        const said = []
        for (let i = 0; i < 4; i++) await tools.count().then((n) => said.push(n), (e) => said.push(e.message))
        return said`
      const { value, usage } = await runToy(host, source, { tools: { count }, limits: { maxCalls: 2 } })
      expect(value).toEqual([
        1,
        2,
        expect.stringMatching(/2 calls \(maxCalls\)/),
        expect.stringMatching(/not executed/),
      ])
      expect(dispatched).toBe(2)
      expect(usage).toMatchObject({ calls: 2 })
    })

    it('[K2] of bytes of calls: a large argument is not executed, a large result says that it was', async () => {
      let dispatched = 0
      const big: BindingFunction = async () => {
        dispatched++
        return 'r'.repeat(600)
      }
      const source = `
        const said = []
        const say = (promise) => promise.then((v) => said.push(v.length), (e) => said.push(e.message))
        await say(tools.big('a'.repeat(900)))
        await say(tools.big(1))
        await say(tools.big('a'.repeat(600)))
        await say(tools.big(2))
        return said`
      const { value } = await runToy(host, source, { tools: { big }, limits: { maxCallBytes: 800 } })
      expect(value).toEqual([
        expect.stringMatching(/was not executed.*902 bytes.*800 bytes/),
        600,
        expect.stringMatching(/was not executed/),
        expect.stringMatching(/was executed, but its result/),
      ])
      expect(dispatched).toBe(2)
    })

    it('[K2] that the run goes on after: refusals without end are bounded by time', async () => {
      const source = 'for (;;) try { await tools.echo(1) } catch {}'
      const { error } = await runToy(host, source, { tools: { echo }, limits: { maxCalls: 1, maxWallMs: 200 } })
      expect(error?.kind).toBe('timeout')
    })
  })

  describe('is stopped', () => {
    it('[K5] by a signal, while it waits', async () => {
      const abort = new AbortController()
      const call: BindingFunction = () => {
        setImmediate(() => abort.abort())
        return new Promise(() => {})
      }
      const { error } = await runToy(host, 'await tools.call()', { tools: { call }, signal: abort.signal })
      expect(error).toMatchObject({ kind: 'abort' })
      expect((await runToy(host, 'return 1')).value).toBe(1)
    })

    it('[K5] by a signal that a log listener or a binding fires in the middle of it', async () => {
      for (const source of ['log("x"); for (;;) log("y")', 'tools.stop(); tools.stop(); await sleep(1e6)']) {
        const abort = new AbortController()
        let stops = 0
        const stop: BindingFunction = async () => {
          stops++
          abort.abort()
          return null
        }
        const onLog = (): void => abort.abort()
        const { error } = await runToy(host, source, { tools: { stop }, onLog, signal: abort.signal })
        expect(error?.kind).toBe('abort')
        expect(stops).toBeLessThan(2)
      }
    })

    it('by a signal that has fired before, without a sandbox', async () => {
      const host = makeHost({ isolation })
      const { error, usage } = await runToy(host, 'return 1', { signal: AbortSignal.abort() })
      expect(error?.kind).toBe('abort')
      expect(usage).toMatchObject({ wallMs: 0, calls: 0 })
      expect(host.pids).toEqual([])
    })

    it('by a signal while it stands in the queue', async () => {
      const host = makeHost({ isolation, maxProcesses: 1 })
      const abort = new AbortController()
      const first = runToy(host, 'await tools.go(); return 1', {
        tools: {
          go: async () => {
            abort.abort()
            return null
          },
        },
      })
      const second = runToy(host, 'return 2', { signal: abort.signal })
      expect((await second).error?.kind).toBe('abort')
      expect((await first).value).toBe(1)
    })

    it('[J4] by the disposal of its host, which waits for it; a run afterwards is misuse', async () => {
      const host = makeHost({ isolation })
      let disposal: Promise<void> | undefined
      const waiting: BindingFunction = () => {
        disposal = host.dispose()
        return new Promise(() => {})
      }
      const { error } = await runToy(host, 'await tools.waiting()', { tools: { waiting } })
      expect(error?.kind).toBe('abort')
      await disposal
      expect(host.pids).toEqual([])
      await expect(runToy(host, 'return 1')).rejects.toMatchObject({ code: 'RUNTIME_DISPOSED' })
    })
  })

  it('drops what bindings answer after the end, and waits for none', async () => {
    let settle: (value: string) => void = () => {}
    const late: BindingFunction = () => new Promise((resolve) => (settle = resolve))
    expect((await runToy(host, 'tools.late(); return "over"', { tools: { late } })).value).toBe('over')
    settle('too late')
    expect((await runToy(host, 'return 2')).value).toBe(2)
  })

  it('[H10] says what it used', async () => {
    const source = 'let n = 0; for (let i = 0; i < 3e6; i++) n += i; return await tools.echo("x".repeat(1000))'
    const { usage } = await runToy(host, source, { tools: { echo } })
    expect(usage!.wallMs).toBeGreaterThan(0)
    expect(usage!.cpuMs).toBeGreaterThan(0)
    expect(usage!.cpuMs).toBeLessThanOrEqual(usage!.wallMs)
    expect(usage!.queuedMs).toBeGreaterThanOrEqual(0)
    expect(usage).toMatchObject({ calls: 1, bytesIn: source.length + 1_002, bytesOut: 2_004 })
    const measured = isolation === 'process' && process.platform === 'linux'
    expect(usage!.peakMemoryBytes === null).toBe(!measured)
  })

  it('carries 10 MB each way', async () => {
    const host = makeHost({ isolation, memoryMb: 256 })
    const limits = { maxOutputBytes: 16_000_000, memoryMb: 256 }
    const source =
      'const text = "é".repeat(5e6); const back = await tools.echo(text); return back === text ? back : "torn"'
    const { value } = await runToy(host, source, { tools: { echo }, limits })
    expect((value as string).length).toBe(5_000_000)
  })

  it('[K8] none of all this left a rejection unhandled', () => {
    expect(rejections).toEqual([])
  })
})

it('[J2] a program that ended while its host was busy has its value, not a timeout', async () => {
  const host = shareHost()
  const busy = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600)
  const limits = { maxWallMs: 300, computeMs: 300 }
  expect(await runToy(host, 'log("in"); return 1', { limits, onLog: busy })).toMatchObject({ value: 1 })
})

it('[H8] log lines leave while the program computes, and outlive its kill', async () => {
  const host = shareHost()
  const abort = new AbortController()
  const seen: string[] = []
  const { error, logs } = await runToy(host, 'log("one"); log("two"); for (;;) {}', {
    signal: abort.signal,
    onLog: (line) => {
      seen.push(line)
      if (line === 'two') abort.abort()
    },
  })
  expect(error?.kind).toBe('abort')
  expect([seen, logs]).toEqual([
    ['one', 'two'],
    ['one', 'two'],
  ])
})
