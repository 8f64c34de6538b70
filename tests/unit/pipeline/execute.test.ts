import { describe, expect, it } from 'vitest'
import { HarnessError } from '../../../src/errors/harness-error.ts'
import type { Agent } from '../../../src/scope/agent.ts'
import type { ToolExecution, ToolExecutionInput } from '../../../src/tools/execution.ts'
import { callOf, isDeeplyFrozen, MemoryEnvironment, toolOf } from '../../support/memory-environment.ts'

describe('one call', () => {
  it('[D1] resolves with a frozen success', async () => {
    const env = new MemoryEnvironment()
    env.add(toolOf('echo', (args) => ({ echoed: args.text, at: [1, 2] })))
    const result = await env.pipeline.execute(callOf('echo', { arguments: { text: 'hi' } }))
    expect(result).toEqual({
      isError: false,
      value: { echoed: 'hi', at: [1, 2] },
      content: [{ type: 'text', text: '{"echoed":"hi","at":[1,2]}' }],
    })
    expect(isDeeplyFrozen(result)).toBe(true)
  })

  it('[D1] resolves with a frozen failure whose content is one text block', async () => {
    const env = new MemoryEnvironment()
    env.add(toolOf('bad', () => Promise.reject(new HarnessError('MCP_TOOL', 'no such file'))))
    const result = await env.pipeline.execute(callOf('bad'))
    expect(result).toEqual({
      isError: true,
      error: { message: 'no such file', info: { name: 'HarnessError', code: 'MCP_TOOL' } },
      content: [{ type: 'text', text: 'Error: no such file' }],
    })
    expect(isDeeplyFrozen(result)).toBe(true)
  })

  it('[D1] passes the stages in order', async () => {
    const env = new MemoryEnvironment()
    const order: string[] = []
    env.ctx.on('tools/pre-execute', (_execution, next) => {
      order.push('pre-execute')
      return next()
    })
    env.guardList.push(() => void order.push('guard'))
    env.ctx.on('tools/execute', async (_execution, next) => {
      order.push('execute')
      const result = await next()
      order.push('/execute')
      return result
    })
    env.ctx.on('tools/post-execute', (_execution, _result, next) => {
      order.push('post-execute')
      return next()
    })
    env.ctx.on('tools/result', () => void order.push('result'))
    const render = () => {
      order.push('render')
      return ''
    }
    const finalizeContent = () => void order.push('finalize')
    env.add(toolOf('t', () => order.push('body'), { output: { schema: true, render }, finalizeContent }))
    await env.pipeline.execute(callOf('t'))
    const stages = 'pre-execute guard execute body render /execute post-execute finalize result'
    expect(order).toEqual(stages.split(' '))
  })

  it('[A4, D2] reads the arguments once, before policy, and hands on a frozen copy', async () => {
    const env = new MemoryEnvironment()
    let reads = 0
    const args = { list: [{ a: 1 }] }
    const input = {
      ...callOf('t'),
      get arguments() {
        reads += 1
        return args
      },
    }
    const seen: unknown[] = []
    env.ctx.on('tools/pre-execute', (execution, next) => {
      seen.push(execution.arguments)
      args.list[0] = { a: 2 }
      return next()
    })
    env.add(
      toolOf('t', (given) => {
        seen.push(given)
        return null
      }),
    )
    await env.pipeline.execute(input)
    expect(reads).toBe(1)
    expect(seen).toEqual([{ list: [{ a: 1 }] }, { list: [{ a: 1 }] }])
    expect(seen.every(isDeeplyFrozen)).toBe(true)
  })

  const unreadable: [string, () => unknown][] = [
    ['undefined', () => undefined],
    ['a function', () => () => {}],
    ['a cycle', () => cyclic()],
    ['a date', () => ({ when: new Date() })],
    [
      'a throwing getter',
      () => ({
        get boom() {
          throw new Error('getter')
        },
      }),
    ],
    ['a revoked proxy', () => revoked()],
    ['-0', () => [-0]],
  ]

  it.each(unreadable)('[D2] fails arguments that are %s, without policy or body', async (_name, make) => {
    const env = new MemoryEnvironment()
    const published = env.observe()
    const reached: string[] = []
    env.ctx.on('tools/pre-execute', (_execution, next) => {
      reached.push('policy')
      return next()
    })
    env.guardList.push(() => void reached.push('guard'))
    env.add(toolOf('t', () => void reached.push('body')))
    const result = await env.pipeline.execute(callOf('t', { arguments: make() }))
    expect(result).toMatchObject({ isError: true, error: { info: { code: 'NOT_LOSSLESS_JSON' } } })
    expect(result.isError && result.error.message).toMatch(/args/)
    expect(reached).toEqual([])
    expect(published.map((entry) => entry.result)).toEqual([result])
  })

  it('[D3] gives every call a token of its own, and hands on that of the enclosing call', async () => {
    const env = new MemoryEnvironment()
    const seen: ToolExecution[] = []
    env.add(toolOf('inner', (_args, exec) => seen.push(exec)))
    env.add(
      toolOf('outer', async (_args, exec) => {
        seen.push(exec)
        await env.pipeline.execute(callOf('inner', { parent: exec.token }))
        return null
      }),
    )
    const forged = { ...callOf('outer'), token: Symbol('forged') } as ToolExecutionInput
    await env.pipeline.execute(forged)
    await env.pipeline.execute(callOf('outer'))
    const [outer, inner, other] = seen
    expect(outer?.parent).toBeUndefined()
    expect(typeof outer?.token).toBe('symbol')
    expect(outer?.token).not.toBe((forged as any).token)
    expect(inner?.parent).toBe(outer?.token)
    expect(new Set([outer?.token, inner?.token, other?.token]).size).toBe(3)
    expect(Symbol.keyFor(outer?.token as symbol)).toBeUndefined()
  })

  it('[D14] fails an unknown tool after policy has seen the name', async () => {
    const env = new MemoryEnvironment()
    env.add(toolOf('known'))
    const seen: string[] = []
    env.ctx.on('tools/pre-execute', (execution, next) => {
      seen.push(execution.name)
      return next()
    })
    env.guardList.push((execution) => void seen.push(`guard ${execution.name}`))
    env.ctx.on('tools/execute', () => Promise.reject(new Error('not dispatched')))
    const result = await env.pipeline.execute(callOf('unheard'))
    expect(result).toMatchObject({
      error: {
        message: 'Unknown tool "unheard". Known: known.',
        info: { name: 'ToolNotFoundError', code: 'UNKNOWN_TOOL' },
      },
    })
    expect(seen).toEqual(['unheard', 'guard unheard'])
  })

  it('[D14] runs what the agent sees once policy is through', async () => {
    const env = new MemoryEnvironment()
    env.ctx.on('tools/pre-execute', (_execution, next) => {
      env.add(toolOf('deferred', () => 'loaded'))
      env.tools.delete('gone')
      return next()
    })
    env.add(toolOf('gone'))
    expect(await env.pipeline.execute(callOf('deferred'))).toMatchObject({ value: 'loaded' })
    expect(await env.pipeline.execute(callOf('gone'))).toMatchObject({ error: { info: { code: 'UNKNOWN_TOOL' } } })
  })

  it('[F3] refuses what the presentation forbids before any policy', async () => {
    const env = new MemoryEnvironment()
    env.add(toolOf('t', () => Promise.reject(new Error('not executed'))))
    const asked: unknown[] = []
    env.refuseDirectCall = ({ name, agent, parent }) => {
      asked.push([name, agent, parent])
      return parent === undefined ? 'Call it inside a run_code program.' : undefined
    }
    env.ctx.on('tools/pre-execute', () => ({ kind: 'deny', reason: 'policy was asked' }))
    const agent = { id: 'a' } as Agent
    const result = await env.pipeline.execute(callOf('t', { agent }))
    expect(result).toMatchObject({
      error: {
        message: 'Call it inside a run_code program.',
        info: { name: 'ToolNotFoundError', code: 'UNKNOWN_TOOL' },
      },
    })
    const parent = Symbol('outer') as ToolExecution['token']
    const nested = await env.pipeline.execute(callOf('t', { agent, parent }))
    expect(nested).toMatchObject({ error: { message: 'policy was asked' } })
    expect(asked).toEqual([
      ['t', agent, undefined],
      ['t', agent, parent],
    ])
  })
})

describe('hostile input of a call', () => {
  const broken: [string, unknown][] = [
    ['nothing', undefined],
    ['null', null],
    ['a string', 'call'],
    ['an empty object', {}],
    ['no signal', { ...callOf('t'), signal: undefined }],
    ['a signal that is none', { ...callOf('t'), signal: { aborted: 'no' } }],
    ['a name that is a symbol', { ...callOf('t'), name: Symbol('t') }],
    ['a name that is an object', { ...callOf('t'), name: { toString: () => 't' } }],
    ['no callId', { ...callOf('t'), callId: undefined }],
    ['an agent that is a string', { ...callOf('t'), agent: 'main' }],
    ['a parent that is a string', { ...callOf('t'), parent: 'token' }],
    ['a revoked proxy', revoked()],
    ...['callId', 'name', 'signal', 'agent', 'parent'].map((field): [string, unknown] => [
      `a throwing getter ${field}`,
      Object.defineProperty({ ...callOf('t') }, field, {
        get: () => {
          throw new Error('getter')
        },
      }),
    ]),
  ]

  it.each(broken)('[D1] answers %s with one error result, and publishes it', async (_name, input) => {
    const env = new MemoryEnvironment()
    const published = env.observe()
    env.add(toolOf('t', () => Promise.reject(new Error('not executed'))))
    env.guardList.push(() => 'policy was asked')
    const result = await env.pipeline.execute(input as ToolExecutionInput)
    expect(result.isError && result.error.message).toMatch(/execute: .* must be|getter|revoked/)
    expect(isDeeplyFrozen(result)).toBe(true)
    expect(published.map((entry) => entry.result)).toEqual([result])
    const { execution } = published[0] as { execution: ToolExecution }
    expect([typeof execution.name, typeof execution.callId, typeof execution.token]).toEqual([
      'string',
      'string',
      'symbol',
    ])
    expect(execution.signal.aborted).toBe(false)
  })

  it('[D1] names the field and the code of what is no call', async () => {
    const env = new MemoryEnvironment()
    const result = await env.pipeline.execute({ ...callOf('t'), signal: null } as unknown as ToolExecutionInput)
    expect(result).toMatchObject({
      error: {
        message: 'execute: signal must be an AbortSignal, got null; nothing was executed.',
        info: { code: 'INVALID_CALL' },
      },
    })
  })

  it('[D1] survives an environment that throws at every question', async () => {
    const keys = ['resolve', 'refuseDirectCall', 'hasListeners', 'guards', 'waterfall', 'publishResult'] as const
    for (const key of keys) {
      const env = new MemoryEnvironment()
      env.add(toolOf('t'))
      env.observe()
      env.ctx.on('tools/execute', (_execution, next) => next())
      Object.assign(env, {
        [key]: () => {
          throw new Error(`no ${key}`)
        },
      })
      const result = await env.pipeline.execute(callOf('t'))
      if (key === 'publishResult')
        expect(env.logged.map((entry) => entry.error)).toEqual([new Error('no publishResult')])
      else expect(result).toMatchObject({ isError: true, error: { message: `no ${key}` } })
    }
  })
})

describe('what is thrown', () => {
  class PluginError extends HarnessError {
    constructor() {
      super('PLUGIN_SAYS_NO', 'the plugin says no')
    }
  }

  type Stage = 'tools/pre-execute' | 'tools/execute' | 'tools/post-execute' | 'guard' | 'body'
  const stages: Stage[] = ['tools/pre-execute', 'tools/execute', 'tools/post-execute', 'guard', 'body']

  function throwingAt(stage: Stage, raise: () => any): MemoryEnvironment {
    const env = new MemoryEnvironment()
    env.add(toolOf('t', stage === 'body' ? raise : undefined))
    if (stage === 'guard') env.guardList.push(raise)
    else if (stage !== 'body') env.ctx.on(stage, raise)
    return env
  }

  it.each(stages)('[D13] keeps name and code of a HarnessError from %s, thrown or rejected', async (stage) => {
    const raise = () => {
      throw new PluginError()
    }
    const ways = stage === 'guard' ? [raise] : [raise, () => Promise.reject(new PluginError())]
    for (const way of ways) {
      const result = await throwingAt(stage, way).pipeline.execute(callOf('t'))
      expect(result).toMatchObject({
        isError: true,
        error: { message: 'the plugin says no', info: { name: 'PluginError', code: 'PLUGIN_SAYS_NO' } },
      })
    }
  })

  const hostile: [string, () => unknown][] = [
    ['undefined', () => undefined],
    ['null', () => null],
    ['a symbol', () => Symbol('s')],
    ['an endless string', () => 'x'.repeat(100_000)],
    ['a revoked proxy', () => revoked()],
    ['an error with throwing getters', () => Object.defineProperty(new Error(), 'message', { get: () => raise() })],
    ['a forged brand', () => ({ [Symbol.for('runcell.HarnessError')]: true, code: {}, message: 7, name: null })],
    ['an object without prototype', () => Object.create(null)],
  ]

  it.each(stages)('[D13] makes some message of anything that %s throws', async (stage) => {
    for (const [name, make] of hostile) {
      const thrown = make()
      const result = await throwingAt(stage, () => {
        throw thrown
      }).pipeline.execute(callOf('t'))
      expect(result.isError && result.error.message.length, name).toBeGreaterThan(0)
      expect(result.isError && result.error.message.length, name).toBeLessThan(20_000)
      expect(isDeeplyFrozen(result), name).toBe(true)
    }
  })
})

function raise(): never {
  throw new Error('hostile')
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

function cyclic(): object {
  const value: Record<string, unknown> = {}
  value['self'] = value
  return value
}
