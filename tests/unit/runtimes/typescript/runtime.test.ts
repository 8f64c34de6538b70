// The whole way: a Cordis context, the compiler's worker, real sandbox processes; and the same in process.
import { Context } from '@deepseek-ai/cordis'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TypeScriptRuntime, type TypeScriptRuntimeConfig } from '../../../../runtimes/typescript/index.ts'
import type { BindingFunction, CodeRunRequest, CodeRunResult } from '../../../../src/runtime/code-runtime.ts'

const rejections: unknown[] = []
const onRejection = (error: unknown): number => rejections.push(error)
beforeAll(() => void process.on('unhandledRejection', onRejection))
afterAll(() => {
  process.off('unhandledRejection', onRejection)
  expect(rejections).toEqual([])
})

interface Mounted {
  readonly ctx: Context
  readonly runtime: TypeScriptRuntime
  run(program: string, more?: Partial<CodeRunRequest>): Promise<CodeRunResult>
}

async function mount(config: TypeScriptRuntimeConfig): Promise<Mounted & { unmount(): Promise<void> }> {
  const ctx = new Context()
  const fiber = ctx.plugin(TypeScriptRuntime, config)
  await fiber
  const runtime = ctx.get('codeRuntime') as unknown as TypeScriptRuntime
  const bindings = [
    { global: 'tools', functions, errorClass: { name: 'ToolCallError', memberNameProperty: 'toolName' } },
  ]
  return {
    ctx,
    runtime,
    run: (program, more = {}) => runtime.run({ program, bindings, ...more }),
    unmount: async () => void (await fiber.dispose()),
  }
}

const functions: Record<string, BindingFunction> = {
  echo: async (argument) => argument,
  fail: async () => {
    throw new Error('no such file')
  },
  never: () => new Promise(() => {}),
  'odd name': async () => 'odd',
}

describe.each(['process', 'in-process'] as const)('[L4] isolation %s', (isolation) => {
  let mounted: Awaited<ReturnType<typeof mount>>
  beforeAll(async () => {
    mounted = await mount({ isolation, limits: { memoryMb: 64 } })
  })
  afterAll(() => mounted.unmount())
  const run: Mounted['run'] = (...args) => mounted.run(...args)

  it('[J1] says its language and isolation', () => {
    expect([mounted.runtime.language, mounted.runtime.isolation]).toEqual(['typescript', isolation])
  })

  it('[J1] [L1] runs TypeScript with top-level await and return', async () => {
    const { value, logs, error } = await run(
      `enum Kind { File = 'file', Folder = 'folder' }
      interface Entry { kind: Kind; name: string }
      const entries: Entry[] = await Promise.all(['a', 'b'].map(async (name): Promise<Entry> => (await tools.echo({ kind: Kind.File, name })) as Entry))
      console.log('found', entries.length, 'entries')
      return { entries, odd: await tools['odd name']() } satisfies object`,
    )
    expect(error).toBeUndefined()
    expect(value).toEqual({
      entries: [
        { kind: 'file', name: 'a' },
        { kind: 'file', name: 'b' },
      ],
      odd: 'odd',
    })
    expect(logs).toEqual(['found 2 entries'])
  })

  it('[H3] [K8] a failed call is a ToolCallError in the program, without a path or frame of the host', async () => {
    const { value } = await run(
      'try { await tools.fail() } catch (error) { return [error instanceof ToolCallError, { ...error }, error.message, String(error.stack)] }',
    )
    expect(value).toEqual([true, { toolName: 'fail' }, 'no such file', 'undefined'])
  })

  it('[J2] [L1] an exception has name, message, own frames, line and column', async () => {
    const { error } = await run(
      'namespace N {\n  export function f(x: number): never {\n    throw new RangeError("bad " + x)\n  }\n}\n\nN.f(5)',
    )
    expect(error).toMatchObject({ kind: 'exception', name: 'RangeError', message: 'RangeError: bad 5', line: 3 })
    expect(error?.stack?.split('\n').map((line) => /program\.ts:(\d+)/.exec(line)?.[1])).toEqual(['3', '7'])
  })

  it.each([
    ['const a: = 1', 1, 10, 'Type expected'],
    ['let a = 1\n  let a = 2', 2, 7, "Identifier 'a' has already been declared"],
    ['return 1\n})(); evil(); (() => {', 2, 1, 'Declaration or statement expected'],
    ['import fs from "fs"', 1, 1, 'cannot import'],
  ])(
    '[J2] [L1] [L5] %j is a SyntaxError with its place, before anything runs',
    async (program, line, column, message) => {
      const { error, logs } = await run(program)
      expect(error).toMatchObject({ kind: 'exception', name: 'SyntaxError', line, column })
      expect(error?.message).toContain(message)
      expect(error?.message).toContain(`> ${line} | `)
      expect(logs).toEqual([])
    },
  )

  it('[H8] [H9] [L3] log lines stream with their levels', async () => {
    const streamed: string[] = []
    const { logs } = await run(
      'console.log("a", { b: 1 }); console.warn("c"); Promise.reject(new Error("lost")); return 1',
      {
        onLog: (line, level) => streamed.push(`${level}: ${line}`),
      },
    )
    expect(streamed).toEqual([
      'log: a { b: 1 }',
      'warn: c',
      'warn: Unhandled rejection: Error: lost\n    at program.ts:1:63',
    ])
    expect(logs).toEqual(['a { b: 1 }', 'c', 'Unhandled rejection: Error: lost\n    at program.ts:1:63'])
  })

  it('[L3] timers wait and fire', async () => {
    const { value } = await run(
      `const start = Date.now()
      await new Promise((resolve) => setTimeout(resolve, 30))
      const waited = Date.now() - start >= 29
      let ticks = 0
      await new Promise<void>((resolve) => { const id = setInterval(() => { if (++ticks === 3) { clearInterval(id); resolve() } }, 2) })
      return { waited, ticks }`,
    )
    expect(value).toEqual({ waited: true, ticks: 3 })
  })

  it('[J8] a program that waits for nothing fails as stalled', async () => {
    expect((await run('await new Promise(() => {})')).error?.kind).toBe('stalled')
  })

  it('[J2] a result that is not lossless JSON is invalid-output', async () => {
    expect((await run('return { at: [new Date(0)] }')).error).toEqual({
      kind: 'invalid-output',
      message: expect.stringContaining('result.at[0] is an instance of Date'),
    })
  })

  it('[K2] a loop ends at its budget, and the next run works', async () => {
    const { error, logs } = await run('console.log("before"); for (;;) {}', { limits: { computeMs: 200 } })
    expect(error?.kind).toBe('timeout')
    expect(logs).toEqual(['before'])
    expect((await run('return 1')).value).toBe(1)
  })

  it('[K2] a program that fills its memory is worker-exit, and the next run works', async () => {
    expect((await run('const a: object[] = []; for (;;) a.push({})')).error?.kind).toBe('worker-exit')
    expect((await run('return 1')).value).toBe(1)
  })

  it('[J7] seed and now make two runs the same', async () => {
    const program =
      'return [Math.random(), Date.now(), new Date().toISOString(), await new Promise((r) => setTimeout(() => r(Date.now()), 5))]'
    const request = { seed: 7, now: Date.UTC(2020, 0) }
    const [first, second] = [await run(program, request), await run(program, request)]
    expect(first.value).toEqual(second.value)
    expect((first.value as unknown[])[2]).toBe('2020-01-01T00:00:00.000Z')
    expect((first.value as number[])[3]).toBe(Date.UTC(2020, 0) + 5)
  })

  it('[J4] nothing of a program is there for the next', async () => {
    await run('globalThis.left = 1; Object.prototype.left = 2; JSON.parse = () => "left"; return 1')
    expect((await run('return [typeof left, typeof {}.left, await tools.echo({ a: 1 })]')).value).toEqual([
      'undefined',
      'undefined',
      { a: 1 },
    ])
  })

  it('[E1] [J2] an abort while a program waits ends it', async () => {
    const controller = new AbortController()
    const outcome = run('await tools.never({})', { signal: controller.signal })
    await run('return 1')
    controller.abort()
    expect((await outcome).error?.kind).toBe('abort')
  })

  it('[J2] an abort before anything ends it, too', async () => {
    const program = `return ${Math.random()}`
    expect((await run(program, { signal: AbortSignal.abort() })).error?.kind).toBe('abort')
  })

  it('[J1] the name of the request is the file in traces', async () => {
    const { error } = await run('throw new Error("x")', { name: 'report\n.ts' })
    expect(error?.stack).toBe('    at report .ts:1:7')
  })
})

describe('misuse', () => {
  let mounted: Awaited<ReturnType<typeof mount>>
  beforeAll(async () => {
    mounted = await mount({ isolation: 'in-process' })
  })
  afterAll(() => mounted.unmount())

  it.each([
    ['a global that the runtime owns', { bindings: [{ global: 'console', functions: {} }] }, 'INVALID_BINDINGS'],
    ['a global of the language', { bindings: [{ global: 'Promise', functions: {} }] }, 'INVALID_BINDINGS'],
    [
      'two namespaces of one name',
      {
        bindings: [
          { global: 'a', functions: {} },
          { global: 'a', functions: {} },
        ],
      },
      'INVALID_BINDINGS',
    ],
    ['a limit of zero', { limits: { computeMs: 0 } }, 'INVALID_CONFIG'],
    ['another language', { language: 'python' }, 'NO_CODE_RUNTIME'],
    ['a seed that is no whole number', { seed: 0.5 }, 'INVALID_CONFIG'],
    ['a time that is none', { now: Number.NaN }, 'INVALID_CONFIG'],
    ['a program that is no text', { program: 5 as unknown as string }, 'INVALID_CONFIG'],
  ] as const)('[J2] [J3] %s rejects', async (_name, more, code) => {
    await expect(mounted.run('return 1', more as Partial<CodeRunRequest>)).rejects.toMatchObject({ code })
  })

  it.each([
    { limits: { computeMs: -1 } },
    { isolation: 'thread' },
    { maxProcesses: 0 },
    { spares: -1 },
    { launcher: [] },
    { unknownKey: 1 },
  ])('[K2] [R1] configuration %j is refused at load', (config) => {
    const ctx = new Context()
    expect(() => new TypeScriptRuntime(ctx, config as TypeScriptRuntimeConfig)).toThrow()
  })

  it('[L3] every global that this runtime adds is refused as a binding', async () => {
    const { value } = await mounted.run('return Reflect.ownKeys(globalThis).map(String)')
    const names = (value as string[]).filter(
      (name) => !['tools', 'ToolCallError', 'constructor', 'undefined'].includes(name),
    )
    for (const global of names) {
      await expect(mounted.run('return 1', { bindings: [{ global, functions: {} }] })).rejects.toMatchObject({
        code: 'INVALID_BINDINGS',
      })
    }
  })
})

describe('disposal', () => {
  it('[J4] ends runs in flight, wherever they are, and refuses later ones', async () => {
    const mounted = await mount({ isolation: 'process' })
    const waiting = mounted.run('await tools.never({})')
    const compiling = mounted.run(`return ${'1 + '.repeat(2_000)}1`)
    await mounted.run('return 1')
    const late = mounted.run(`return ${'2 + '.repeat(2_000)}1`)
    await mounted.unmount()
    expect((await waiting).error?.kind).toBe('abort')
    expect(['abort', undefined]).toContain((await compiling).error?.kind)
    expect((await late).error?.kind).toBe('abort')
    await expect(mounted.run('return 1')).rejects.toMatchObject({ code: 'RUNTIME_DISPOSED' })
    expect(mounted.runtime.host.pids).toEqual([])
  })
})
