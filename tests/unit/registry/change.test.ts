import type { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import type { Registry } from '../../../src/registry/registry.ts'
import { createAgent } from '../../../src/scope/agent.ts'
import { coded, createRegistry, tool } from './support.ts'

type Act = (registry: Registry, ctx: Context) => () => void
const ACTS: Readonly<Record<string, Act>> = {
  register: (registry, ctx) => registry.register(ctx, tool('new')),
  reserve: (registry, ctx) => registry.reserve(ctx, 'new'),
  restrict: (registry, ctx) => registry.restrict(ctx, { deny: ['base'] }),
  presentAs: (registry, ctx) => registry.presentAs(ctx, 'both'),
}

function setup() {
  const fixture = createRegistry()
  const { ctx, registry } = fixture
  registry.register(ctx, tool('base'))
  const agent = createAgent(ctx, { id: 'a' })
  const view = () => ({
    tools: registry.list(agent).map(({ definition }) => definition.name),
    known: [...registry.knownNames(agent)],
    presentation: registry.presentation(agent),
  })
  return { ...fixture, agent, view }
}

describe.each(Object.entries(ACTS))('tools/change on %s', (_name, act) => {
  it('[C10] is emitted, unfiltered, when it happens and when it ends', async () => {
    const { ctx, registry, agent, view } = setup()
    const other = createAgent(ctx, { id: 'other' })
    const before = view()
    const seen: unknown[] = []
    other.ctx.on('tools/change', () => void seen.push(view()))
    const dispose = act(registry, agent.ctx)
    const after = view()
    dispose()
    expect(seen).toEqual([after, before])
    expect(after).not.toEqual(before)
    act(registry, agent.ctx)
    await agent.dispose()
    expect(seen).toEqual([after, before, after, before])
  })

  it('[C10] a listener that throws rolls it back; the undo emits once more and logs what is thrown', () => {
    const { ctx, registry, agent, view, logged } = setup()
    const before = view()
    const seen: unknown[] = []
    const errors = [new Error('objection'), new Error('on the undo')]
    const stop = ctx.on('tools/change', () => {
      seen.push(view())
      throw errors[seen.length - 1]
    })
    let heardLater = 0
    ctx.on('tools/change', () => void heardLater++)
    expect(() => act(registry, agent.ctx)).toThrow(errors[0])
    expect(view()).toEqual(before)
    expect(seen).toHaveLength(2)
    expect(seen[0]).not.toEqual(before)
    expect(seen[1]).toEqual(before)
    expect(logged).toEqual([errors[1]])
    // The undo reaches those behind the one that throws; the first emission did not.
    expect(heardLater).toBe(1)
    expect(agent.ctx.fiber.getEffects()).toEqual([])
    stop()
    act(registry, agent.ctx)
    expect(view()).not.toEqual(before)
  })

  it('[C10] what a listener throws on a disposal is logged, reaches nobody and stops no other', async () => {
    const { ctx, registry, agent, view, logged } = setup()
    const before = view()
    const dispose = act(registry, agent.ctx)
    const error = new Error('too late')
    ctx.on('tools/change', () => {
      throw error
    })
    let heard = 0
    ctx.on('tools/change', () => void heard++)
    dispose()
    expect(view()).toEqual(before)
    expect(logged).toEqual([error])
    expect(heard).toBe(1)
  })
})

describe('tools/change', () => {
  it('[C10] a refused registration changes nothing and announces nothing', () => {
    const { ctx, registry, agent } = setup()
    let heard = 0
    ctx.on('tools/change', () => void heard++)
    const version = registry.version
    expect(() => registry.register(ctx, tool('base'))).toThrow(coded('DUPLICATE_TOOL'))
    expect(() => registry.register(ctx, tool('bad', { output: undefined }))).toThrow(coded('INVALID_TOOL_DEFINITION'))
    expect(() => registry.restrict(agent.ctx, {})).toThrow(coded('INVALID_RESTRICTION'))
    expect([heard, registry.version]).toEqual([0, version])
  })

  it('[C10] a rejection of an asynchronous listener is logged', async () => {
    const { ctx, registry, logged } = setup()
    const error = new Error('later')
    ctx.on('tools/change', (async () => {
      throw error
    }) as () => void)
    const dispose = registry.register(ctx, tool('new'))
    dispose()
    await new Promise(setImmediate)
    expect(logged).toEqual([error, error])
    expect(registry.get('new')).toBeUndefined()
  })

  it('[C10] a listener may end the registering fiber while it is told', async () => {
    const { ctx, registry } = setup()
    const fiber = await ctx.plugin(function victim() {})
    let ended: Promise<void> | undefined
    ctx.on('tools/change', () => {
      ended ??= fiber.ctx.fiber.dispose()
    })
    registry.register(fiber.ctx, tool('new'))
    await ended
    expect(registry.get('new')).toBeUndefined()
  })

  it('[C10] a host without its own undo still gets the emission, and its throw is logged', async () => {
    const { ctx } = setup()
    const { Registry: Plain } = await import('../../../src/registry/registry.ts')
    const logged: unknown[] = []
    let emitted = 0
    const registry = new Plain({
      emitChange() {
        emitted += 1
        if (emitted > 1) throw new Error(`${emitted}`)
      },
      log: (error) => logged.push((error as Error).message),
    })
    registry.register(ctx, tool('a'))()
    expect(logged).toEqual(['2'])
    expect(() => registry.register(ctx, tool('a'))).toThrow('3')
    expect(logged).toEqual(['2', '4'])
  })
})
