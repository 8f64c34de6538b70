// Random interleavings: the world answers in any order, and the caller cancels at any moment. Whatever happens, a call has
// exactly one published outcome, and it is one that contract E allows for what had happened by then.
import { getEventListeners } from 'node:events'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Agent } from '../../../src/scope/agent.ts'
import type { ToolExecutionResult } from '../../../src/tools/result.ts'
import { callOf, MemoryEnvironment, toolOf } from '../../support/memory-environment.ts'

type Policy = 'none' | 'next' | 'deny' | 'ask' | 'throw'
type Wrapper = 'none' | 'next' | 'retry' | 'signal' | 'race' | 'answer' | 'throw'
type Body = 'return' | 'throw' | 'obey'
type Post = 'none' | 'next' | 'value' | 'block' | 'throw'

interface Plan {
  readonly policy: Policy
  readonly approval: 'allowed-once' | 'rejected' | 'cancelled'
  readonly guard: boolean
  readonly wrapper: Wrapper
  readonly body: Body
  readonly post: Post
}

const planArbitrary: fc.Arbitrary<Plan> = fc.record({
  policy: fc.constantFrom<Policy>('none', 'next', 'deny', 'ask', 'throw'),
  approval: fc.constantFrom('allowed-once', 'rejected', 'cancelled'),
  guard: fc.boolean(),
  wrapper: fc.constantFrom<Wrapper>('none', 'next', 'retry', 'signal', 'race', 'answer', 'throw'),
  body: fc.constantFrom<Body>('return', 'throw', 'obey'),
  post: fc.constantFrom<Post>('none', 'next', 'value', 'block', 'throw'),
})

/** What had happened when the abort came, and in all. */
class Facts {
  abortedAt: 'entry' | 'before-body' | 'body' | 'after-body' | undefined
  bodies = 0
  open = 0
  published: ToolExecutionResult[] = []
  finalized = 0

  noteAbort(entered: boolean): void {
    if (!entered) this.abortedAt = 'entry'
    else if (this.bodies === 0) this.abortedAt = 'before-body'
    else this.abortedAt = this.open > 0 ? 'body' : 'after-body'
  }
}

function arrange(plan: Plan, pause: (label: string) => Promise<void>, facts: Facts): MemoryEnvironment {
  const env = new MemoryEnvironment()
  const { ctx } = env
  env.add(
    toolOf(
      't',
      async (_args, exec) => {
        facts.bodies += 1
        facts.open += 1
        await pause('body')
        await pause('body again')
        facts.open -= 1
        if (plan.body === 'throw') throw new Error('body')
        if (plan.body === 'obey' && exec.signal.aborted) throw new Error('stopped')
        return 1
      },
      { finalizeContent: () => void facts.finalized++ },
    ),
  )
  if (plan.policy !== 'none') {
    ctx.on('tools/pre-execute', async (_execution, next) => {
      await pause('policy')
      if (plan.policy === 'throw') throw new Error('policy')
      if (plan.policy === 'deny') return { kind: 'deny', reason: 'denied' }
      return plan.policy === 'ask' ? { kind: 'ask' } : next()
    })
  }
  env.service = { request: () => pause('approval').then(() => plan.approval) }
  if (plan.guard) env.guardList.push(() => 'guard')
  if (plan.wrapper !== 'none') {
    ctx.on('tools/execute', async (execution, next) => {
      await pause('wrapper')
      if (plan.wrapper === 'throw') throw new Error('wrapper')
      if (plan.wrapper === 'answer') return { isError: false, value: 2, content: [] }
      if (plan.wrapper === 'signal') execution.signal = new AbortController().signal
      if (plan.wrapper === 'race') return Promise.race([next(), pause('race').then(() => raise('raced'))])
      const result = await next()
      await pause('wrapper out')
      return plan.wrapper === 'retry' && result.isError ? next() : result
    })
  }
  if (plan.post !== 'none') {
    ctx.on('tools/post-execute', async (_execution, _result, next) => {
      await pause('post')
      if (plan.post === 'throw') throw new Error('post')
      if (plan.post === 'block') return { kind: 'block', feedback: 'blocked' }
      return plan.post === 'value' && !_result.isError ? { kind: 'accept', value: 3 } : next()
    })
  }
  ctx.on('tools/result', (_execution, result) => void facts.published.push(result))
  return env
}

/** Why the outcome is not one that E allows, or nothing. */
function problemOf(plan: Plan, facts: Facts, result: ToolExecutionResult): string | undefined {
  const code = result.isError ? (result.error.info?.code ?? result.error.message) : 'success'
  const { abortedAt, bodies } = facts
  if (facts.open > 0) return 'a body was abandoned'
  if (abortedAt === undefined && code.startsWith('ABORTED') && plan.approval !== 'cancelled')
    return `${code} without abort`
  if (abortedAt === 'entry' && (code !== 'ABORTED_BEFORE_DISPATCH' || bodies > 0))
    return `${code} after an abort on entry`
  if (code === 'ABORTED_BEFORE_DISPATCH' && bodies > 0 && plan.wrapper !== 'retry') return `${code}, but a body ran`
  if (code === 'ABORTED' && bodies === 0) return `${code}, but no body ran`
  // An abort while the body runs can never end in a success; nor can one that came before.
  if (code === 'success' && abortedAt !== undefined && abortedAt !== 'after-body') return `success after ${abortedAt}`
  if (code === 'success' && bodies === 0 && plan.wrapper !== 'answer') return 'success without a body'
  const refusal = plan.policy === 'deny' || plan.policy === 'throw' || plan.guard
  if (refusal && bodies > 0) return 'a body ran that policy had refused'
  return undefined
}

describe('any interleaving', () => {
  it('[D1, D11, D12, E1, E2] gives one published outcome that the clauses allow', async () => {
    const seen = new Set<string>()
    const property = fc.asyncProperty(
      planArbitrary,
      fc.constantFrom('entry', 'meanwhile', 'never'),
      fc.scheduler(),
      async (plan, abort, scheduler) => {
        const facts = new Facts()
        const pause = (label: string) => scheduler.schedule(Promise.resolve(), label)
        const env = arrange(plan, pause, facts)
        const controller = new AbortController()
        let done = false
        const cancel = (entered: boolean) => {
          if (done) return
          facts.noteAbort(entered)
          controller.abort()
        }
        if (abort === 'entry') cancel(false)
        if (abort === 'meanwhile') void pause('abort').then(() => cancel(true))
        const call = callOf('t', { signal: controller.signal, agent: { id: 'main' } as Agent })
        const running = env.pipeline.execute(call).then((result) => {
          done = true
          return result
        })
        const result = await scheduler.waitFor(running)
        seen.add(result.isError ? (result.error.info?.code ?? result.error.message) : 'success')
        expect(problemOf(plan, facts, result)).toBeUndefined()
        expect(facts.published).toEqual([result])
        expect(facts.finalized).toBe(1)
        expect(getEventListeners(controller.signal, 'abort')).toEqual([])
      },
    )
    await fc.assert(property, { seed: 5, numRuns: 600 })
    // The runs were no monotony: every kind of outcome came up.
    for (const code of [
      'success',
      'ABORTED',
      'ABORTED_BEFORE_DISPATCH',
      'TOOL_DENIED',
      'TOOL_BLOCKED',
      'raced',
      'body',
    ]) {
      expect([...seen]).toContain(code)
    }
  })

  it('[D15, E1] gives every call of a batch one published outcome, in order of submission', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.record({ exclusive: fc.boolean(), abort: fc.boolean() }), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 3 }),
      fc.scheduler(),
      async (plans, maxParallel, scheduler) => {
        const env = new MemoryEnvironment()
        const pause = (label: string) => scheduler.schedule(Promise.resolve(), label)
        const body = async (args: { index: number }) => {
          await pause(`body ${args.index}`)
          return args.index
        }
        env.add(toolOf('par', body, { isConcurrencySafe: () => true }))
        env.add(toolOf('exc', body))
        env.ctx.on('tools/pre-execute', (_execution, next) => pause('policy').then(next))
        env.ctx.on('tools/post-execute', (_execution, _result, next) => pause('post').then(next))
        const published = env.observe()
        const controllers = plans.map(() => new AbortController())
        const inputs = plans.map(({ exclusive }, index) =>
          callOf(exclusive ? 'exc' : 'par', {
            arguments: { index },
            signal: controllers[index]?.signal as AbortSignal,
          }),
        )
        for (const [index, { abort }] of plans.entries()) {
          if (abort) void pause(`abort ${index}`).then(() => controllers[index]?.abort())
        }
        const results = await scheduler.waitFor(env.pipeline.executeBatch(inputs, { maxParallel }))
        expect(results.length).toBe(plans.length)
        for (const [index, result] of results.entries()) {
          if (result.isError) expect(result.error.info?.code).toMatch(/^ABORTED/)
          else expect(result.value).toBe(index)
          if (!plans[index]?.abort) expect(result.isError).toBe(false)
        }
        expect(new Set(published.map((entry) => entry.execution.callId)).size).toBe(plans.length)
        expect(published.length).toBe(plans.length)
      },
    )
    await fc.assert(property, { seed: 15, numRuns: 150 })
  })
})

function raise(message: string): never {
  throw new Error(message)
}
