import { describe, expect, it } from 'vitest'
import { HarnessError } from '../../../src/errors/harness-error.ts'
import type { Agent } from '../../../src/scope/agent.ts'
import type { ToolDefinition } from '../../../src/tools/definition.ts'
import type { ToolExecution, ToolExecutionInput } from '../../../src/tools/execution.ts'
import type { ToolExecutionResult } from '../../../src/tools/result.ts'
import { callOf, isDeeplyFrozen, MemoryEnvironment, settled, toolOf } from '../../support/memory-environment.ts'

const final = [{ type: 'text' as const, text: 'final' }]

describe('finalizeContent', () => {
  type Way = [
    name: string,
    arrange: (env: MemoryEnvironment) => unknown,
    more?: Partial<ToolExecutionInput>,
    body?: () => unknown,
  ]
  const nothing = () => {}
  const outcomes: Way[] = [
    ['a success', nothing],
    ['arguments that cannot be read', nothing, { arguments: new Date() }],
    ['an abort on entry', nothing, { signal: AbortSignal.abort() }],
    ['a call that the presentation forbids', (env) => Object.assign(env, { refuseDirectCall: () => 'not here' })],
    ['a denial', (env) => env.ctx.on('tools/pre-execute', () => ({ kind: 'deny', reason: 'no' }))],
    ['a guard', (env) => env.guardList.push(() => 'no')],
    ['policy that throws', (env) => env.ctx.on('tools/pre-execute', () => raise('policy'))],
    ['a tool that is gone', (env) => env.guardList.push(() => void env.tools.delete('t'))],
    ['a wrapper that throws', (env) => env.ctx.on('tools/execute', () => raise('wrapper'))],
    ['a body that throws', nothing, {}, () => raise('body')],
    ['a value that is refused', nothing, {}, nothing],
    ['post-policy that throws', (env) => env.ctx.on('tools/post-execute', () => raise('post'))],
    ['a block', (env) => env.ctx.on('tools/post-execute', () => ({ kind: 'block', feedback: 'no' }))],
  ]

  it.each(outcomes)('[D11] has the last word, once, on %s', async (_name, arrange, more = {}, body = () => 1) => {
    const env = new MemoryEnvironment()
    const published = env.observe()
    const seen: [ToolExecution, ToolExecutionResult][] = []
    const finalizeContent = (execution: ToolExecution, result: ToolExecutionResult) => {
      seen.push([execution, result])
      return final
    }
    env.add(toolOf('t', body, { finalizeContent }))
    arrange(env)
    const result = await env.pipeline.execute(callOf('t', more))
    expect(seen.length).toBe(1)
    expect(seen[0]?.[0]).toBe(published[0]?.execution)
    expect(result).toEqual({ ...seen[0]?.[1], content: final })
    expect(isDeeplyFrozen(result)).toBe(true)
    expect(published.map((entry) => entry.result)).toEqual([result])
  })

  it('[D11] keeps the content when it answers nothing, whatever it does to its arguments', async () => {
    const env = new MemoryEnvironment()
    const finalizeContent = (execution: ToolExecution, result: ToolExecutionResult) => {
      expect(() => Object.assign(result, { isError: true })).toThrow()
      expect(() => Object.assign(execution, { name: 'x' })).toThrow()
      return undefined
    }
    env.add(toolOf('t', () => 1, { finalizeContent }))
    expect(await env.pipeline.execute(callOf('t'))).toMatchObject({ value: 1, content: [{ text: '1' }] })
  })

  const failing: [string, () => unknown, string | RegExp][] = [
    ['throws', () => raise('the finalizer failed'), 'the finalizer failed'],
    ['answers text', () => 'text', /content must be an array/],
    ['answers null', () => null, /content must be an array/],
    ['answers a broken block', () => [{ type: 'text' }], /content\[0\]\.text must be a string/],
    ['answers a promise', async () => final, /content is a/],
    ['answers a promise that rejects', () => Promise.reject(new Error('late')), /content is a/],
  ]

  it.each(failing)('[D11] fails the call when it %s, and does not run again', async (_name, finalize, message) => {
    const unhandled: unknown[] = []
    const listener = (reason: unknown) => void unhandled.push(reason)
    process.on('unhandledRejection', listener)
    const env = new MemoryEnvironment()
    const published = env.observe()
    let ran = 0
    const finalizeContent = () => {
      ran += 1
      return finalize() as never
    }
    const output = { schema: true, render: () => 'text', presentationMeta: () => ({ kept: true }) }
    env.add(toolOf('t', () => 1, { finalizeContent, output }))
    const result = await env.pipeline.execute(callOf('t'))
    expect(result).toMatchObject({ isError: true, meta: { kept: true } })
    expect(result.isError && result.error.message).toMatch(message)
    expect(result.content).toEqual([{ type: 'text', text: `Error: ${result.isError && result.error.message}` }])
    expect(ran).toBe(1)
    expect(published.map((entry) => entry.result)).toEqual([result])
    await settled()
    process.off('unhandledRejection', listener)
    expect(unhandled).toEqual([])
  })

  it('[D11] is the one that the definition had when the call started', async () => {
    const env = new MemoryEnvironment()
    const definition: ToolDefinition = toolOf('t', () => 1, { finalizeContent: () => final })
    env.add(definition)
    env.ctx.on('tools/pre-execute', (_execution, next) => {
      definition.finalizeContent = () => raise('exchanged')
      env.add(toolOf('t', () => 2, { finalizeContent: () => raise('replaced') }))
      return next()
    })
    expect(await env.pipeline.execute(callOf('t'))).toMatchObject({ value: 2, content: final })
  })

  it('[D11, D13] keeps name and code of a HarnessError', async () => {
    const env = new MemoryEnvironment()
    const finalizeContent = () => {
      throw new HarnessError('MCP_TOOL', 'coded', { meta: { own: true } })
    }
    env.add(toolOf('t', () => 1, { finalizeContent }))
    expect(await env.pipeline.execute(callOf('t'))).toMatchObject({
      error: { info: { code: 'MCP_TOOL' } },
      meta: { own: true },
    })
  })
})

describe('tools/result', () => {
  it('[D12] shows observers the frozen execution and outcome', async () => {
    const env = new MemoryEnvironment()
    const published = env.observe()
    env.add(toolOf('t', () => 1))
    const agent = { id: 'a' } as Agent
    const call = callOf('t', { agent })
    const result = await env.pipeline.execute(call)
    expect(published).toEqual([{ execution: expect.objectContaining({ ...call }), result }])
    expect(published[0]?.result).toBe(result)
    expect(Object.isFrozen(published[0]?.execution)).toBe(true)
  })

  it('[D12] logs what observers throw, changes nothing, and calls the others', async () => {
    const env = new MemoryEnvironment()
    env.ctx.on('tools/result', () => raise('observer one'))
    env.ctx.on('tools/result', (async () => raise('observer two')) as never)
    const published = env.observe()
    env.add(toolOf('t', () => 1))
    expect(await env.pipeline.execute(callOf('t'))).toMatchObject({ value: 1 })
    await settled()
    expect(published.length).toBe(1)
    expect(env.logged.map(({ error }) => (error as Error).message)).toEqual(['observer one', 'observer two'])
  })
})

describe('the owner of a call', () => {
  it('cannot change the outcome by failing', async () => {
    const env = new MemoryEnvironment()
    env.add(toolOf('t', () => 1))
    const onSettled = () => raise('the owner failed')
    expect(await env.pipeline.execute(callOf('t'), { onSettled })).toMatchObject({ value: 1 })
    expect(env.logged.length).toBe(1)
  })
})

function raise(message: string): never {
  throw new Error(message)
}
