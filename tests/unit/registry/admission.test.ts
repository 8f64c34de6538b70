import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { ToolDefinition } from '../../../src/tools/definition.ts'
import { coded, createRegistry, tool } from './support.ts'

const register = (fields: object, name = 'mine') => {
  const { ctx, registry } = createRegistry()
  registry.register(ctx, tool(name, fields))
  return registry.resolve(name)!
}
const render = () => ''

describe('admission', () => {
  it('[C2] refuses a definition without a complete output declaration, naming the tool', () => {
    const outputs: readonly unknown[] = [
      undefined,
      null,
      'text',
      () => {},
      {},
      { schema: { type: 'string' } },
      { schema: { type: 'string' }, render: 'text' },
      { render },
      { schema: null, render },
      { schema: 'string', render },
      { schema: [], render },
      { schema: { type: 'string' }, render, presentationMeta: {} },
    ]
    for (const output of outputs) {
      expect(() => register({ output })).toThrow(coded('INVALID_TOOL_DEFINITION', '"mine"'))
    }
  })

  it('[C2] refuses an output schema that does not compile, naming the tool', () => {
    const schemas: readonly unknown[] = [
      { type: 'strnig' },
      { type: 'object', properties: 7 },
      { $ref: '#/$defs/missing' },
      { $ref: 'https://example.org/elsewhere.json' },
      { type: 'string', minLength: -1 },
    ]
    for (const schema of schemas) {
      expect(() => register({ output: { schema, render } })).toThrow(coded('INVALID_SCHEMA', 'mine'))
    }
  })

  it('[C2] compiles the output schema once, so that values can be checked', () => {
    const object = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    const found = register({ output: { schema: object, render } })
    expect(found.validateOutput({ n: 1 })).toEqual([])
    expect(found.validateOutput({ n: 'one' })).toEqual([expect.objectContaining({ path: 'value.n' })])
    expect(register({ output: { schema: true, render } }).validateOutput([1])).toEqual([])
    expect(register({ output: { schema: false, render } }).validateOutput(null)).not.toEqual([])
  })

  it('[C2] refuses a timeout that is not positive and finite', () => {
    for (const timeoutMs of [0, -1, Number.NaN, Number.POSITIVE_INFINITY, '5', null, 5n]) {
      expect(() => register({ timeoutMs })).toThrow(coded('INVALID_TOOL_DEFINITION', '"mine"', 'timeoutMs'))
    }
    expect(register({ timeoutMs: 0.5 }).definition.timeoutMs).toBe(0.5)
    expect('timeoutMs' in register({ timeoutMs: undefined }).definition).toBe(false)
  })

  it('[C1] refuses what has no name, no description or no body', () => {
    const { ctx, registry } = createRegistry()
    for (const bad of [undefined, null, 'read', {}, tool('', {}), tool(7 as never)]) {
      expect(() => registry.register(ctx, bad as never)).toThrow(coded('INVALID_TOOL_DEFINITION', 'A tool'))
    }
    for (const description of [undefined, null, 7]) {
      expect(() => register({ description })).toThrow(coded('INVALID_TOOL_DEFINITION', '"mine"', 'description'))
    }
    for (const execute of [undefined, 'body', {}]) {
      expect(() => register({ execute })).toThrow(coded('INVALID_TOOL_DEFINITION', '"mine"', 'execute'))
    }
    for (const field of ['finalizeContent', 'isConcurrencySafe', 'presentCall', 'presentResult']) {
      expect(() => register({ [field]: true })).toThrow(coded('INVALID_TOOL_DEFINITION', '"mine"', field))
    }
  })

  it('[C2] refuses parameters that describe no object, are malformed or are no JSON', () => {
    for (const parameters of [undefined, null, true, [], 'object', { type: 'string' }, { type: ['string', 'null'] }]) {
      expect(() => register({ parameters })).toThrow(coded('INVALID_TOOL_DEFINITION', '"mine"', 'parameters'))
    }
    for (const parameters of [{}, { type: 'object' }, { type: ['object', 'null'] }, { oneOf: [{ type: 'object' }] }]) {
      expect(register({ parameters }).definition.parameters).toEqual(parameters)
    }
    const when = { type: 'object', properties: { when: { default: new Date(0) } } }
    expect(() => register({ parameters: when })).toThrow(
      coded('INVALID_TOOL_DEFINITION', '"mine"', 'parameters.properties.when.default'),
    )
    expect(() => register({ output: { schema: { const: 1n }, render } })).toThrow(
      coded('INVALID_TOOL_DEFINITION', '"mine"', 'output.schema.const'),
    )
    expect(() => register({ parameters: { type: 'object', properties: 7 } })).toThrow(coded('INVALID_SCHEMA', 'mine'))
  })

  it('[C2] takes the schemas that zod makes, whose root carries a hidden property', () => {
    const parameters = z.toJSONSchema(z.object({ path: z.string() }))
    const schema = z.toJSONSchema(z.object({ n: z.int() }))
    const { definition, validateOutput } = register({ parameters, output: { schema, render } })
    expect(definition.parameters).toMatchObject({ properties: { path: { type: 'string' } } })
    expect(validateOutput({ n: 1.5 })).not.toEqual([])
  })

  it('[C2] reads a definition once: later changes and lying getters alter nothing', () => {
    const reads = new Map<string, number>()
    const honest = tool('read', { timeoutMs: 5, presentCall: () => undefined })
    const lying = new Proxy(honest, {
      get(target, key, receiver) {
        const count = (reads.get(String(key)) ?? 0) + 1
        reads.set(String(key), count)
        if (count > 1) return key === 'name' ? 'run_code' : undefined
        return Reflect.get(target, key, receiver)
      },
    })
    const { ctx, registry } = createRegistry()
    registry.register(ctx, lying)
    expect([...reads].filter(([, count]) => count > 1)).toEqual([])
    const before = JSON.stringify(registry.schemas())
    Object.assign(honest, { name: 'other', description: 'other', timeoutMs: -1, output: undefined })
    Object.assign(honest.parameters, { type: 'string' })
    expect(JSON.stringify(registry.schemas())).toBe(before)
    expect(registry.get('read')).toMatchObject({ name: 'read', timeoutMs: 5 })
    expect(() => Object.assign(registry.get('read')!, { name: 'x' })).toThrow(TypeError)
    expect(() => Object.assign(registry.get('read')!.output, { schema: true })).toThrow(TypeError)
  })

  it('[C2] a definition that throws when it is read is refused by name', () => {
    const throwing = (field: string) =>
      Object.defineProperty(tool('mine'), field, {
        get() {
          throw new Error('not now')
        },
      })
    const cases: readonly (readonly [object, string])[] = [
      [throwing('output'), '"mine"'],
      [throwing('name'), 'not now'],
    ]
    for (const [definition, part] of cases) {
      const { ctx, registry } = createRegistry()
      expect(() => registry.register(ctx, definition as ToolDefinition)).toThrow(coded('INVALID_TOOL_DEFINITION', part))
    }
  })

  it('[C2] callbacks keep their own object as `this`', async () => {
    class Tool {
      readonly name = 'mine'
      readonly description = ''
      readonly parameters = { type: 'object' }
      readonly secret = 42
      readonly output = {
        schema: true,
        unit: 'ms',
        render(_args: unknown, value: unknown) {
          return `${String(value)} ${this.unit}`
        },
      }
      async execute() {
        return this.secret
      }
      isConcurrencySafe() {
        return this.secret === 42
      }
    }
    const { ctx, registry } = createRegistry()
    registry.register(ctx, new Tool())
    const definition = registry.get('mine')!
    const detached = definition.execute
    expect(await detached({}, {} as never)).toBe(42)
    expect(definition.output.render({}, 5)).toBe('5 ms')
    expect(definition.isConcurrencySafe?.({})).toBe(true)
  })
})
