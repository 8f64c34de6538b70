import { describe, expect, it } from 'vitest'
import { HarnessError } from '../../../src/errors/harness-error.ts'
import type { JsonObject } from '../../../src/json/json-value.ts'
import type { ToolDefinition, ToolOutput } from '../../../src/tools/definition.ts'
import type { ToolExecutionToken, ToolRunContext } from '../../../src/tools/execution.ts'
import { callOf, isDeeplyFrozen, MemoryEnvironment, settled, toolOf } from '../../support/memory-environment.ts'

const parent = Symbol('outer') as ToolExecutionToken

function environment(
  execute: ToolDefinition['execute'],
  output: Partial<ToolOutput> = {},
  violations?: Parameters<MemoryEnvironment['add']>[1],
): MemoryEnvironment {
  const env = new MemoryEnvironment()
  env.add(toolOf('t', execute, { output: { schema: true, render: () => 'text', ...output } }), violations)
  return env
}

describe('the value of a body', () => {
  it('[A4, D7] is detached and frozen before it is validated and rendered', async () => {
    const value = { list: [1] }
    const seen: unknown[] = []
    const env = environment(
      () => value,
      { render: (args, rendered) => `${seen.push(args, rendered)} seen` },
      (validated) => {
        seen.push(validated)
        return []
      },
    )
    const result = await env.pipeline.execute(callOf('t', { arguments: { a: 1 } }))
    expect(seen).toEqual([{ list: [1] }, { a: 1 }, { list: [1] }])
    expect(seen.every(isDeeplyFrozen)).toBe(true)
    value.list.push(2)
    expect(result).toMatchObject({ value: { list: [1] } })
  })

  it('[D7] is refused with every violation and its path', async () => {
    const violations = [
      { path: 'value.a', message: 'must be a string' },
      { path: 'value.b[0]', message: 'must be a number' },
    ]
    const env = environment(
      () => ({}),
      {},
      () => violations,
    )
    expect(await env.pipeline.execute(callOf('t'))).toMatchObject({
      error: {
        message:
          'Tool "t" returned a value that its output schema refuses:\n' +
          '- value.a must be a string\n- value.b[0] must be a number',
        info: { name: 'ToolOutputError', code: 'INVALID_TOOL_OUTPUT' },
      },
    })
  })

  const lossy: [string, () => unknown][] = [
    ['nothing', () => undefined],
    ['a map', () => ({ map: new Map() })],
    ['NaN', () => Number.NaN],
    ['a function', () => () => {}],
    [
      'a getter that throws',
      () => ({
        deep: {
          get at() {
            return raise('getter')
          },
        },
      }),
    ],
    [
      'a thenable that throws',
      () => ({
        get then() {
          return raise('getter')
        },
      }),
    ],
  ]

  it.each(lossy)('[A1, D7] is refused when it is %s', async (_name, execute) => {
    const result = await environment(execute).pipeline.execute(callOf('t'))
    if (_name === 'a thenable that throws') expect(result).toMatchObject({ error: { message: 'getter' } })
    else expect(result).toMatchObject({ error: { info: { code: 'INVALID_TOOL_OUTPUT' } } })
    if (_name === 'a map') expect(result.isError && result.error.message).toMatch(/value\.map/)
  })

  it('[D7] may come from a promise', async () => {
    expect(await environment(async () => 7).pipeline.execute(callOf('t'))).toMatchObject({ value: 7 })
  })
})

describe('output.render', () => {
  it('[D7] gives text or blocks, frozen', async () => {
    const blocks = [
      { type: 'text', text: 'a' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png', annotations: { priority: 1 } },
      { type: 'audio', data: 'aGk=', mimeType: 'audio/wav' },
      { type: 'resource', resource: { uri: 'file:///x', text: 'x' } },
    ]
    const result = await environment(() => 1, { render: () => blocks as never }).pipeline.execute(callOf('t'))
    expect(result.content).toEqual(blocks)
    expect(isDeeplyFrozen(result)).toBe(true)
    expect(Object.isFrozen(blocks)).toBe(false)
  })

  const throwing: [string, () => unknown][] = [
    ['throws', () => raise('presenter')],
    ['throws a coded error', () => coded()],
    ['gives a number', () => 7],
    ['gives what is no JSON', () => new Date()],
    ['gives a promise', async () => 'text'],
    ['gives a promise that rejects', async () => raise('late')],
  ]
  const misshapen: [string, () => unknown][] = [
    ['gives nothing', () => undefined],
    ['gives one block', () => ({ type: 'text', text: 'a' })],
    ['gives text where a block belongs', () => ['a']],
    ['gives a block without text', () => [{ type: 'text' }]],
    ['gives an unknown block', () => [{ type: 'video', data: '' }]],
    ['gives a picture without its type', () => [{ type: 'image', data: '' }]],
    ['gives a resource without a place', () => [{ type: 'resource', resource: {} }]],
    ['gives a resource with bytes that are none', () => [{ type: 'resource', resource: { uri: 'x', blob: 1 } }]],
    ['gives an inherited type', () => [{ type: 'constructor' }]],
  ]

  it.each([...throwing, ...misshapen])('[D7] is INVALID_TOOL_OUTPUT when it %s', async (_name, render) => {
    await refusedOutput({ render: render as never })
  })

  it.each([...throwing, ['gives a list', () => []] as const])(
    '[D7, D8] presentationMeta is INVALID_TOOL_OUTPUT when it %s',
    async (_name, presentationMeta) => {
      await refusedOutput({ presentationMeta: presentationMeta as never })
    },
  )

  it('[D7] takes nothing of a block from its prototype', async () => {
    Object.defineProperty(Object.prototype, 'text', { value: 'inherited', configurable: true })
    try {
      await refusedOutput({ render: () => [{ type: 'text' }] as never })
    } finally {
      Reflect.deleteProperty(Object.prototype, 'text')
    }
  })

  async function refusedOutput(output: Partial<ToolOutput>): Promise<void> {
    const unhandled: unknown[] = []
    const listener = (reason: unknown) => void unhandled.push(reason)
    process.on('unhandledRejection', listener)
    const result = await environment(() => 1, output).pipeline.execute(callOf('t'))
    expect(result).toMatchObject({ error: { info: { name: 'ToolOutputError', code: 'INVALID_TOOL_OUTPUT' } } })
    await settled()
    process.off('unhandledRejection', listener)
    expect(unhandled).toEqual([])
  }
})

describe('meta', () => {
  it('[D8] is computed for top-level calls alone', async () => {
    let computed = 0
    const presentationMeta = (args: unknown, value: unknown) => {
      computed += 1
      return { args, value } as JsonObject
    }
    const env = environment(() => 7, { presentationMeta })
    const top = await env.pipeline.execute(callOf('t', { arguments: { a: 1 } }))
    expect(top.meta).toEqual({ args: { a: 1 }, value: 7 })
    expect(isDeeplyFrozen(top)).toBe(true)
    const nested = await env.pipeline.execute(callOf('t', { parent }))
    expect(nested).not.toHaveProperty('meta')
    expect(computed).toBe(1)
  })

  it('[D8] of a HarnessError becomes that of a top-level failure', async () => {
    const env = environment(() => {
      throw new HarnessError('CODE_RUN_FAILED', 'failed', { meta: { ledger: [1] } })
    })
    const top = await env.pipeline.execute(callOf('t'))
    expect(top).toMatchObject({ isError: true, meta: { ledger: [1] } })
    expect(isDeeplyFrozen(top)).toBe(true)
    expect(await env.pipeline.execute(callOf('t', { parent }))).not.toHaveProperty('meta')
  })

  it('[D8, D13] of a HarnessError is dropped, and logged, when it is no JSON object', async () => {
    for (const meta of [{ at: new Date() }, [1], 'meta'] as never[]) {
      const env = environment(() => {
        throw new HarnessError('CODE_RUN_FAILED', 'failed', { meta })
      })
      const result = await env.pipeline.execute(callOf('t'))
      expect(result).toMatchObject({ error: { message: 'failed' } })
      expect(result).not.toHaveProperty('meta')
      expect(env.logged.length).toBe(1)
    }
  })
})

describe('what a body is given', () => {
  it('[D10] is frozen, and its functions work on their own', async () => {
    let context!: ToolRunContext
    const call = callOf('t', { arguments: { a: 1 }, parent })
    const env = environment((_args, exec) => {
      context = exec
      const { concludeTurn, deferContext } = exec
      concludeTurn()
      deferContext({ id: 'c', role: 'user', content: [] })
      return 1
    })
    const result = await env.pipeline.execute(call)
    expect(context).toMatchObject({ callId: call.callId, name: 't', arguments: { a: 1 }, signal: call.signal, parent })
    expect(Object.isFrozen(context)).toBe(true)
    expect(result).toMatchObject({ concludesTurn: true, additionalContexts: [{ id: 'c' }] })
  })

  it('is called as a method of its definition', async () => {
    const env = new MemoryEnvironment()
    const definition = {
      ...toolOf('t'),
      secret: 7,
      execute(this: { secret: number }) {
        return this.secret
      },
    }
    env.add(definition as unknown as ToolDefinition)
    expect(await env.pipeline.execute(callOf('t'))).toMatchObject({ value: 7 })
  })
})

function coded(): never {
  throw new HarnessError('MCP_TOOL', 'coded')
}

function raise(message: string): never {
  throw new Error(message)
}
