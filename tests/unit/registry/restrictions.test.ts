import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createAgent } from '../../../src/scope/agent.ts'
import { createScope, type ScopeKey } from '../../../src/scope/scope.ts'
import { coded, createRegistry, tool } from './support.ts'

function setup() {
  const fixture = createRegistry()
  const { ctx, registry } = fixture
  for (const name of ['read', 'write', 'bash']) registry.register(ctx, tool(name))
  const agent = createAgent(ctx, { id: 'a' })
  const seen = (scope?: ScopeKey) => registry.schemas(scope).map(({ name }) => name)
  return { ...fixture, agent, seen }
}

describe('restrict', () => {
  it('[C3] masks what one scope inherits, and gives it back', () => {
    const { ctx, registry, agent, seen } = setup()
    const other = createAgent(ctx, { id: 'b' })
    const release = registry.restrict(agent.ctx, { allow: ['read', 'write'], deny: ['write'] })
    expect(seen(agent)).toEqual(['read'])
    expect(registry.get('bash', agent)).toBeUndefined()
    expect(registry.resolve('write', agent)).toBeUndefined()
    expect(seen(other)).toEqual(['bash', 'read', 'write'])
    expect(seen()).toEqual(['bash', 'read', 'write'])
    release()
    expect(seen(agent)).toEqual(['bash', 'read', 'write'])
  })

  it('[C3] several masks intersect along the chain', () => {
    const { ctx, registry, agent, seen } = setup()
    const child = createAgent(ctx, { id: 'child', parent: agent })
    registry.restrict(agent.ctx, { deny: ['bash'] })
    const second = registry.restrict(agent.ctx, { allow: ['bash', 'read'] })
    registry.restrict(child.ctx, { allow: ['read', 'write', 'bash'] })
    expect(seen(agent)).toEqual(['read'])
    expect(seen(child)).toEqual(['read'])
    second()
    expect(seen(child)).toEqual(['read', 'write'])
  })

  it('[C3] own-layer registrations stay, and are inherited by children unless those mask them', () => {
    const { ctx, registry, agent, seen } = setup()
    const child = createAgent(ctx, { id: 'child', parent: agent })
    registry.restrict(agent.ctx, { allow: ['read'] })
    registry.register(agent.ctx, tool('own'))
    registry.register(agent.ctx, tool('bash', { description: 'own bash' }))
    expect(seen(agent)).toEqual(['bash', 'own', 'read'])
    expect(seen(child)).toEqual(['bash', 'own', 'read'])
    registry.restrict(child.ctx, { deny: ['bash', 'own'] })
    expect(seen(child)).toEqual(['read'])
    expect(registry.get('bash', agent)?.description).toBe('own bash')
  })

  it('[C3] a deny mask admits later globals, an allow mask does not', () => {
    const { ctx, registry, agent, seen } = setup()
    const strict = createAgent(ctx, { id: 'strict' })
    registry.restrict(agent.ctx, { deny: ['bash'] })
    registry.restrict(strict.ctx, { allow: ['read'] })
    registry.register(ctx, tool('later'))
    expect(seen(agent)).toEqual(['later', 'read', 'write'])
    expect(seen(strict)).toEqual(['read'])
  })

  it('[C3] is snapshotted', () => {
    const { registry, agent, seen } = setup()
    const allow = ['read']
    registry.restrict(agent.ctx, { allow })
    allow.push('bash')
    expect(seen(agent)).toEqual(['read'])
  })

  it('[C3] throws from a plain context', () => {
    const { ctx, registry } = setup()
    expect(() => registry.restrict(ctx, { deny: ['bash'] })).toThrow(coded('INVALID_RESTRICTION', 'agent.ctx.tools'))
  })

  it('[C3] throws on an empty or malformed filter', () => {
    const { registry, agent, seen } = setup()
    const bad: unknown[] = [
      {},
      { deny: [] },
      { allow: [] },
      { allow: [], deny: ['bash'] },
      { allow: undefined, deny: undefined },
      { allow: 'read' },
      { deny: [1] },
      { deny: ['bash', undefined] },
      { deny: new Set(['bash']) },
      undefined,
      null,
      'read',
    ]
    for (const filter of bad) {
      expect(() => registry.restrict(agent.ctx, filter as never)).toThrow(coded('INVALID_RESTRICTION'))
    }
    expect(seen(agent)).toEqual(['bash', 'read', 'write'])
  })

  it('[C3] throws on unknown names, own names and run_code, listing what could be named', () => {
    const { ctx, registry, agent } = setup()
    registry.register(agent.ctx, tool('own'))
    registry.register(agent.ctx, tool('bash'))
    registry.reserve(ctx, 'later')
    const listed = '"later", "read", "write".'
    for (const field of ['allow', 'deny']) {
      const restrict =
        (...list: string[]) =>
        () =>
          registry.restrict(agent.ctx, { [field]: list })
      expect(restrict('read', 'raed')).toThrow(coded('INVALID_RESTRICTION', '"raed"', 'no such tool', listed))
      expect(restrict('__proto__')).toThrow(coded('INVALID_RESTRICTION', '"__proto__"', listed))
      expect(restrict('own')).toThrow(coded('INVALID_RESTRICTION', '"own"', 'itself', listed))
      // Inherited and shadowed: the mask could not touch what the agent sees under that name.
      expect(restrict('bash')).toThrow(coded('INVALID_RESTRICTION', '"bash"', 'itself', listed))
      expect(restrict('run_code', 'read')).toThrow(coded('INVALID_RESTRICTION', '"run_code"', listed))
    }
  })

  it('[C3] may name what an ancestor hides already, so that the order of plugins does not matter', () => {
    const { ctx, registry, agent, seen } = setup()
    const child = createAgent(ctx, { id: 'child', parent: agent })
    registry.restrict(agent.ctx, { deny: ['bash'] })
    registry.restrict(agent.ctx, { deny: ['bash'] })
    registry.restrict(child.ctx, { allow: ['bash', 'read'] })
    expect(seen(child)).toEqual(['read'])
  })
})

describe('isAdmitted', () => {
  it('[C5] says whether a name passes every restriction on the chain, registered or not', () => {
    const { ctx, registry, agent } = setup()
    const child = createAgent(ctx, { id: 'child', parent: agent })
    registry.restrict(agent.ctx, { allow: ['read', 'bash'] })
    registry.restrict(child.ctx, { deny: ['bash'] })
    const admitted = (scope?: ScopeKey) =>
      ['read', 'write', 'bash', 'never-heard-of'].filter((name) => registry.isAdmitted(name, scope))
    expect(admitted()).toEqual(['read', 'write', 'bash', 'never-heard-of'])
    expect(admitted(agent)).toEqual(['read', 'bash'])
    expect(admitted(child)).toEqual(['read'])
    expect(admitted({})).toEqual(['read', 'write', 'bash', 'never-heard-of'])
    for (const scope of [undefined, agent, child]) expect(registry.isAdmitted('run_code', scope)).toBe(true)
  })
})

describe('visibility as set algebra', () => {
  const NAMES = ['a', 'b', 'c', 'd', '__proto__', 'constructor']
  const anyNames = fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: NAMES.length })
  const anyMask = fc.record({ allow: fc.option(anyNames, { nil: undefined }), deny: anyNames })
  const anyLayer = fc.record({ tools: anyNames, masks: fc.array(anyMask, { maxLength: 2 }), parent: fc.nat(5) })

  it('[C3] [C5] [C6] is what the definition says, for every tree of layers and every order of undoing', () => {
    fc.assert(
      fc.property(anyNames, fc.array(anyLayer, { minLength: 1, maxLength: 5 }), fc.nat(), (globals, layers, salt) => {
        const { ctx, registry } = createRegistry()
        const keys: ScopeKey[] = layers.map(() => ({}))
        const parentOf = layers.map(({ parent }, index) => (parent < index ? parent : undefined))
        const scopes = layers.map((_, index) => {
          const parent = parentOf[index]
          return createScope(ctx, keys[index]!, parent === undefined ? {} : { parent: keys[parent]! })
        })
        interface Entry {
          readonly at: number
          readonly name?: string
          readonly mask?: { allow: string[] | undefined; deny: string[] }
          readonly dispose: () => void
        }
        const live = new Set<Entry>()
        for (const name of NAMES) live.add({ at: -2, name, dispose: registry.reserve(ctx, name) })
        for (const name of globals) live.add({ at: -1, name, dispose: registry.register(ctx, tool(name)) })
        for (const [at, layer] of layers.entries()) {
          for (const mask of layer.masks) {
            const filter = { ...(mask.allow && { allow: mask.allow }), deny: mask.deny }
            if (mask.allow?.length === 0 || (mask.allow === undefined && mask.deny.length === 0)) continue
            live.add({ at, mask, dispose: registry.restrict(scopes[at]!, filter) })
          }
          for (const name of layer.tools) {
            live.add({ at, name, dispose: registry.register(scopes[at]!, tool(name, { description: `${at}` })) })
          }
        }
        // The reference: a scope's own tools over what its parent sees and its masks leave.
        const own = (at: number) => [...live].flatMap((entry) => (entry.at === at && entry.name ? [entry.name] : []))
        const passes = (at: number, name: string) =>
          [...live].every(
            ({ at: where, mask }) =>
              where !== at || !mask || ((mask.allow?.includes(name) ?? true) && !mask.deny.includes(name)),
          )
        const visible = (at: number): Map<string, string> => {
          if (at < 0) return new Map(own(-1).map((name) => [name, 'Does'] as const))
          const view = new Map([...visible(parentOf[at] ?? -1)].filter(([name]) => passes(at, name)))
          for (const name of own(at)) view.set(name, `${at}`)
          return view
        }
        const admitted = (at: number, name: string): boolean =>
          at < 0 || (passes(at, name) && admitted(parentOf[at] ?? -1, name))
        const check = () => {
          for (const [at, key] of keys.entries()) {
            const seen = registry.list(key).map(({ definition: { name, description } }) => [name, description])
            const expected = [...visible(at)].map(([name, by]) => [name, by === 'Does' ? `Does ${name}.` : by])
            expect(seen).toEqual(expected.toSorted(([a], [b]) => (a! < b! ? -1 : 1)))
            for (const name of NAMES) {
              expect(registry.resolve(name, key) !== undefined).toBe(visible(at).has(name))
              expect(registry.isAdmitted(name, key)).toBe(admitted(at, name))
            }
          }
        }
        check()
        const order = [...live].map((entry, index) => ({ entry, rank: (index * 7919 + salt) % 101 }))
        for (const { entry } of order.toSorted((a, b) => a.rank - b.rank)) {
          live.delete(entry)
          entry.dispose()
          check()
        }
      }),
      { seed: 6, numRuns: 25 },
    )
  })
})
