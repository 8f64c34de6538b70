import { describe, expect, it } from 'vitest'
import type { Agent } from '../../../src/scope/agent.ts'
import type { ApprovalRequest } from '../../../src/tools/environment.ts'
import { callOf, gate, isDeeplyFrozen, MemoryEnvironment, settled, toolOf } from '../../support/memory-environment.ts'

const agent = { id: 'main' } as Agent

function environment(decision?: unknown): MemoryEnvironment & { readonly bodies: string[] } {
  const bodies: string[] = []
  const env = Object.assign(new MemoryEnvironment(), { bodies })
  env.add(toolOf('t', () => bodies.push('ran')))
  if (decision !== undefined) env.ctx.on('tools/pre-execute', () => decision as never)
  return env
}

describe('tools/pre-execute', () => {
  it('[D4] allows with a decision of its own, or what next gives', async () => {
    for (const env of [environment({ kind: 'allow' }), environment()]) {
      if (env.bodies.length === 0) env.ctx.on('tools/pre-execute', (_execution, next) => next())
      expect(await env.pipeline.execute(callOf('t'))).toMatchObject({ isError: false })
      expect(env.bodies).toEqual(['ran'])
    }
  })

  it('[D4] denies with the reason', async () => {
    const env = environment({ kind: 'deny', reason: 'not on Sundays' })
    expect(await env.pipeline.execute(callOf('t'))).toEqual({
      isError: true,
      error: { message: 'not on Sundays', info: { name: 'HarnessError', code: 'TOOL_DENIED' } },
      content: [{ type: 'text', text: 'Error: not on Sundays' }],
    })
    expect(env.bodies).toEqual([])
  })

  it('[D4] hands on the info of a denial: name and code as error.info, all of it as meta of a top-level call', async () => {
    const info = { name: 'RuleError', code: 'RULE_7', rule: 7 }
    const env = environment({ kind: 'deny', reason: 'rule 7', info })
    const expected = { message: 'rule 7', info: { name: 'RuleError', code: 'RULE_7' } }
    const result = await env.pipeline.execute(callOf('t'))
    expect(result).toMatchObject({ error: expected, meta: info })
    expect(isDeeplyFrozen(result)).toBe(true)
    const nested = await env.pipeline.execute(callOf('t', { parent: Symbol('outer') as never }))
    expect(nested).toMatchObject({ error: expected })
    expect(nested).not.toHaveProperty('meta')
  })

  it('[D4] makes a denial without words readable', async () => {
    const result = await environment({ kind: 'deny', reason: ' ' }).pipeline.execute(callOf('t'))
    expect(result).toMatchObject({ error: { message: 'Tool "t" was denied; no reason was given.' } })
  })

  it('[D4] cancels with the canonical result', async () => {
    const env = environment({ kind: 'cancel' })
    const result = await env.pipeline.execute(callOf('t'))
    const cancelled = new AbortController()
    cancelled.abort()
    expect(result).toEqual(await environment().pipeline.execute(callOf('t', { signal: cancelled.signal })))
    expect(result).toMatchObject({ error: { info: { code: 'ABORTED_BEFORE_DISPATCH' } } })
    expect(env.bodies).toEqual([])
  })

  const garbage: [string, unknown][] = [
    ['null', null],
    ['true', true],
    ['a word', 'allow'],
    ['no kind', {}],
    ['an unknown kind', { kind: 'permit' }],
    ['a denial without a reason', { kind: 'deny' }],
    ['a denial with a reason that is no text', { kind: 'deny', reason: 7 }],
    ['a reason to ask that is no text', { kind: 'ask', reason: {} }],
    ['an inherited function', { kind: 'constructor' }],
  ]

  it.each(garbage)('[D4] fails closed on %s', async (_name, decision) => {
    const env = environment(decision)
    const result = await env.pipeline.execute(callOf('t', { agent }))
    expect(result).toMatchObject({ isError: true, error: { info: { code: 'INVALID_POLICY_DECISION' } } })
    expect(env.bodies).toEqual([])
  })

  it('[D4] fails closed on a listener that forgets to answer', async () => {
    const env = environment()
    env.ctx.on('tools/pre-execute', () => undefined as never)
    const result = await env.pipeline.execute(callOf('t'))
    expect(result.isError && result.error.message).toMatch(/answered undefined; it must answer/)
    expect(env.bodies).toEqual([])
  })

  it('[D4] gives listeners an execution that they cannot change', async () => {
    const env = environment()
    const attempts: unknown[] = []
    env.ctx.on('tools/pre-execute', (execution, next) => {
      for (const key of ['arguments', 'name', 'signal', 'token']) {
        attempts.push(Reflect.set(execution, key, 'changed'))
      }
      return next()
    })
    await env.pipeline.execute(callOf('t'))
    expect(attempts).toEqual([false, false, false, false])
  })
})

describe('guards', () => {
  it('[C7] deny with a string, whatever listeners say', async () => {
    const env = environment({ kind: 'allow' })
    env.guardList.push(
      () => undefined,
      () => 'guarded',
      () => {
        throw new Error('the first denial is enough')
      },
    )
    const result = await env.pipeline.execute(callOf('t'))
    expect(result).toMatchObject({ error: { message: 'guarded', info: { code: 'TOOL_DENIED' } } })
    expect(env.bodies).toEqual([])
  })

  it('[C7] come after an approval, and are final', async () => {
    const env = environment({ kind: 'ask' })
    env.service = { request: async () => 'allowed-once' }
    env.guardList.push(() => '')
    expect(await env.pipeline.execute(callOf('t', { agent }))).toMatchObject({
      error: { info: { code: 'TOOL_DENIED' } },
    })
    expect(env.bodies).toEqual([])
  })

  it('[C7] iterate live', async () => {
    const env = environment()
    env.guardList.push(() => {
      if (env.guardList.length < 3) env.guardList.push(() => (env.guardList.length < 3 ? undefined : 'the last one'))
      return undefined
    })
    const first = await env.pipeline.execute(callOf('t'))
    expect(first.isError).toBe(false)
    expect(await env.pipeline.execute(callOf('t'))).toMatchObject({ error: { message: 'the last one' } })
  })

  it.each([[async () => 'no'], [() => Promise.reject(new Error('late'))], [() => null], [() => true], [() => ({})]])(
    '[C7] fail closed on the answer of %s',
    async (guard) => {
      const unhandled: unknown[] = []
      const listener = (reason: unknown) => void unhandled.push(reason)
      process.on('unhandledRejection', listener)
      const env = environment()
      env.guardList.push(guard as never)
      const result = await env.pipeline.execute(callOf('t'))
      expect(result).toMatchObject({ error: { info: { code: 'INVALID_POLICY_DECISION' } } })
      expect(env.bodies).toEqual([])
      await settled()
      process.off('unhandledRejection', listener)
      expect(unhandled).toEqual([])
    },
  )
})

describe('approval', () => {
  const ask = { kind: 'ask', reason: 'writes a file', displayReason: 'May it write?' }

  it('[D5] denies when there is nobody to ask', async () => {
    const env = environment(ask)
    const unmounted = await env.pipeline.execute(callOf('t', { agent }))
    env.service = { request: () => Promise.reject(new Error('must not be asked')) }
    const unowned = await env.pipeline.execute(callOf('t'))
    const messages = [unmounted, unowned].map((result) => result.isError && result.error.message)
    expect(messages[0]).toMatch(/needs approval \(writes a file\), and no approval service is mounted/)
    expect(messages[1]).toMatch(/a call without an agent has nobody to ask/)
    expect(env.bodies).toEqual([])
  })

  it('[D5, R4] asks with what a person needs to see', async () => {
    const env = environment(ask)
    const requests: ApprovalRequest[] = []
    env.service = {
      request: async (request) => {
        requests.push(request)
        return 'allowed-once'
      },
    }
    const call = callOf('t', { agent, arguments: { path: '/x' } })
    const phases: string[] = []
    await env.pipeline.execute(call, { program: 'await tools.t()', onApproval: (state) => phases.push(state) })
    await env.pipeline.execute(callOf('t', { agent }))
    expect(requests[0]).toEqual({
      agent,
      toolName: 't',
      callId: call.callId,
      arguments: { path: '/x' },
      reason: 'writes a file',
      displayReason: 'May it write?',
      program: 'await tools.t()',
      signal: call.signal,
    })
    expect(requests[1]).not.toHaveProperty('program')
    expect(Object.isFrozen(requests[0])).toBe(true)
    expect(phases).toEqual(['asked', 'answered'])
    expect(env.bodies).toEqual(['ran', 'ran'])
  })

  it('[D5] denies with a reason of its own for each outcome', async () => {
    const messages = new Set<string>()
    for (const outcome of ['rejected', 'cancelled', 'unavailable'] as const) {
      const env = environment(ask)
      env.service = { request: async () => outcome }
      const result = await env.pipeline.execute(callOf('t', { agent }))
      expect(result).toMatchObject({ error: { info: { code: 'TOOL_DENIED' } } })
      if (result.isError) messages.add(result.error.message)
      expect(env.bodies).toEqual([])
    }
    expect(messages.size).toBe(3)
  })

  it.each([['allowed'], [undefined], [true], [{}], ['constructor']])(
    '[D5] makes an error of the unknown outcome %s',
    async (outcome) => {
      const env = environment(ask)
      env.service = { request: async () => outcome as never }
      const result = await env.pipeline.execute(callOf('t', { agent }))
      expect(result).toMatchObject({ error: { info: { code: 'INVALID_POLICY_DECISION' } } })
      expect(env.bodies).toEqual([])
    },
  )

  it('[D5, D13] makes an error of a service that throws', async () => {
    const phases: string[] = []
    const failing = [() => Promise.reject(new Error('no service')), () => raise()]
    for (const request of failing) {
      const env = environment(ask)
      env.service = { request }
      const onApproval = (state: string) => phases.push(state)
      const result = await env.pipeline.execute(callOf('t', { agent }), { onApproval })
      expect(result).toMatchObject({ error: { message: 'no service' } })
      expect(env.bodies).toEqual([])
    }
    expect(phases).toEqual(['asked', 'answered', 'asked', 'answered'])
  })

  it('[D5, E1] is no denial when the request was cancelled because the call was', async () => {
    const env = environment(ask)
    const answer = gate<'cancelled'>()
    env.service = { request: () => answer.promise }
    const controller = new AbortController()
    const running = env.pipeline.execute(callOf('t', { agent, signal: controller.signal }))
    await settled()
    controller.abort()
    answer.open('cancelled')
    expect(await running).toMatchObject({ error: { info: { code: 'ABORTED_BEFORE_DISPATCH' } } })
  })

  it.each(['ask', 'allow'] as const)('[E1] asks nobody else once a call is cancelled (%s)', async (kind) => {
    const env = environment()
    const asked: string[] = []
    const controller = new AbortController()
    env.ctx.on('tools/pre-execute', () => {
      controller.abort()
      return { kind }
    })
    env.service = {
      request: async () => {
        asked.push('approval')
        return 'allowed-once'
      },
    }
    env.guardList.push(() => void asked.push('guard'))
    const result = await env.pipeline.execute(callOf('t', { agent, signal: controller.signal }))
    expect(result).toMatchObject({ error: { info: { code: 'ABORTED_BEFORE_DISPATCH' } } })
    expect(asked).toEqual([])
  })
})

function raise(): never {
  throw new Error('no service')
}
