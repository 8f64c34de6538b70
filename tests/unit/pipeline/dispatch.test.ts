import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { failureResult, successResult, textContent } from '../../../src/tools/outcomes.ts'
import type { ToolExecutionResult } from '../../../src/tools/result.ts'
import { callOf, gate, isDeeplyFrozen, MemoryEnvironment, settled, toolOf } from '../../support/memory-environment.ts'

const notANumber = (value: unknown) =>
  typeof value === 'number' ? [] : [{ path: 'value', message: 'must be a number' }]

describe('tools/execute wrappers', () => {
  it('[D6] may change nothing but signal', async () => {
    const env = new MemoryEnvironment()
    env.add(toolOf('t', (args) => args.n))
    const attempts: boolean[] = []
    env.ctx.on('tools/execute', (execution, next) => {
      for (const key of ['arguments', 'name', 'callId', 'token', 'parent', 'agent', 'extra']) {
        attempts.push(Reflect.set(execution, key, { n: 2 }))
      }
      attempts.push(Reflect.deleteProperty(execution, 'signal'))
      return next()
    })
    const result = await env.pipeline.execute(callOf('t', { arguments: { n: 1 } }))
    expect(result).toMatchObject({ value: 1 })
    expect(attempts).toEqual(Array(8).fill(false))
  })

  it.each([undefined, null, 'signal', {}])('[D6] cannot set the signal to %s', async (signal) => {
    const env = new MemoryEnvironment()
    env.add(toolOf('t', () => raise('must not run')))
    env.ctx.on('tools/execute', (execution, next) => {
      execution.signal = signal as never
      return next()
    })
    expect(await env.pipeline.execute(callOf('t'))).toMatchObject({
      error: { info: { code: 'INVALID_POLICY_DECISION' } },
    })
  })

  it.each(['caller', 'wrapper'] as const)("[D6] the body's signal aborts with that of the %s", async (who) => {
    const env = new MemoryEnvironment()
    const controllers = { caller: new AbortController(), wrapper: new AbortController() }
    const stay = gate()
    let aborted: unknown
    env.add(
      toolOf('t', async (_args, exec) => {
        exec.signal.addEventListener('abort', () => {
          aborted = exec.signal.reason
        })
        await stay.promise
        return exec.signal.aborted
      }),
    )
    const seen: AbortSignal[] = []
    env.ctx.on('tools/execute', async (execution, next) => {
      seen.push(execution.signal)
      execution.signal = controllers.wrapper.signal
      const result = await next()
      seen.push(execution.signal)
      return result
    })
    const running = env.pipeline.execute(callOf('t', { signal: controllers.caller.signal }))
    await settled()
    controllers[who].abort(`by the ${who}`)
    expect(aborted).toBe(`by the ${who}`)
    stay.open()
    const result = await running
    if (who === 'wrapper') expect(result).toMatchObject({ value: true })
    else expect(result).toMatchObject({ error: { info: { code: 'ABORTED' } } })
    expect(seen).toEqual([controllers.caller.signal, controllers.wrapper.signal])
    for (const { signal } of Object.values(controllers)) expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('[D6] leave the execution of other stages its own signal', async () => {
    const env = new MemoryEnvironment()
    env.add(toolOf('t'))
    const call = callOf('t')
    const published = env.observe()
    const post: AbortSignal[] = []
    env.ctx.on('tools/execute', (execution, next) => {
      execution.signal = new AbortController().signal
      return next()
    })
    env.ctx.on('tools/post-execute', (execution, _result, next) => {
      post.push(execution.signal)
      return next()
    })
    await env.pipeline.execute(call)
    expect([...post, published[0]?.execution.signal]).toEqual([call.signal, call.signal])
  })

  it('[D6] starts no body under a signal that has aborted', async () => {
    const env = new MemoryEnvironment()
    env.add(toolOf('t', () => raise('must not run')))
    env.ctx.on('tools/execute', (execution, next) => {
      execution.signal = AbortSignal.abort()
      return next()
    })
    expect(await env.pipeline.execute(callOf('t'))).toMatchObject({
      error: { info: { code: 'ABORTED_BEFORE_DISPATCH' } },
    })
  })

  it('[D6] may run the body again', async () => {
    const env = new MemoryEnvironment()
    let attempt = 0
    env.add(
      toolOf('t', (_args, exec) => {
        attempt += 1
        exec.deferContext({ id: `c${attempt}`, role: 'user', content: [] })
        return attempt < 3 ? raise('flaky') : attempt
      }),
    )
    env.ctx.on('tools/execute', async (_execution, next) => {
      let result = await next()
      while (result.isError) result = await next()
      return result
    })
    const result = await env.pipeline.execute(callOf('t'))
    expect(result).toMatchObject({ value: 3 })
    expect(result.additionalContexts?.map((context) => context.id)).toEqual(['c1', 'c2', 'c3'])
  })

  it('[E1] cannot abandon a body that has started', async () => {
    for (const leave of ['answer', 'throw'] as const) {
      const env = new MemoryEnvironment()
      const stay = gate()
      let returned = false
      env.add(
        toolOf('t', async () => {
          await stay.promise
          returned = true
          return 1
        }),
      )
      env.ctx.on('tools/execute', (_execution, next) => {
        void next()
        if (leave === 'throw') throw new Error('the wrapper gave up')
        return failureResult({ message: 'the wrapper gave up' })
      })
      let done = false
      const running = env.pipeline.execute(callOf('t')).then((result) => {
        done = true
        return result
      })
      await settled()
      expect(done).toBe(false)
      stay.open()
      expect(await running).toMatchObject({ error: { message: 'the wrapper gave up' } })
      expect(returned).toBe(true)
    }
  })

  it('[D8, D13] lose no meta of the body when they throw', async () => {
    const env = new MemoryEnvironment()
    const output = { schema: true, render: () => 'text', presentationMeta: () => ({ ledger: [1] }) }
    env.add(toolOf('t', () => 1, { output }))
    env.ctx.on('tools/execute', async (_execution, next) => {
      await next()
      return raise('wrapper')
    })
    expect(await env.pipeline.execute(callOf('t'))).toMatchObject({
      error: { message: 'wrapper' },
      meta: { ledger: [1] },
    })
  })

  it('[D6] cannot start a body after the call has ended', async () => {
    const env = new MemoryEnvironment()
    const bodies: string[] = []
    env.add(toolOf('t', () => bodies.push('ran')))
    let late!: () => Promise<ToolExecutionResult>
    env.ctx.on('tools/execute', (_execution, next) => {
      late = next
      return next()
    })
    await env.pipeline.execute(callOf('t'))
    expect(await late()).toMatchObject({ error: { info: { code: 'CALL_ENDED' } } })
    expect(bodies).toEqual(['ran'])
  })
})

describe('results that a wrapper wrote', () => {
  const answered = async (answer: unknown, more: Parameters<typeof callOf>[1] = {}) => {
    const env = new MemoryEnvironment()
    const output = {
      schema: true,
      render: (_args: unknown, value: number) => `number ${value}`,
      presentationMeta: (_args: unknown, value: number) => ({ doubled: value * 2 }),
    }
    env.add(
      toolOf('t', () => raise('must not run'), { output }),
      notANumber,
    )
    env.ctx.on('tools/execute', () => answer as never)
    return env.pipeline.execute(callOf('t', more))
  }

  it('[D6] are made anew from their value, under the declaration of the tool', async () => {
    const result = await answered({
      isError: false,
      value: 7,
      content: [{ type: 'text', text: 'forged' }],
      meta: { forged: true },
      concludesTurn: true,
      additionalContexts: [{ id: 'c', role: 'user', content: [{ type: 'text', text: 'cached' }] }],
    })
    expect(result).toEqual({
      isError: false,
      value: 7,
      content: [{ type: 'text', text: 'number 7' }],
      meta: { doubled: 14 },
      concludesTurn: true,
      additionalContexts: [{ id: 'c', role: 'user', content: [{ type: 'text', text: 'cached' }] }],
    })
    expect(isDeeplyFrozen(result)).toBe(true)
  })

  it('[D6] are refused when the value does not fit', async () => {
    const result = await answered(successResult('seven', textContent('7')))
    expect(result).toMatchObject({ error: { info: { name: 'ToolOutputError', code: 'INVALID_TOOL_OUTPUT' } } })
    expect(result.isError && result.error.message).toMatch(/tools\/execute listener.*\n- value must be a number/)
  })

  it('[D6] are revalidated when they come from another call', async () => {
    const env = new MemoryEnvironment()
    env.add(toolOf('text', () => 'seven'))
    env.add(
      toolOf('number', () => 7),
      notANumber,
    )
    const cached = await env.pipeline.execute(callOf('text'))
    env.ctx.on('tools/execute', (execution, next) => (execution.name === 'number' ? cached : next()))
    expect(await env.pipeline.execute(callOf('number'))).toMatchObject({
      error: { info: { code: 'INVALID_TOOL_OUTPUT' } },
    })
  })

  it('[D6] keep message, info and meta of a failure', async () => {
    const failure = {
      isError: true,
      error: { message: 'circuit open', info: { name: 'Breaker', code: 'OPEN', secret: 'x' } },
      content: [{ type: 'text', text: 'forged' }],
      meta: { until: 9 },
    }
    expect(await answered(failure)).toEqual({
      isError: true,
      error: { message: 'circuit open', info: { name: 'Breaker', code: 'OPEN' } },
      content: [{ type: 'text', text: 'Error: circuit open' }],
      meta: { until: 9 },
    })
    const nested = await answered(failure, { parent: Symbol('outer') as never })
    expect(nested).not.toHaveProperty('meta')
  })

  it('[D6, D10] repeat no context that the call deferred itself', async () => {
    const env = new MemoryEnvironment()
    env.add(
      toolOf('t', (_args, exec) => {
        exec.deferContext({ id: 'own', role: 'user', content: [] })
        return 1
      }),
    )
    env.ctx.on('tools/execute', async (_execution, next) => ({ ...(await next()) }))
    const result = await env.pipeline.execute(callOf('t'))
    expect(result.additionalContexts).toEqual([{ id: 'own', role: 'user', content: [] }])
  })

  const garbage: [string, unknown][] = [
    ['nothing', undefined],
    ['a bare value', 7],
    ['an object that is no result', { value: 7 }],
    ['a success without a value', { isError: false }],
    ['a failure without an error', { isError: true }],
    ['a failure without a message', { isError: true, error: {} }],
    ['a decision', { kind: 'allow' }],
    ['contexts that are none', { isError: false, value: 7, additionalContexts: [{ id: 1 }] }],
  ]

  it.each(garbage)('[D6, D13] are refused when they are %s', async (_name, answer) => {
    const result = await answered(answer)
    expect(result.isError && result.error.info?.code).toMatch(/^INVALID_/)
  })

  it('[D6, D13] are refused when they cannot be read', async () => {
    const result = await answered(
      Object.defineProperty({}, 'isError', {
        get: () => raise('getter'),
      }),
    )
    expect(result).toMatchObject({ error: { message: 'getter' } })
  })
})

function raise(message: string): never {
  throw new Error(message)
}
