import type { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import { createAgent } from '../../../src/scope/agent.ts'
import { createScope } from '../../../src/scope/scope.ts'
import { coded, createRegistry, tool } from './support.ts'

const names = (schemas: readonly { name: string }[]) => schemas.map(({ name }) => name)

describe('register', () => {
  it('[C1] files a tool in the layer of the calling context', () => {
    const { ctx, registry } = createRegistry()
    const agent = createAgent(ctx, { id: 'a' })
    const other = createAgent(ctx, { id: 'b' })
    registry.register(ctx, tool('read', { description: 'global' }))
    registry.register(agent.ctx, tool('read', { description: 'of a' }))
    registry.register(agent.ctx.extend({}), tool('own'))
    expect(registry.get('read')?.description).toBe('global')
    expect(registry.get('read', other)?.description).toBe('global')
    expect(registry.get('read', agent)?.description).toBe('of a')
    expect(names(registry.schemas(agent))).toEqual(['own', 'read'])
    expect(names(registry.schemas(other))).toEqual(['read'])
    expect(registry.get('own')).toBeUndefined()
  })

  it('[C1] returns the effect itself: a composite effect can yield it', async () => {
    const { ctx, registry } = createRegistry()
    let disposeAll = () => {}
    const fiber = await ctx.plugin(function bundle(inside: Context) {
      disposeAll = inside.effect(function* () {
        yield registry.register(inside, tool('a'))
        yield registry.reserve(inside, 'b')
      }, 'bundle')
    })
    expect(fiber.ctx.fiber.getEffects()).toEqual([
      {
        label: 'bundle',
        children: [
          { label: 'tools.register("a")', children: [] },
          { label: 'tools.reserve("b")', children: [] },
        ],
      },
    ])
    disposeAll()
    expect([...registry.knownNames()]).toEqual([])
    expect(fiber.ctx.fiber.getEffects()).toEqual([])
  })

  it('[C1] is undone by its disposer, once, and by the end of the calling fiber', async () => {
    const { ctx, registry } = createRegistry()
    const dispose = registry.register(ctx, tool('a'))
    dispose()
    expect(registry.get('a')).toBeUndefined()
    registry.register(ctx, tool('a', { description: 'second' }))
    // The spent disposer must not take the second registration away.
    dispose()
    expect(registry.get('a')?.description).toBe('second')
    const fiber = await ctx.plugin(function owner(inside: Context) {
      registry.register(inside, tool('b'))
    })
    expect(registry.get('b')).toBeDefined()
    await fiber.dispose()
    expect(registry.get('b')).toBeUndefined()
    expect(() => registry.register(fiber.ctx, tool('c'))).toThrow(expect.objectContaining({ code: 'INACTIVE_EFFECT' }))
    expect(registry.get('c')).toBeUndefined()
  })

  it('[C1] refuses a duplicate in one layer, and says how to register a per-agent variant', () => {
    const { ctx, registry } = createRegistry()
    const agent = createAgent(ctx, { id: 'a' })
    for (const where of [ctx, agent.ctx]) {
      registry.register(where, tool('read'))
      expect(() => registry.register(where, tool('read'))).toThrow(coded('DUPLICATE_TOOL', '"read"', 'agent.ctx.tools'))
    }
    // Two contexts of one scope share its layer.
    expect(() => registry.register(createScope(ctx, agent), tool('read'))).toThrow(coded('DUPLICATE_TOOL', '"read"'))
    expect(names(registry.schemas(agent))).toEqual(['read'])
  })

  it('[C1] reserves run_code everywhere', () => {
    const { ctx, registry } = createRegistry()
    for (const where of [ctx, createAgent(ctx, { id: 'a' }).ctx]) {
      expect(() => registry.register(where, tool('run_code'))).toThrow(coded('RESERVED_TOOL_NAME', 'run_code'))
      expect(() => registry.reserve(where, 'run_code')).toThrow(coded('RESERVED_TOOL_NAME', 'run_code'))
    }
    expect(registry.version).toBe(0)
  })

  it('[C1] takes any string as a name', () => {
    const { ctx, registry } = createRegistry()
    const exotic = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', ' ', 'a\nb', '\ud800', '0', 'ünï']
    for (const name of exotic) expect(registry.get(name)).toBeUndefined()
    for (const name of exotic) registry.register(ctx, tool(name))
    for (const name of exotic) expect(registry.resolve(name)?.definition.name).toBe(name)
    expect(names(registry.schemas())).toEqual(exotic.toSorted())
  })
})

describe('what a scope sees', () => {
  it('[C6] schemas are detached and hold exactly name, description and parameters', () => {
    const { ctx, registry } = createRegistry()
    const parameters = { type: 'object', properties: { path: { type: 'string' } } }
    registry.register(ctx, tool('a', { parameters, timeoutMs: 5, isConcurrencySafe: () => true }))
    const [schema] = registry.schemas()
    expect(Reflect.ownKeys(schema!)).toEqual(['name', 'description', 'parameters'])
    expect(schema).toEqual({ name: 'a', description: 'Does a.', parameters })
    // Neither the author's object nor a reader's copy is what the registry keeps.
    parameters.properties.path.type = 'changed by its author'
    Object.assign(schema!, { name: 'changed' })
    Object.assign((schema!.parameters as typeof parameters).properties.path, { type: 'changed by a reader' })
    expect(registry.schemas()).toEqual([
      { name: 'a', description: 'Does a.', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
    ])
  })

  it('[C6] an own `__proto__` property of a schema stays data', () => {
    const { ctx, registry } = createRegistry()
    const parameters = JSON.parse('{ "type": "object", "properties": { "__proto__": { "type": "string" } } }')
    registry.register(ctx, tool('a', { parameters }))
    expect(JSON.stringify(registry.schemas()[0]?.parameters)).toBe(JSON.stringify(parameters))
  })

  it('[C6] [F5] lists in lexicographic order by UTF-16 code unit, whatever was registered first', () => {
    const order = ['b', 'a10', 'B', 'a2', '\u{1F600}', '_', '\uFF5E', 'Ä', 'a']
    for (const sequence of [order, order.toReversed()]) {
      const { ctx, registry } = createRegistry()
      const agent = createAgent(ctx, { id: 'a' })
      sequence.forEach((name, index) => {
        registry.register(index % 2 === 0 ? ctx : agent.ctx, tool(name))
      })
      expect(registry.list(agent).map(({ definition }) => definition.name)).toEqual(order.toSorted())
    }
  })

  it('[C6] a list is frozen, and the same until a registration changes', () => {
    const { ctx, registry } = createRegistry()
    registry.register(ctx, tool('a'))
    const agent = createAgent(ctx, { id: 'a' })
    const before = registry.list(agent)
    expect(Object.isFrozen(before)).toBe(true)
    expect(registry.list(agent)).toBe(before)
    registry.register(ctx, tool('b'))
    expect(before).toHaveLength(1)
    expect(registry.list(agent)).toHaveLength(2)
  })

  it('[C6] [B2] follows the chain of a scope, also when it is bound late', () => {
    const { ctx, registry } = createRegistry()
    const preset = {}
    const agent = createAgent(ctx, { id: 'a' })
    registry.register(createScope(ctx, preset), tool('shared'))
    expect(registry.list(agent)).toEqual([])
    createScope(ctx, agent, { parent: preset })
    expect(names(registry.schemas(agent))).toEqual(['shared'])
  })

  it('[C6] the version rises with every change, and never without one', () => {
    const { ctx, registry } = createRegistry()
    const agent = createAgent(ctx, { id: 'a' })
    let last = registry.version
    const expectRise = <T>(act: () => T): T => {
      const result = act()
      expect(registry.version).toBeGreaterThan(last)
      last = registry.version
      return result
    }
    const disposers = [
      () => registry.register(ctx, tool('a')),
      () => registry.reserve(ctx, 'b'),
      () => registry.restrict(agent.ctx, { deny: ['a'] }),
      () => registry.presentAs(agent.ctx, 'code'),
    ].map(expectRise)
    registry.schemas(agent)
    registry.isAdmitted('a', agent)
    registry.guard(ctx, () => undefined)
    expect(registry.version).toBe(last)
    for (const dispose of disposers) expectRise(dispose)
  })
})

describe('reserve', () => {
  it('[C4] makes a name known and restrictable without showing it', () => {
    const { ctx, registry } = createRegistry()
    const agent = createAgent(ctx, { id: 'a' })
    expect(() => registry.restrict(agent.ctx, { deny: ['later'] })).toThrow(coded('INVALID_RESTRICTION', '"later"'))
    const release = registry.reserve(ctx, 'later')
    expect(registry.schemas(agent)).toEqual([])
    expect(registry.get('later', agent)).toBeUndefined()
    expect([...registry.knownNames(agent)]).toEqual(['later'])
    registry.restrict(agent.ctx, { deny: ['later'] })
    const unregister = registry.register(ctx, tool('later'))
    expect(names(registry.schemas())).toEqual(['later'])
    expect(registry.schemas(agent)).toEqual([])
    // The definition goes, the name stays; then the name goes too.
    unregister()
    expect([...registry.knownNames()]).toEqual(['later'])
    release()
    expect([...registry.knownNames()]).toEqual([])
  })

  it('[C4] refuses a second reservation in the layer, and names that are none', () => {
    const { ctx, registry } = createRegistry()
    const agent = createAgent(ctx, { id: 'a' })
    registry.reserve(ctx, 'x')
    expect(() => registry.reserve(ctx, 'x')).toThrow(coded('DUPLICATE_TOOL', '"x"', 'reserved'))
    registry.reserve(agent.ctx, 'x')
    registry.register(ctx, tool('y'))
    registry.reserve(ctx, 'y')
    for (const bad of ['', undefined, 7]) {
      expect(() => registry.reserve(ctx, bad as never)).toThrow(coded('INVALID_TOOL_DEFINITION', 'name'))
    }
  })

  it('[C4] a reservation of one scope is unknown to the others, and not restrictable by itself', () => {
    const { ctx, registry } = createRegistry()
    const agent = createAgent(ctx, { id: 'a' })
    const child = createAgent(ctx, { id: 'child', parent: agent })
    const other = createAgent(ctx, { id: 'other' })
    registry.reserve(agent.ctx, 'x')
    registry.restrict(child.ctx, { deny: ['x'] })
    for (const where of [agent, other]) {
      expect(() => registry.restrict(where.ctx, { deny: ['x'] })).toThrow(coded('INVALID_RESTRICTION', '"x"'))
    }
  })
})

describe('lifetime', () => {
  it('[C1] [C10] a fiber that is reloaded a thousand times leaves the registry as it was', async () => {
    const { ctx, registry } = createRegistry()
    const agent = createAgent(ctx, { id: 'a' })
    registry.register(ctx, tool('stays'))
    const plugin = (inside: Context) => {
      registry.register(inside, tool('comes'))
      registry.reserve(inside, 'reserved')
      registry.restrict(inside, { deny: ['stays'] })
      registry.guard(inside, () => 'no')
      registry.presentAs(inside, 'code')
    }
    const view = () => ({
      tools: registry.list(agent).map(({ definition }) => definition.name),
      known: [...registry.knownNames(agent)],
      admitted: registry.isAdmitted('stays', agent),
      guards: [...registry.guards(agent)].length,
      presentation: registry.presentation(agent),
    })
    const before = view()
    const fiber = await agent.ctx.plugin(plugin)
    const during = view()
    expect(during).not.toEqual(before)
    for (let round = 0; round < 1000; round += 1) await fiber.restart()
    expect(view()).toEqual(during)
    await fiber.dispose()
    expect(view()).toEqual(before)
    expect(agent.ctx.fiber.getEffects()).toEqual([])
  })
})
