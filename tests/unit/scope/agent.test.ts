import { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import { type Agent, createAgent } from '../../../src/scope/agent.ts'
import { scopeChainOf } from '../../../src/scope/chain.ts'
import { scopeOf } from '../../../src/scope/scope.ts'

describe('createAgent', () => {
  it('[B3] gives id, scoped context and session, and is its own scope key', () => {
    const ctx = new Context()
    const session = { append() {} }
    const agent = createAgent(ctx, { id: 'main', session })
    expect(agent.id).toBe('main')
    expect(agent.session).toBe(session)
    expect(scopeOf(agent.ctx)).toBe(agent)
    expect('session' in createAgent(ctx, { id: 'silent' })).toBe(false)
    expect(Object.isFrozen(agent)).toBe(true)
  })

  it('[B3] stands below a parent agent, or below the key of a preset', () => {
    const ctx = new Context()
    const preset = {}
    const parent = createAgent(ctx, { id: 'parent', parent: preset })
    const child = createAgent(ctx, { id: 'child', parent })
    expect(scopeChainOf(child)).toEqual([child, parent, preset])
  })

  it('[B3] dispose releases what was registered through it, once, for every caller', async () => {
    const ctx = new Context()
    const agent = createAgent(ctx, { id: 'main' })
    let released = 0
    agent.ctx.effect(() => async () => {
      await Promise.resolve()
      released += 1
    })
    const first = agent.dispose()
    expect(agent.dispose()).toBe(first)
    await first
    expect(released).toBe(1)
    await agent.dispose()
    expect(released).toBe(1)
  })

  it('[B3] ends with the fiber that it was made in', async () => {
    const ctx = new Context()
    let agent: Agent | undefined
    const fiber = await ctx.plugin(function owner(inside: Context) {
      agent = createAgent(inside, { id: 'inner' })
    })
    let released = false
    agent!.ctx.effect(() => () => {
      released = true
    })
    await fiber.dispose()
    expect(released).toBe(true)
    await agent!.dispose()
  })

  it('[B3] refuses an id that is no text and a parent that is no key', () => {
    const ctx = new Context()
    for (const id of [undefined, '', 7, {}]) {
      expect(() => createAgent(ctx, { id: id as never })).toThrow(expect.objectContaining({ code: 'INVALID_SCOPE' }))
    }
    for (const parent of [null, 'main', 3]) {
      expect(() => createAgent(ctx, { id: 'a', parent: parent as never })).toThrow(
        expect.objectContaining({ code: 'INVALID_SCOPE' }),
      )
    }
  })
})
