// Sandbox processes that die, hang or are stopped from outside (contract K4, K5, K10), and hosts that go away.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { BindingFunction } from '../../src/runtime/code-runtime.ts'
import type { Step } from '../support/sandbox/forging-engine.ts'
import { forgingEngine, makeHost, runToy, shareHost } from '../support/sandbox/hosts.ts'
import { isAlive, until } from '../support/sandbox/processes.ts'

const hostProgram = fileURLToPath(new URL('../support/sandbox/host-program.ts', import.meta.url))

describe('[K4] a sandbox process that dies', () => {
  const forging = shareHost({ engine: forgingEngine })
  const die = (...steps: Step[]) => runToy(forging, JSON.stringify({ entries: [{ steps }] }))

  it.each<[string, Step[], RegExp]>([
    ['by SIGKILL', [{ kill: 'SIGKILL' }, { hang: true }], /was killed by SIGKILL/],
    ['by SIGSEGV', [{ kill: 'SIGSEGV' }, { hang: true }], /was killed by SIGSEGV/],
    ['by an exit', [{ exit: 3 }], /exited with code 3/],
    ['by an engine that throws', [{ fail: 'broken engine' }], /Error: broken engine/],
    [
      'with a word on stderr',
      [
        { stderr: '#\n# Fatal error in , line 0\n# Fatal JavaScript invalid size error 1 (/srv/app/x.cc:3)\n#\n' },
        { kill: 'SIGABRT' },
        { hang: true },
      ],
      /SIGABRT \(Fatal JavaScript invalid size error 1 \(<path>:3\)\)/,
    ],
  ])('%s is a worker-exit that says how', async (_, steps, message) => {
    const { error } = await die(...steps)
    expect(error).toMatchObject({ kind: 'worker-exit', message: expect.stringMatching(message) })
    expect((await die()).error).toBeUndefined()
  })

  it('takes no other run along, and the pool heals', async () => {
    const host = makeHost({ maxProcesses: 2, spares: 0 })
    const victims: number[] = []
    const kill: BindingFunction = async (argument) => {
      const { pid } = argument as { pid: number }
      process.kill(pid, 'SIGKILL')
      victims.push(pid)
      return null
    }
    let release: ((value: string) => void) | undefined
    const hold: BindingFunction = () => new Promise((resolve) => (release = resolve))
    const survivor = runToy(host, 'return await tools.hold()', { tools: { hold } })
    await until(() => release !== undefined)
    const [first] = host.pids
    const pidOfOther: BindingFunction = async () => ({ pid: host.pids.find((pid) => pid !== first)! })
    const victim = await runToy(host, 'return await tools.kill(await tools.pidOfOther())', {
      tools: { kill, pidOfOther },
    })
    expect(victim.error).toMatchObject({ kind: 'worker-exit', message: expect.stringContaining('SIGKILL') })
    release?.('alive')
    expect((await survivor).value).toBe('alive')
    expect((await runToy(host, 'return "healed"')).value).toBe('healed')
    expect(victims.filter((pid) => host.pids.includes(pid) || isAlive(pid))).toEqual([])
  })

  it('does not die of a Ctrl-C that reaches the whole process group', async () => {
    const host = makeHost({ spares: 0 })
    const interrupt: BindingFunction = async () => {
      for (const pid of host.pids) process.kill(pid, 'SIGINT')
      return null
    }
    const source = 'await tools.interrupt(); await sleep(20); await tools.interrupt(); return "alive"'
    expect((await runToy(host, source, { tools: { interrupt } })).value).toBe('alive')
  })

  it('while it is idle is replaced', async () => {
    const host = makeHost({ spares: 1 })
    host.warm()
    await until(() => host.pids.length === 1)
    const [pid] = host.pids
    await runToy(host, 'return 1')
    process.kill(pid!, 'SIGKILL')
    expect((await runToy(host, 'return 2')).value ?? 2).toBe(2)
    await until(() => !host.pids.includes(pid!))
    expect((await runToy(host, 'return 3')).value).toBe(3)
  })
})

describe('[K2] what V8 cannot survive costs that run alone', () => {
  it.each([
    ['a string of 2^27 characters, split', "'x'.repeat(2 ** 27).split('')"],
    ['a huge array, filled', 'return Array(1e9).fill(0).length'],
    [
      'memory that no isolate counts',
      'const m = new WebAssembly.Memory({ initial: 1 }); for (;;) { m.grow(160); new Uint8Array(m.buffer).fill(1) }',
    ],
    [
      'a buffer that grows',
      'const a = []; for (;;) { const b = new ArrayBuffer(8, { maxByteLength: 2 ** 28 }); b.resize(2 ** 28); new Uint8Array(b).fill(1); a.push(b) }',
    ],
  ])('[K9] %s', async (_, source) => {
    const host = makeHost({ spares: 0 })
    const { error } = await runToy(host, source, { limits: { computeMs: 60_000 } })
    expect(error).toMatchObject({ kind: 'worker-exit', message: expect.stringContaining('memory') })
    expect((await runToy(host, 'return 1')).value).toBe(1)
  })
})

describe('[K5] abort is hard', () => {
  it.each([
    ['a loop', 'log("in"); for (;;) {}'],
    ['native code that ignores termination', 'log("in"); let n = 3n ** 2000000n; for (;;) n *= n'],
    ['a regular expression', 'log("in"); /(a+)+$/.test("a".repeat(100) + "b")'],
  ])('in the middle of %s', async (_, source) => {
    const host = makeHost({ spares: 0 })
    const abort = new AbortController()
    const run = runToy(host, source, { signal: abort.signal, onLog: () => setTimeout(() => abort.abort(), 20) })
    expect((await run).error?.kind).toBe('abort')
    expect(host.pids).toEqual([])
  })

  it('[K10] and its process is gone when the run is over', async () => {
    const host = makeHost({ spares: 0 })
    const abort = new AbortController()
    let pid = 0
    const call: BindingFunction = () => {
      pid = host.pids[0]!
      abort.abort()
      return new Promise(() => {})
    }
    await runToy(host, 'await tools.call()', { tools: { call }, signal: abort.signal })
    expect(isAlive(pid)).toBe(false)
  })

  it('on a process that is stopped', async () => {
    const host = makeHost({ spares: 0 })
    const abort = new AbortController()
    const call: BindingFunction = () => {
      process.kill(host.pids[0]!, 'SIGSTOP')
      setImmediate(() => abort.abort())
      return new Promise(() => {})
    }
    expect((await runToy(host, 'await tools.call()', { tools: { call }, signal: abort.signal })).error?.kind).toBe(
      'abort',
    )
  })
})

it('[K2] CPU time is measured: a process that is stopped while it computes does not spend it', async () => {
  const host = makeHost({ spares: 0 })
  const pause = (): void => {
    const [pid] = host.pids
    process.kill(pid!, 'SIGSTOP')
    setTimeout(() => process.kill(pid!, 'SIGCONT'), 700)
  }
  const source = 'log("in"); let n = 0; for (let i = 0; i < 2e7; i++) n += i; return n > 0'
  const { value, error, usage } = await runToy(host, source, { limits: { computeMs: 500 }, onLog: pause })
  expect(error).toBeUndefined()
  expect(value).toBe(true)
  expect(usage!.cpuMs).toBeLessThan(500)
  expect(usage!.wallMs).toBeGreaterThan(500)
})

describe('a host that goes away', () => {
  const startHost = async (mode: string): Promise<{ pids: number[]; host: ReturnType<typeof spawn> }> => {
    const host = spawn(process.execPath, ['--no-warnings', hostProgram, mode], { stdio: ['ignore', 'pipe', 'inherit'] })
    const text = await new Promise<string>((resolve) => host.stdout!.once('data', (chunk) => resolve(String(chunk))))
    return { pids: JSON.parse(text) as number[], host }
  }
  const gone = (host: ReturnType<typeof spawn>): Promise<number | null> =>
    new Promise((resolve) => host.once('exit', (code) => resolve(code)))

  it.each(['waiting', 'idle'])('killed, leaves no process behind: %s', async (mode) => {
    const { pids, host } = await startHost(mode)
    expect(pids.length).toBeGreaterThan(0)
    expect(pids.every(isAlive)).toBe(true)
    host.kill('SIGKILL')
    await until(() => !pids.some(isAlive))
  })

  it('by its own exit, ends even a sandbox in a loop', async () => {
    const { pids, host } = await startHost('exit-in-loop')
    expect(await gone(host)).toBe(0)
    await until(() => !pids.some(isAlive))
  })

  it('with nothing left to do, is not kept alive by idle sandboxes', async () => {
    const { pids, host } = await startHost('finish')
    expect(await gone(host)).toBe(0)
    await until(() => !pids.some(isAlive))
  })
})
