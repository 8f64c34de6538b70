import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { toolTimeouts } from '../../../src/pipeline/timeouts.ts'
import type { ToolDefinition } from '../../../src/tools/definition.ts'
import { callOf, gate, MemoryEnvironment, settled, toolOf } from '../../support/memory-environment.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** An environment with the plugin and one tool `t`, whose body waits at a gate. */
async function environment(more: Partial<ToolDefinition>) {
  const env = new MemoryEnvironment()
  const stay = gate<unknown>()
  const signals: AbortSignal[] = []
  env.add(
    toolOf(
      't',
      (_args, exec) => {
        signals.push(exec.signal)
        return stay.promise
      },
      more,
    ),
  )
  env.ctx.provide('tools', { get: (name: string) => env.resolve(name)?.definition })
  await env.ctx.plugin(toolTimeouts)
  return { env, stay, signals }
}

describe('toolTimeouts', () => {
  it('[D16, E1] aborts the signal, waits for the body, and reports TOOL_TIMEOUT with the budget', async () => {
    for (const end of ['returns', 'throws'] as const) {
      const { env, stay, signals } = await environment({ timeoutMs: 250 })
      const call = callOf('t')
      let done = false
      const running = env.pipeline.execute(call).finally(() => {
        done = true
      })
      await settled()
      vi.advanceTimersByTime(249)
      expect(signals[0]?.aborted).toBe(false)
      vi.advanceTimersByTime(1)
      expect(signals[0]?.aborted).toBe(true)
      expect(signals[0]?.reason).toMatchObject({ code: 'TOOL_TIMEOUT' })
      await settled()
      expect(done).toBe(false)
      if (end === 'returns') stay.open('late')
      else stay.fail(new Error('stopped'))
      const result = await running
      expect(result).toMatchObject({ isError: true, error: { info: { code: 'TOOL_TIMEOUT' } } })
      expect(result.isError && result.error.message).toMatch(/250 ms/)
      expect(call.signal.aborted).toBe(false)
      expect(getEventListeners(call.signal, 'abort')).toEqual([])
      expect(vi.getTimerCount()).toBe(0)
    }
  })

  it('[D16] leaves a call in time alone, and no timer behind', async () => {
    const { env, stay } = await environment({ timeoutMs: 250 })
    const call = callOf('t')
    const running = env.pipeline.execute(call)
    await settled()
    expect(vi.getTimerCount()).toBe(1)
    stay.open(7)
    expect(await running).toMatchObject({ value: 7 })
    expect(vi.getTimerCount()).toBe(0)
    expect(getEventListeners(call.signal, 'abort')).toEqual([])
  })

  it.each([undefined, 2 ** 31, 1e12])('[D16] sets no timer for a budget of %s', async (timeoutMs) => {
    const { env, stay } = await environment(timeoutMs === undefined ? {} : { timeoutMs })
    const running = env.pipeline.execute(callOf('t'))
    await settled()
    expect(vi.getTimerCount()).toBe(0)
    stay.open(1)
    expect(await running).toMatchObject({ value: 1 })
  })

  it('[D16, E1] stays when the caller cancels afterwards', async () => {
    const { env, stay } = await environment({ timeoutMs: 250 })
    const controller = new AbortController()
    const running = env.pipeline.execute(callOf('t', { signal: controller.signal }))
    await settled()
    vi.advanceTimersByTime(250)
    controller.abort()
    stay.open(1)
    expect(await running).toMatchObject({ error: { info: { code: 'TOOL_TIMEOUT' } } })
  })

  it('[D16, E1] does not blame the timeout when the caller cancelled first', async () => {
    const { env, stay } = await environment({ timeoutMs: 250 })
    const controller = new AbortController()
    const running = env.pipeline.execute(callOf('t', { signal: controller.signal }))
    await settled()
    controller.abort()
    vi.advanceTimersByTime(250)
    stay.open(1)
    expect(await running).toMatchObject({ error: { info: { code: 'ABORTED' } } })
  })

  it('[D6, D16] gives wrappers further out their signal back, so that they can try again', async () => {
    const env = new MemoryEnvironment()
    const attempts: boolean[] = []
    const seen: AbortSignal[] = []
    env.add(
      toolOf(
        't',
        (_args, exec) => {
          attempts.push(exec.signal.aborted)
          if (attempts.length === 1) vi.advanceTimersByTime(250)
          return attempts.length
        },
        { timeoutMs: 250 },
      ),
    )
    env.ctx.on('tools/execute', async (execution, next) => {
      const first = await next()
      seen.push(execution.signal)
      execution.signal = call.signal
      return first.isError ? env.pipeline.execute(call) : first
    })
    env.ctx.provide('tools', { get: (name: string) => env.resolve(name)?.definition })
    await env.ctx.plugin(toolTimeouts)
    const call = callOf('t')
    expect(await env.pipeline.execute(call)).toMatchObject({ value: 2 })
    expect(attempts).toEqual([false, false])
    expect(seen.every((signal) => signal === call.signal)).toBe(true)
  })

  it('[D8, D16] keeps the meta of what the body came to', async () => {
    const output = { schema: true, render: () => 'text', presentationMeta: () => ({ ledger: [] }) }
    const { env, stay } = await environment({ timeoutMs: 250, output })
    const running = env.pipeline.execute(callOf('t'))
    await settled()
    vi.advanceTimersByTime(250)
    stay.open(1)
    expect(await running).toMatchObject({ isError: true, meta: { ledger: [] } })
  })
})
