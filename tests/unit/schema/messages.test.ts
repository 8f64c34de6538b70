// What a model reads when a value does not fit.
import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/json/json-value.ts'
import { snapshot } from '../../../src/json/snapshot.ts'
import { compileSchema } from '../../../src/schema/validator.ts'

/** `path message` lines. */
function lines(schema: JsonObject, value: JsonValue, trusted = true): string[] {
  const compiled = compileSchema(schema, { owner: 'test', kind: 'parameters', trusted })
  return compiled.violations(value, 'args').map(({ path, message }) => `${path} ${message}`)
}

/** Lines for one property that does not fit. */
function about(schema: JsonObject, value: JsonValue): string[] {
  return lines({ type: 'object', properties: { x: schema } }, { x: value })
}

describe('one keyword', () => {
  it.each([
    [{ type: 'integer' }, 'ten', 'args.x must be an integer, got "ten"'],
    [{ type: 'integer' }, 1.5, 'args.x must be an integer, got 1.5'],
    [{ type: ['string', 'null'] }, 5, 'args.x must be a string or null, got 5'],
    [{ type: 'boolean' }, 'true', 'args.x must be true or false, got "true"'],
    [{ type: 'object' }, [1, 2], 'args.x must be an object, got an array of 2 items'],
    [{ type: 'array' }, { a: 1 }, 'args.x must be an array, got an object'],
    [{ enum: ['a', 'b'] }, 'c', 'args.x must be one of "a", "b", got "c"'],
    [{ enum: ['only'] }, 7, 'args.x must be "only", got 7'],
    [{ const: { a: 1 } }, { a: 2 }, 'args.x must be an object, got an object'],
    [{ minimum: 1 }, 0, 'args.x must be at least 1, got 0'],
    [{ maximum: 1 }, 2, 'args.x must be at most 1, got 2'],
    [{ exclusiveMinimum: 1 }, 1, 'args.x must be more than 1, got 1'],
    [{ exclusiveMaximum: 1 }, 1, 'args.x must be less than 1, got 1'],
    [{ multipleOf: 5 }, 7, 'args.x must be a multiple of 5, got 7'],
    [{ minLength: 1 }, '', 'args.x must have at least 1 character, got ""'],
    [{ maxLength: 2 }, 'a😀b', 'args.x must have at most 2 characters, got 3'],
    [{ pattern: '^a+$' }, 'b', 'args.x must match the pattern "^a+$", got "b"'],
    [{ format: 'date' }, 'today', 'args.x must be a date such as 2024-05-31, got "today"'],
    [{ minItems: 2 }, [1], 'args.x must have at least 2 items, got 1'],
    [{ maxItems: 1 }, [1, 2, 3], 'args.x must have at most 1 item, got 3'],
    [{ prefixItems: [{}], items: false }, [1, 2], 'args.x must have at most 1 item, got 2'],
    [{ uniqueItems: true }, [1, { a: 1 }, 1, { a: 1 }], 'args.x must not repeat an item: [0] and [2] are equal'],
    [{ contains: { type: 'null' } }, [1], 'args.x must contain at least 1 item of the form that its schema asks for'],
    [
      { contains: {}, maxContains: 1 },
      [1, 2],
      'args.x must contain exactly 1 item of the form that its schema asks for',
    ],
    [{ minProperties: 1 }, {}, 'args.x must have at least 1 property, got 0'],
    [{ maxProperties: 1 }, { a: 1, b: 2 }, 'args.x must have at most 1 property, got 2'],
    [{ required: ['a b'] }, {}, 'args.x["a b"] is required'],
    [{ required: ['a'], properties: { a: { type: 'string' } } }, {}, 'args.x.a is required (a string)'],
    [{ required: ['constructor'] }, {}, 'args.x.constructor is required'],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, 'args.x.b is required when "a" is given'],
    [
      { propertyNames: { maxLength: 2 } },
      { long: 1 },
      'args.x has the key "long", which must have at most 2 characters, got 4',
    ],
    [{ properties: { a: false } }, { a: 1 }, 'args.x.a is not allowed'],
    [{ not: { type: 'string' } }, 'a', 'args.x has a form that is excluded, got "a"'],
    [{ if: { type: 'string' }, then: { minLength: 2 } }, 'a', 'args.x must have at least 2 characters, got "a"'],
    [{ additionalProperties: false }, { a: 1 }, 'args.x.a is no known property: none is allowed here'],
    [{ items: { type: 'string' } }, ['a', 1], 'args.x[1] must be a string, got 1'],
    [{ properties: { '0': { type: 'null' } } }, { '0': 1 }, 'args.x["0"] must be null, got 1'],
    [{ properties: { 'a/b~c': { type: 'null' } } }, { 'a/b~c': 1 }, 'args.x["a/b~c"] must be null, got 1'],
  ] as [JsonObject, JsonValue, string][])('%j for %j', (schema, value, line) => {
    expect(about(schema, value)).toEqual([line])
  })

  it('suggests the property that was meant', () => {
    const schema = { properties: { limit: {}, maxResults: {}, path: {} }, additionalProperties: false }
    expect(lines(schema, { max_results: 1 })).toEqual([
      'args.max_results is no known property: did you mean "maxResults"?',
    ])
    expect(lines(schema, { zebra: 1 })).toEqual([
      'args.zebra is no known property: known are "limit", "maxResults" and "path"',
    ])
  })
})

describe('unions', () => {
  const hit = {
    type: 'object',
    properties: { kind: { const: 'hit' }, at: { type: 'integer' } },
    required: ['kind', 'at'],
  }
  const miss = {
    type: 'object',
    properties: { kind: { const: 'miss' }, why: { type: 'string' } },
    required: ['kind', 'why'],
  }

  it.each([
    [
      { anyOf: [{ type: 'string' }, { type: 'integer' }, { type: 'null' }] },
      true,
      ['args.x must be a string, an integer or null, got true'],
    ],
    [{ oneOf: [{ const: 'a' }, { enum: ['b', 'c'] }] }, 'd', ['args.x must be "a" or one of "b", "c", got "d"']],
    // The branch that takes the type is the one that was meant.
    [{ anyOf: [{ type: 'string' }, { type: 'integer', minimum: 1 }] }, 0, ['args.x must be at least 1, got 0']],
    [{ oneOf: [hit, miss] }, { kind: 'hit' }, ['args.x.at is required (an integer)']],
    [{ oneOf: [hit, miss] }, { kind: 'hit', at: 'x' }, ['args.x.at must be an integer, got "x"']],
    [{ oneOf: [hit, miss] }, { kind: 'mis' }, ['args.x.kind must be one of "hit", "miss", got "mis"']],
    [{ oneOf: [hit, miss] }, 7, ['args.x must be an object, got 7']],
    [{ oneOf: [{ type: 'number' }, { minimum: 0 }] }, 1, ['args.x fits the forms 1 and 2, and must fit exactly one']],
    [
      {
        anyOf: [
          { type: 'object', required: ['a', 'b'] },
          { type: 'object', required: ['c'] },
        ],
      },
      {},
      ['args.x fits none of its 2 forms; the nearest asks: args.x.c is required'],
    ],
    [
      { anyOf: [{ items: { anyOf: [{ type: 'string' }, { type: 'null' }] } }] },
      [1],
      ['args.x[0] must be a string or null, got 1'],
    ],
  ] as [JsonObject, JsonValue, string[]][])('%j for %j', (schema, value, expected) => {
    expect(about(schema, value)).toEqual(expected)
  })

  it('tells branches apart behind references', () => {
    const schema = {
      $defs: {
        hit,
        miss,
        many: { type: 'array', items: { oneOf: [{ $ref: '#/$defs/hit' }, { $ref: '#/$defs/miss' }] } },
      },
      anyOf: [{ $ref: '#/$defs/many' }, { type: 'null' }],
    }
    expect(lines(schema, [{ kind: 'miss', why: 'no' }, { kind: 'hit' }], false)).toEqual([
      'args[1].at is required (an integer)',
    ])
    expect(lines(schema, [{ kind: 'other' }], false)).toEqual([
      'args[0].kind must be one of "hit", "miss", got "other"',
    ])
    expect(lines(schema, 5, false)).toEqual(['args must be an array or null, got 5'])
  })
})

describe('all of it', () => {
  it('[G2] every violation, each once, with its path', () => {
    const schema = {
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { type: 'array', items: { type: 'integer' } },
        c: { minimum: 1, multipleOf: 2 },
      },
      required: ['a', 'd'],
      allOf: [{ required: ['d'] }],
    }
    expect(lines(schema, { b: [1, 'x', null], c: -1 }).toSorted()).toEqual([
      'args.a is required (a string)',
      'args.b[1] must be an integer, got "x"',
      'args.b[2] must be an integer, got null',
      'args.c must be a multiple of 2, got -1',
      'args.c must be at least 1, got -1',
      'args.d is required',
    ])
  })

  it('shows hostile values cut and quoted', () => {
    const [line = ''] = about({ type: 'integer' }, '\u0000"'.repeat(10_000))
    expect(line.length).toBeLessThan(200)
    expect(line).not.toContain('\u0000')
    const [named = ''] = lines({ additionalProperties: false }, { ['k'.repeat(5_000)]: 1 })
    expect(named.length).toBeLessThan(300)
    const [listed = ''] = about({ enum: Array.from({ length: 5_000 }, (_, index) => `choice ${index}`) }, 'x')
    expect(listed).toContain('and 4980 more')
    expect(listed.length).toBeLessThan(600)
  })

  it('does not call methods of the data', () => {
    const value = snapshot({ valueOf: 'x', toString: 1, hasOwnProperty: null, constructor: { name: 'y' } })
    const schema = { enum: [{ valueOf: 'z', toString: 1, hasOwnProperty: null, constructor: { name: 'y' } }] }
    expect(about(schema, value)).toEqual(['args.x must be an object, got an object'])
    expect(about({ const: value }, value)).toEqual([])
    expect(about({ uniqueItems: true }, [value, { a: 1 }, value])).toEqual([expect.stringContaining('[0] and [2]')])
  })
})
