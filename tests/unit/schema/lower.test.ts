import { describe, expect, it } from 'vitest'
import { HarnessError } from '../../../src/errors/harness-error.ts'
import type { ParameterSchemaSpec, ValueSchemaSpec } from '../../../src/schema/dsl.ts'
import { parameterSchemaSpecToJsonSchema, valueSchemaSpecToJsonSchema } from '../../../src/schema/lower.ts'
import { compileSchema } from '../../../src/schema/validator.ts'
import { containersOf } from '../../support/json.ts'

const refusal = (lower: () => unknown): string => {
  try {
    lower()
  } catch (error) {
    if (HarnessError.is(error) && ['INVALID_SCHEMA', 'NOT_LOSSLESS_JSON'].includes(error.code)) return error.message
    throw error
  }
  throw new Error('the form was accepted')
}

describe('values', () => {
  it.each([
    [{ type: 'string' }, { type: 'string' }],
    [{ type: 'json', description: 'Anything.' }, { description: 'Anything.' }],
    [{ type: 'json' }, {}],
    [
      { type: 'null', description: 'Nothing.' },
      { type: 'null', description: 'Nothing.' },
    ],
    [
      { type: 'string', description: 'D', minLength: 1, maxLength: 9, pattern: '^a', format: 'uri', enum: ['a'] },
      { type: 'string', description: 'D', minLength: 1, maxLength: 9, pattern: '^a', format: 'uri', enum: ['a'] },
    ],
    [
      { type: 'integer', minimum: 0, const: 3 },
      { type: 'integer', minimum: 0, const: 3 },
    ],
    [
      { type: 'boolean', const: false },
      { type: 'boolean', const: false },
    ],
    [
      { type: 'array', items: { type: 'array', items: { type: 'json' } }, minItems: 1, uniqueItems: true },
      { type: 'array', items: { type: 'array', items: {} }, minItems: 1, uniqueItems: true },
    ],
    [
      {
        type: 'object',
        properties: { a: { type: 'string', required: true }, b: { type: 'null', required: false } },
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: { a: { type: 'string' }, b: { type: 'null' } },
        required: ['a'],
        additionalProperties: false,
      },
    ],
    [
      { type: 'object', properties: {}, additionalProperties: true },
      { type: 'object', properties: {}, additionalProperties: true },
    ],
    [
      { oneOf: [{ type: 'string' }, { type: 'null' }], description: 'D' },
      { oneOf: [{ type: 'string' }, { type: 'null' }], description: 'D' },
    ],
  ] as [ValueSchemaSpec, object][])('[G1] %j', (spec, schema) => {
    const lowered = valueSchemaSpecToJsonSchema(spec)
    expect(lowered).toEqual(schema)
    expect(containersOf(lowered).every(Object.isFrozen)).toBe(true)
    expect(() => compileSchema(lowered, { owner: 'test', kind: 'output', trusted: true })).not.toThrow()
  })
})

describe('parameters', () => {
  it('[G1] are an object that is open at its root', () => {
    const schema = parameterSchemaSpecToJsonSchema({
      path: { type: 'string', required: true },
      limit: { type: 'integer' },
    })
    expect(schema).toEqual({
      type: 'object',
      properties: { path: { type: 'string' }, limit: { type: 'integer' } },
      required: ['path'],
    })
    const compiled = compileSchema(schema, { owner: 'test', kind: 'parameters', trusted: true })
    expect(compiled.violations({ path: 'x', other: 1 })).toEqual([])
  })

  it('[G1] may have any name', () => {
    const spec = JSON.parse(
      '{"__proto__":{"type":"string","required":true},"constructor":{"type":"null"},"type":{"type":"integer"}}',
    ) as ParameterSchemaSpec
    const compiled = compileSchema(parameterSchemaSpecToJsonSchema(spec), {
      owner: 'test',
      kind: 'parameters',
      trusted: true,
    })
    expect(compiled.violations(JSON.parse('{"__proto__":"x","type":1}'))).toEqual([])
    expect(compiled.violations({}, 'args')).toEqual([{ path: 'args.__proto__', message: 'is required' }])
    expect(
      compiled
        .violations(JSON.parse('{"__proto__":5,"constructor":1}'), 'args')
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(['args.__proto__', 'args.constructor'])
  })

  it('do not follow later changes of what they were made of', () => {
    const spec: Record<string, { type: 'string'; required?: boolean }> = { a: { type: 'string' } }
    const schema = parameterSchemaSpecToJsonSchema(spec)
    ;(spec['a'] as { required?: boolean }).required = true
    expect(schema).toEqual({ type: 'object', properties: { a: { type: 'string' } } })
  })
})

describe('forged forms', () => {
  it.each([
    [
      { a: { type: 'text' } },
      'parameters.a.type must be "string", "number", "integer", "boolean", "null", "array", "object" or "json"',
    ],
    [{ a: {} }, 'parameters.a.type must be'],
    [{ a: 'string' }, 'parameters.a must be a schema, got "string"'],
    [{ a: null }, 'parameters.a must be a schema, got null'],
    [[], 'parameters must be an object of properties, got an array'],
    ['x', 'parameters must be an object of properties'],
    [
      { a: { type: 'string', requierd: true } },
      'parameters.a has the unknown keyword "requierd": did you mean "required"?',
    ],
    [{ a: { type: 'string', default: 'x' } }, 'parameters.a has the unknown keyword "default"'],
    [{ a: { type: 'string', required: 'yes' } }, 'parameters.a.required must be true, or left out'],
    [{ a: { type: 'string', minimum: 1 } }, 'parameters.a has the unknown keyword "minimum"'],
    [{ a: { type: 'string', enum: [] } }, 'parameters.a.enum must be a list of different values of the type string'],
    [{ a: { type: 'string', enum: ['a', 'a'] } }, 'parameters.a.enum must be a list of different values'],
    [
      { a: { type: 'string', enum: ['a', 1] } },
      'parameters.a.enum must be a list of different values of the type string',
    ],
    [
      { a: { type: 'integer', enum: [1.5] } },
      'parameters.a.enum must be a list of different values of the type integer',
    ],
    [{ a: { type: 'integer', const: 1.5 } }, 'parameters.a.const must be of the type integer, got 1.5'],
    [{ a: { type: 'integer', multipleOf: 0.5 } }, 'parameters.a.multipleOf must be a whole number'],
    [{ a: { type: 'number', multipleOf: 0 } }, 'parameters.a.multipleOf must be a number above 0'],
    [{ a: { type: 'number', minimum: '0' } }, 'parameters.a.minimum must be a number, got "0"'],
    [{ a: { type: 'string', maxLength: 1.5 } }, 'parameters.a.maxLength must be a whole number'],
    [{ a: { type: 'string', const: 'a', enum: ['a'] } }, 'parameters.a must have `enum` or `const`, not both'],
    [{ a: { type: 'string', description: 5 } }, 'parameters.a.description must be a string'],
    [{ a: { type: 'array' } }, 'parameters.a must say what its `items` are'],
    [{ a: { type: 'array', items: [{ type: 'string' }] } }, 'parameters.a.items must be a schema, got an array'],
    [{ a: { type: 'array', items: { type: 'string', required: true } } }, 'parameters.a.items cannot be `required`'],
    [{ a: { type: 'object', properties: {} } }, 'parameters.a must say `additionalProperties: true` or `false`'],
    [{ a: { type: 'object', additionalProperties: true } }, 'parameters.a must have `properties`'],
    [
      { a: { type: 'object', properties: { 'b c': { type: 'x' } }, additionalProperties: true } },
      'parameters.a.properties["b c"].type must be',
    ],
    [{ a: { oneOf: [] } }, 'parameters.a.oneOf must be a list of at least one schema'],
    [{ a: { oneOf: [{ type: 'string' }, { type: 'x' }] } }, 'parameters.a.oneOf[1].type must be'],
    [{ a: { type: 'string', oneOf: [{ type: 'string' }] } }, 'parameters.a has the unknown keyword "type"'],
    [{ a: { type: 'string', toString: 1 } }, 'parameters.a has the unknown keyword "toString"'],
    [{ a: { type: 'string', enum: [() => 'a'] } }, 'parameters.a.enum[0] is a function'],
    [{ a: { type: 'string', pattern: undefined } }, 'parameters.a.pattern is undefined'],
  ])('[G1] %j throws, naming the place', (spec, message) => {
    expect(refusal(() => parameterSchemaSpecToJsonSchema(spec as ParameterSchemaSpec))).toContain(message)
  })

  it('[G1] a type of Object.prototype is no type', () => {
    for (const type of ['constructor', '__proto__', 'toString']) {
      expect(refusal(() => valueSchemaSpecToJsonSchema({ type } as unknown as ValueSchemaSpec))).toContain(
        'schema.type must be',
      )
    }
  })

  it('[A3] nesting without end is refused', () => {
    let spec: unknown = { type: 'string' }
    for (let level = 0; level < 5_000; level++) spec = { type: 'array', items: spec }
    expect(refusal(() => valueSchemaSpecToJsonSchema(spec as ValueSchemaSpec))).toContain(
      'is nested more than 64 levels deep',
    )
  })

  it('names the place that it is told', () => {
    expect(
      refusal(() =>
        valueSchemaSpecToJsonSchema({ type: 'x' } as unknown as ValueSchemaSpec, 'tool "t": output.schema'),
      ),
    ).toMatch(/^tool "t": output\.schema\.type must be/)
  })
})
