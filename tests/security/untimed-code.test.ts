// Code of a program that runs where no timeout of isolated-vm is set: it reads `message` and `stack` of a rejection that nothing handled
// after the entry is over. Only the clock of a host can end it, so these run in processes.
import { Context } from '@deepseek-ai/cordis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { TypeScriptRuntime } from '../../runtimes/typescript/index.ts'
import type { CodeRunResult } from '../../src/runtime/code-runtime.ts'

const ctx = new Context()
const fiber = ctx.plugin(TypeScriptRuntime, { limits: { computeMs: 400, memoryMb: 64 } })
beforeAll(async () => void (await fiber))
afterAll(async () => void (await fiber.dispose()))

function run(program: string): Promise<CodeRunResult> {
  return ctx.codeRuntime.run({ program, bindings: [] })
}

it.each([
  ['the message of an orphan', 'Promise.reject({ get message(): string { for (;;); } }); return 1'],
  ['the stack of an orphan', 'Promise.reject({ message: "m", get stack(): string { for (;;); } }); await 0; return 1'],
  ['the name of its class', 'Promise.reject(new Proxy(new Error("x"), { get(): string { for (;;); } })); return 1'],
  ['a text that it turns into', 'Promise.reject({ message: { toString(): string { for (;;); } } }); return 1'],
  [
    'Error.prepareStackTrace',
    '(Error as unknown as { prepareStackTrace(): string }).prepareStackTrace = () => { for (;;); }; Promise.reject(new Error("x")); return 1',
  ],
])('[K2] [K9] %s that never comes ends at the budget, and the next run works', async (_name, program) => {
  expect((await run(program)).error?.kind).toBe('timeout')
  expect((await run('return 1')).value).toBe(1)
})

it('[K9] an orphan that calls back while it is read calls nothing', async () => {
  const { value, logs } = await run(
    `Promise.reject({ get message() { console.log('from the getter'); return 'said' } })
    return 'end'`,
  )
  expect(value).toBe('end')
  expect(logs.at(-1)).toContain('said')
})
