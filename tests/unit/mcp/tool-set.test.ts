import { describe, expect, it } from 'vitest'
import { RemoteToolSet } from '../../../src/mcp/tool-set.ts'

/** A set over a registry that keeps names and refuses what a test tells it to. */
function makeSet(refuses: { outputType?: string; name?: string } = {}) {
  const events: string[] = []
  const warnings: string[] = []
  const registered = new Map<string, { output: unknown }>()
  const set = new RemoteToolSet({
    server: 'demo',
    peers: ['demo'],
    call: async () => ({}),
    register(definition) {
      if (definition.name === refuses.name) throw new Error('refused by the registry')
      const { schema } = definition.output
      if (typeof schema === 'object' && schema['type'] === (refuses.outputType ?? 0)) throw new Error('schema refused')
      if (registered.has(definition.name)) throw new Error(`duplicate ${definition.name}`)
      registered.set(definition.name, { output: definition.output.schema })
      events.push(`+${definition.name}`)
      return () => {
        registered.delete(definition.name)
        events.push(`-${definition.name}`)
      }
    },
    warn: (message) => warnings.push(message),
  })
  return { set, events, warnings, registered }
}

const tool = (name: string, more: object = {}): object => ({ name, inputSchema: { type: 'object' }, ...more })

describe('RemoteToolSet', () => {
  it('[O1] follows a listing: registers what is new, replaces what changed, removes what is gone, leaves the rest', async () => {
    const { set, events } = makeSet()
    await set.sync([tool('a'), tool('b'), tool('c')])
    events.length = 0
    await set.sync([tool('d'), tool('c'), tool('b', { description: 'new' })])
    expect(events).toEqual(['-demo_a', '-demo_b', '+demo_d', '+demo_b'])
    expect(set.size).toBe(3)
    events.length = 0
    await set.sync([tool('c'), tool('b', { description: 'new' }), tool('d')])
    expect(events).toEqual([])
  })

  it('[O4] leaves a bad tool out with a warning and takes nothing else with it', async () => {
    const { set, registered, warnings } = makeSet({ name: 'demo_refused' })
    await set.sync([null, tool('a'), { name: 5 }, tool('refused'), tool('a', { description: 'again' }), tool('z')])
    expect([...registered.keys()]).toEqual(['demo_a', 'demo_z'])
    expect(warnings).toHaveLength(4)
    expect(warnings.join('\n')).toMatch(/tool "#1 of its list" is left out: it is no object/)
    expect(warnings.join('\n')).toMatch(/tool "a" is left out: another tool of this server has that name/)
    expect(warnings.join('\n')).toMatch(/tool "refused" is left out: refused by the registry/)
  })

  it('[O4] keeps a tool whose output schema alone is refused, and says that its values are not checked', async () => {
    const { set, registered, warnings } = makeSet({ outputType: 'nonsense' })
    await set.sync([tool('a', { outputSchema: { type: 'nonsense' } })])
    expect(registered.get('demo_a')?.output).not.toHaveProperty('type')
    expect(warnings).toEqual([expect.stringMatching(/tool "a": its values are not checked\. schema refused/)])
  })

  it('[O1] takes everything away when it closes, and adds nothing afterwards', async () => {
    const { set, registered } = makeSet()
    await set.sync([tool('a'), tool('b')])
    await set.close()
    expect(registered.size).toBe(0)
    await set.sync([tool('c')])
    expect(registered.size).toBe(0)
  })
})
