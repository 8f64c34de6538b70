import { describe, expect, it } from 'vitest'
import type { Agent } from '../../../src/scope/agent.ts'
import type { ApprovalOutcome } from '../../../src/tools/environment.ts'
import type { ToolExecutionInput } from '../../../src/tools/execution.ts'
import { callOf, type Gate, gate, MemoryEnvironment, settled, toolOf } from '../../support/memory-environment.ts'

/**
 * Two tools, `par` and `exc`, whose bodies wait at a gate named by `args.id`; every stage writes down what it sees.
 */
class World {
  readonly env = new MemoryEnvironment()
  readonly trace: string[] = []
  readonly gates = new Map<string, Gate<unknown>>()

  constructor() {
    const body = async (args: { id: string }) => {
      this.trace.push(`${args.id} body`)
      await this.gate(args.id).promise
      this.trace.push(`${args.id} /body`)
      return args.id
    }
    this.env.add(toolOf('par', body, { isConcurrencySafe: () => true }))
    this.env.add(toolOf('exc', body))
    this.env.guardList.push((execution) => void this.trace.push(`${idOf(execution)} guard`))
    this.env.ctx.on('tools/pre-execute', async (execution, next) => {
      this.trace.push(`${idOf(execution)} policy`)
      await Promise.resolve()
      return next()
    })
    this.env.ctx.on('tools/post-execute', async (execution, _result, next) => {
      this.trace.push(`${idOf(execution)} post`)
      await settled()
      this.trace.push(`${idOf(execution)} /post`)
      return next()
    })
  }

  gate(id: string): Gate<unknown> {
    const known = this.gates.get(id) ?? gate<unknown>()
    this.gates.set(id, known)
    return known
  }

  call(id: string, name: 'par' | 'exc', more: Partial<ToolExecutionInput> = {}): ToolExecutionInput {
    return callOf(name, { callId: id, arguments: { id }, ...more })
  }

  async open(...ids: string[]): Promise<void> {
    for (const id of ids) {
      this.gate(id).open(undefined)
      await settled()
      await settled()
    }
  }

  /** What happened since the last look. */
  async news(): Promise<string> {
    await settled()
    return this.trace.splice(0).join(', ')
  }
}

const idOf = (execution: { readonly arguments: unknown }): string => (execution.arguments as { id: string }).id

describe('executeBatch', () => {
  it('[D15] answers in order of submission, whatever the order of completion', async () => {
    const world = new World()
    const running = world.env.pipeline.executeBatch(['a', 'b', 'c'].map((id) => world.call(id, 'par')))
    await world.open('c', 'a', 'b')
    expect((await running).map((result) => !result.isError && result.value)).toEqual(['a', 'b', 'c'])
  })

  it('[D15] decides one call at a time in order of submission, and overlaps parallel bodies', async () => {
    const world = new World()
    const running = world.env.pipeline.executeBatch(['a', 'b'].map((id) => world.call(id, 'par')))
    expect(await world.news()).toBe('a policy, a guard, a body, b policy, b guard, b body')
    await world.open('b', 'a')
    expect(await world.news()).toBe('b /body, b post, b /post, a /body, a post, a /post')
    await running
  })

  it('[D15] drains for an exclusive call, which bars later ones until its post-execute is done', async () => {
    const world = new World()
    const calls = [world.call('a', 'par'), world.call('b', 'exc'), world.call('c', 'par')]
    const running = world.env.pipeline.executeBatch(calls)
    expect(await world.news()).toBe('a policy, a guard, a body')
    await world.open('a')
    expect(await world.news()).toBe('a /body, a post, a /post, b policy, b guard, b body')
    await world.open('b')
    expect(await world.news()).toBe('b /body, b post, b /post, c policy, c guard, c body')
    await world.open('c')
    await running
  })

  it('[D15] runs post-execute one at a time in order of completion', async () => {
    const world = new World()
    const running = world.env.pipeline.executeBatch(['a', 'b', 'c'].map((id) => world.call(id, 'par')))
    await world.news()
    for (const id of ['c', 'a', 'b']) world.gate(id).open(undefined)
    await running
    expect(await world.news()).toBe('c /body, a /body, b /body, c post, c /post, a post, a /post, b post, b /post')
  })

  it('[D15] keeps to the cap', async () => {
    const world = new World()
    const calls = ['a', 'b', 'c'].map((id) => world.call(id, 'par'))
    const running = world.env.pipeline.executeBatch(calls, { maxParallel: 2 })
    expect(await world.news()).toBe('a policy, a guard, a body, b policy, b guard, b body')
    await world.open('b')
    expect(await world.news()).toBe('b /body, b post, b /post, c policy, c guard, c body')
    await world.open('a', 'c')
    await running
  })

  it('[D15] holds back later starts alone while a call waits for approval', async () => {
    const world = new World()
    const answer = gate<ApprovalOutcome>()
    world.env.service = { request: () => answer.promise }
    world.env.ctx.on('tools/pre-execute', (execution, next) => (idOf(execution) === 'b' ? { kind: 'ask' } : next()))
    const agent = { id: 'main' } as Agent
    const running = world.env.pipeline.executeBatch(['a', 'b', 'c'].map((id) => world.call(id, 'par', { agent })))
    expect(await world.news()).toBe('a policy, a guard, a body, b policy')
    await world.open('a')
    expect(await world.news()).toBe('a /body, a post, a /post')
    answer.open('rejected')
    expect(await world.news()).toBe('c policy, c guard, c body')
    await world.open('c')
    expect((await running).map((result) => result.isError)).toEqual([false, true, false])
  })

  it('[D2, D15] reads arguments once, at submission', async () => {
    const world = new World()
    const reads: string[] = []
    const input = (id: string): ToolExecutionInput =>
      Object.defineProperty(world.call(id, 'par'), 'arguments', {
        get: () => {
          reads.push(id)
          return { id }
        },
      })
    const running = world.env.pipeline.executeBatch([input('a'), input('b')], { maxParallel: 1 })
    expect(reads).toEqual(['a', 'b'])
    await world.open('a', 'b')
    await running
    expect(reads).toEqual(['a', 'b'])
  })

  it('[D1, D15] gives every call a result, refused and broken ones included', async () => {
    const world = new World()
    const calls = [
      world.call('a', 'par', { arguments: new Date() }),
      world.call('hole', 'par'),
      callOf('unheard', { arguments: { id: 'x' } }),
      world.call('b', 'par', { signal: AbortSignal.abort() }),
      world.call('c', 'exc'),
    ]
    delete calls[1]
    const running = world.env.pipeline.executeBatch(calls)
    await world.open('c')
    expect((await running).map((result) => (result.isError ? result.error.info?.code : result.value))).toEqual([
      'NOT_LOSSLESS_JSON',
      'INVALID_CALL',
      'UNKNOWN_TOOL',
      'ABORTED_BEFORE_DISPATCH',
      'c',
    ])
    expect(await world.env.pipeline.executeBatch([])).toEqual([])
  })

  it.each([0, -1, 0.5, Number.NaN, '2' as never])('[D15, H3] refuses %s as maxParallel', async (maxParallel) => {
    const { pipeline } = new MemoryEnvironment()
    await expect(pipeline.executeBatch([], { maxParallel })).rejects.toMatchObject({ code: 'INVALID_CONFIG' })
    expect(() => pipeline.scheduler({ maxParallel })).toThrow(/positive integer/)
  })

  it.each([undefined, null, {}, 'calls'])('[D15] refuses %s as a batch', async (calls) => {
    const { pipeline } = new MemoryEnvironment()
    await expect(pipeline.executeBatch(calls as never)).rejects.toMatchObject({ code: 'INVALID_CALL' })
  })
})

describe('CallScheduler', () => {
  it('[H3, H11] answers what became of each call', async () => {
    const world = new World()
    const scheduler = world.env.pipeline.scheduler()
    const started: string[] = []
    const submit = (id: string, name: 'par' | 'exc', more = {}) =>
      scheduler.submit(world.call(id, name, more), { onStart: () => started.push(id) })
    const calls = [submit('a', 'par'), submit('b', 'par', { name: 'unheard' }), submit('c', 'exc'), submit('d', 'par')]
    await world.open('a')
    expect(started).toEqual(['a', 'b', 'c'])
    scheduler.close()
    expect(await calls[3]).toEqual({ outcome: 'not-started' })
    let idle = false
    const draining = scheduler.idle().then(() => {
      idle = true
    })
    expect(await scheduler.submit(world.call('late', 'par'))).toEqual({ outcome: 'not-started' })
    await settled()
    expect(idle).toBe(false)
    await world.open('c')
    await draining
    expect(await calls[0]).toEqual({ outcome: 'committed', result: expect.objectContaining({ value: 'a' }) })
    expect(await calls[1]).toMatchObject({ outcome: 'refused', result: { isError: true } })
    expect(await calls[2]).toMatchObject({ outcome: 'committed', result: { value: 'c' } })
    expect(started).toEqual(['a', 'b', 'c'])
  })

  it('[C9] takes the mode from what is visible when the call is next to start', async () => {
    const world = new World()
    const scheduler = world.env.pipeline.scheduler()
    const first = scheduler.submit(world.call('a', 'exc'))
    const second = scheduler.submit(world.call('b', 'par'))
    const third = scheduler.submit(world.call('c', 'par'))
    await world.news()
    world.env.add(toolOf('par', () => 'replaced'))
    await world.open('a')
    await Promise.all([first, second, third])
    // The tool that took its place declares nothing, so its calls do not overlap.
    expect(await world.news()).toBe(
      'a /body, a post, a /post, b policy, b guard, b post, b /post, c policy, c guard, c post, c /post',
    )
  })
})
