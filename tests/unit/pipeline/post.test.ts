import { describe, expect, it } from 'vitest'
import { HarnessError } from '../../../src/errors/harness-error.ts'
import type { ContextMessage } from '../../../src/tools/content.ts'
import type { ToolExecutionResult } from '../../../src/tools/result.ts'
import { callOf, isDeeplyFrozen, MemoryEnvironment, toolOf } from '../../support/memory-environment.ts'

const context = (id: string): ContextMessage => ({ id, role: 'user', content: [{ type: 'text', text: id }] })
const blocks = [{ type: 'text', text: 'other' }]

/** A tool `good` whose value is 1 and a tool `bad` that throws; both defer a context and have meta. */
function environment(decision?: unknown) {
  const env = new MemoryEnvironment()
  const seen: ToolExecutionResult[] = []
  const output = {
    schema: true,
    render: (_args: unknown, value: unknown) => `value ${value}`,
    presentationMeta: (_args: unknown, value: unknown) => ({ of: value }) as never,
  }
  env.add(
    toolOf(
      'good',
      (_args, exec) => {
        exec.deferContext(context('deferred'))
        exec.concludeTurn()
        return 1
      },
      { output },
    ),
    (value) => (typeof value === 'number' ? [] : [{ path: 'value', message: 'must be a number' }]),
  )
  env.add(
    toolOf('bad', (_args, exec) => {
      exec.deferContext(context('deferred'))
      throw new HarnessError('MCP_TOOL', 'the tool failed', { meta: { of: 'failure' } })
    }),
  )
  env.ctx.on('tools/post-execute', (_execution, result, next) => {
    seen.push(result)
    return decision === undefined ? next() : (decision as never)
  })
  return { env, seen, run: (name: string) => env.pipeline.execute(callOf(name)) }
}

describe('tools/post-execute', () => {
  it('[D9] sees the frozen result of a dispatched call, failures included, and may pass it on', async () => {
    for (const name of ['good', 'bad']) {
      const { seen, run } = environment()
      expect(await run(name)).toEqual(seen[0])
      expect(isDeeplyFrozen(seen[0])).toBe(true)
    }
  })

  it('[D9] does not see calls that were refused', async () => {
    const { env, seen, run } = environment()
    env.guardList.push((execution) => (execution.name === 'good' ? 'no' : undefined))
    await run('good')
    await run('unheard')
    await env.pipeline.execute(callOf('bad', { signal: AbortSignal.abort() }))
    await env.pipeline.execute(callOf('bad', { arguments: undefined }))
    expect(seen).toEqual([])
  })

  it('[D9] replaces content, and keeps value and meta', async () => {
    const { run } = environment({ kind: 'accept', content: blocks })
    const good = await run('good')
    expect(good).toMatchObject({ isError: false, value: 1, content: blocks, meta: { of: 1 }, concludesTurn: true })
    expect(isDeeplyFrozen(good)).toBe(true)
    expect(Object.isFrozen(blocks)).toBe(false)
    const error = { message: 'the tool failed' }
    expect(await run('bad')).toMatchObject({ isError: true, error, content: blocks, meta: { of: 'failure' } })
  })

  it('[D9] replaces the value, which is validated and rendered again', async () => {
    const { run } = environment({ kind: 'accept', value: 2 })
    const result = await run('good')
    expect(result).toMatchObject({ value: 2, content: [{ text: 'value 2' }], meta: { of: 2 }, concludesTurn: true })
  })

  it('[D9] refuses a value that does not fit', async () => {
    for (const value of ['two', new Date()]) {
      const { run } = environment({ kind: 'accept', value })
      const result = await run('good')
      expect(result).toMatchObject({ isError: true, error: { info: { code: 'INVALID_TOOL_OUTPUT' } } })
      expect(result.isError && result.error.message).toMatch(/tools\/post-execute listener/)
    }
  })

  it('[D9] cannot give a failure a value', async () => {
    const { run } = environment({ kind: 'accept', value: 2 })
    const result = await run('bad')
    expect(result).toMatchObject({ isError: true, error: { info: { code: 'INVALID_POLICY_DECISION' } } })
    expect(result).not.toHaveProperty('value')
  })

  it('[D9, D10] puts its contexts after those that the tool deferred', async () => {
    const { run } = environment({ kind: 'accept', additionalContexts: [context('one'), context('two')] })
    for (const name of ['good', 'bad']) {
      const result = await run(name)
      expect(result.additionalContexts?.map(({ id }) => id)).toEqual(['deferred', 'one', 'two'])
      expect(isDeeplyFrozen(result)).toBe(true)
    }
  })

  it('[D8, D9] blocks: a failure without a value, with the meta, and its own contexts alone', async () => {
    const { run } = environment({ kind: 'block', feedback: 'not for you', additionalContexts: [context('why')] })
    const result = await run('good')
    expect(result).toEqual({
      isError: true,
      error: { message: 'not for you', info: { name: 'HarnessError', code: 'TOOL_BLOCKED' } },
      content: [{ type: 'text', text: 'Error: not for you' }],
      meta: { of: 1 },
      additionalContexts: [context('why')],
    })
    expect(isDeeplyFrozen(result)).toBe(true)
    expect(await run('bad')).toMatchObject({ error: { message: 'not for you' }, meta: { of: 'failure' } })
    expect(await environment({ kind: 'block', feedback: 'no' }).run('good')).not.toHaveProperty('additionalContexts')
    const mute = await environment({ kind: 'block', feedback: '' }).run('good')
    expect(mute).toMatchObject({ error: { message: 'The result of tool "good" was withheld; no reason was given.' } })
  })

  it('[D13] that throws makes an error result, which keeps contexts and meta', async () => {
    const { env, run } = environment()
    env.ctx.on('tools/post-execute', () => Promise.reject(new Error('the listener failed')))
    expect(await run('good')).toMatchObject({
      isError: true,
      error: { message: 'the listener failed' },
      meta: { of: 1 },
      additionalContexts: [{ id: 'deferred' }],
    })
  })

  const garbage: [string, unknown][] = [
    ['null', null],
    ['a word', 'accept'],
    ['no kind', {}],
    ['an unknown kind', { kind: 'allow' }],
    ['both content and value', { kind: 'accept', content: blocks, value: 2 }],
    ['content that is none', { kind: 'accept', content: 'text' }],
    ['a block without feedback', { kind: 'block' }],
    ['contexts that are no list', { kind: 'accept', additionalContexts: context('x') }],
    ['a context without content', { kind: 'accept', additionalContexts: [{ id: 'x', role: 'user' }] }],
    [
      'a context of another role',
      { kind: 'block', feedback: 'x', additionalContexts: [{ ...context('x'), role: 'system' }] },
    ],
    ['a context whose source is no text', { kind: 'accept', additionalContexts: [{ ...context('x'), source: 1 }] }],
  ]

  it.each(garbage)('[D9, D13] makes an error result of %s', async (_name, decision) => {
    const result = await environment(decision).run('good')
    expect(result.isError && result.error.info?.code).toMatch(/^INVALID_(POLICY_DECISION|CONTENT)$/)
  })
})

describe('deferContext', () => {
  it.each([[undefined], [{}], [{ id: 'x', role: 'user', content: 'text' }], [new Date()]])(
    '[D10] refuses %s, in the body',
    async (message) => {
      const env = new MemoryEnvironment()
      let thrown: unknown
      env.add(
        toolOf('t', (_args, exec) => {
          try {
            exec.deferContext(message as never)
          } catch (error) {
            thrown = error
          }
          return 1
        }),
      )
      const result = await env.pipeline.execute(callOf('t'))
      expect(result).not.toHaveProperty('additionalContexts')
      expect(HarnessError.is(thrown)).toBe(true)
    },
  )

  it('[D10] keeps a copy, in order, also when the body throws', async () => {
    const env = new MemoryEnvironment()
    const message = { ...context('a'), content: [{ type: 'text' as const, text: 'before' }] }
    env.add(
      toolOf('t', async (_args, exec) => {
        exec.deferContext(message)
        message.content[0] = { type: 'text', text: 'after' }
        await Promise.resolve()
        exec.deferContext(context('b'))
        throw new Error('failed')
      }),
    )
    const result = await env.pipeline.execute(callOf('t'))
    expect(result.additionalContexts).toEqual([
      { id: 'a', role: 'user', content: [{ type: 'text', text: 'before' }] },
      context('b'),
    ])
    expect(isDeeplyFrozen(result)).toBe(true)
  })

  it('[D9, D10] refuses a context once the body has settled', async () => {
    const env = new MemoryEnvironment()
    let late!: () => void
    let thrown: unknown
    env.add(
      toolOf('t', (_args, exec) => {
        late = () => exec.deferContext(context('late'))
        return 1
      }),
    )
    env.ctx.on('tools/post-execute', () => {
      try {
        late()
      } catch (error) {
        thrown = error
      }
      return { kind: 'block', feedback: 'no' }
    })
    expect(await env.pipeline.execute(callOf('t'))).not.toHaveProperty('additionalContexts')
    expect(thrown).toMatchObject({ code: 'CALL_ENDED' })
  })

  it('[D10] refuses a context after the call has ended', async () => {
    const env = new MemoryEnvironment()
    let late!: () => void
    env.add(
      toolOf('t', (_args, exec) => {
        late = () => exec.deferContext(context('late'))
        return 1
      }),
    )
    const result = await env.pipeline.execute(callOf('t'))
    expect(late).toThrow(expect.objectContaining({ code: 'CALL_ENDED' }))
    expect(result).not.toHaveProperty('additionalContexts')
  })
})

describe('concludeTurn', () => {
  it('[D10] marks a success, and that of its own attempt alone', async () => {
    const env = new MemoryEnvironment()
    let attempt = 0
    env.add(
      toolOf('t', (_args, exec) => {
        attempt += 1
        if (attempt === 1) exec.concludeTurn()
        return attempt
      }),
    )
    expect(await env.pipeline.execute(callOf('t'))).toMatchObject({ value: 1, concludesTurn: true })
    attempt = 0
    env.ctx.on('tools/execute', async (_execution, next) => {
      await next()
      return next()
    })
    expect(await env.pipeline.execute(callOf('t'))).not.toHaveProperty('concludesTurn')
  })

  it('[D10] marks no failure', async () => {
    const env = new MemoryEnvironment()
    env.add(
      toolOf('t', (_args, exec) => {
        exec.concludeTurn()
        throw new Error('failed')
      }),
    )
    expect(await env.pipeline.execute(callOf('t'))).not.toHaveProperty('concludesTurn')
  })
})
