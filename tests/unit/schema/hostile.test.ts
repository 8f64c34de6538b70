// Schemas and values that are meant to hang or crash the host (contract G3). Nothing here measures time: what is not bounded does not end
// within the time limit of a test, or takes the process with it.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { HarnessError } from '../../../src/errors/harness-error.ts'
import type { JsonObject, JsonValue } from '../../../src/json/json-value.ts'
import { MAX_RECURSIVE_DEPTH, MAX_SCHEMA_DEPTH, MAX_SCHEMA_VALUES, MAX_VIOLATIONS } from '../../../src/schema/limits.ts'
import { type CompiledSchema, checkSchema, compileSchema } from '../../../src/schema/validator.ts'

const compile = (schema: JsonObject, trusted = false): CompiledSchema =>
  compileSchema(schema, { owner: 'tool "t"', kind: 'output', trusted })

function refusal(schema: JsonObject): string {
  try {
    compile(schema)
  } catch (error) {
    if (HarnessError.is(error) && error.code === 'INVALID_SCHEMA') return error.message
    throw error
  }
  throw new Error('the schema was accepted')
}

/** D0 … Dn, each made of references to the next. */
function chain(length: number, link: (next: JsonObject) => JsonObject, last: JsonObject): JsonObject {
  const $defs: Record<string, JsonObject> = { [`D${length}`]: last }
  for (let index = 0; index < length; index++) $defs[`D${index}`] = link({ $ref: `#/$defs/D${index + 1}` })
  return { $ref: '#/$defs/D0', $defs }
}

function nest(levels: number, wrap: (inner: JsonValue) => JsonValue, innermost: JsonValue): JsonValue {
  let value = innermost
  for (let level = 0; level < levels; level++) value = wrap(value)
  return value
}

/** A deep schema with a large leaf, and a reference to each of its levels. */
function partsOfOne(levels: number, width: number): JsonObject {
  const leaf = {
    properties: Object.fromEntries(Array.from({ length: width }, (_, index) => [`p${index}`, { type: 'string' }])),
  }
  const references = Array.from({ length: levels }, (_, level) => [
    `r${level}`,
    { $ref: `#/items${'/items'.repeat(level)}` },
  ])
  return {
    ...(nest(levels + 1, (items) => ({ items }), leaf) as JsonObject),
    properties: Object.fromEntries(references),
  }
}

describe('bounds at registration', () => {
  it.each([
    [
      'chained anyOf of two references',
      chain(18, (next) => ({ anyOf: [next, next] }), { type: 'string' }),
      'expands to more than',
    ],
    ['chained oneOf', chain(18, (next) => ({ oneOf: [next, next] }), {}), 'expands to more than'],
    ['chained if/then/else', chain(18, (next) => ({ if: next, then: next, else: next }), {}), 'expands to more than'],
    [
      'chained dependentSchemas',
      chain(18, (next) => ({ dependentSchemas: { a: next, b: next } }), {}),
      'expands to more than',
    ],
    ['a long chain', chain(150, (next) => ({ allOf: [next] }), {}), 'chains more than'],
    ['references in a circle', chain(3, (next) => next, { $ref: '#/$defs/D1' }), 'lead in a circle'],
    [
      'a circle through allOf and not',
      chain(1, (next) => ({ not: next }), { allOf: [{ $ref: '#/$defs/D0' }] }),
      'lead in a circle',
    ],
    ['a root that refers to itself', { $ref: '#' }, 'lead in a circle'],
    ['too many values', { enum: Array(MAX_SCHEMA_VALUES).fill(1) }, 'is too large'],
    ['too long a text', { description: 'x'.repeat(3_000_000) }, 'is too large'],
    ['too deep', nest(MAX_SCHEMA_DEPTH, (items) => ({ items }), {}) as JsonObject, 'is nested more than'],
    ['references from everywhere into one deep part', partsOfOne(200, 100), 'refers to parts of itself too often'],
    ['too many branches', { anyOf: Array(300).fill({ type: 'string' }) }, 'has 300 members in one anyOf'],
  ] as [string, JsonObject, string][])('[C2, G3] refuse %s, naming the tool', (_name, schema, part) => {
    expect(refusal(schema)).toContain('The output schema of tool "t" cannot be used: ')
    expect(refusal(schema)).toContain(part)
    expect(() => checkSchema(schema, { owner: 'tool "t"', kind: 'parameters' })).toThrow(part)
  })

  it('[G3] let through what is as large as real schemas get', () => {
    const diamond = chain(20, (next) => ({ type: 'object', properties: { l: next, r: next } }), { type: 'integer' })
    expect(compile(diamond).violations({ l: { r: { l: 1 } } })).toHaveLength(1)
    const deep = nest(MAX_SCHEMA_DEPTH - 2, (items) => ({ items }), { type: 'integer' }) as JsonObject
    expect(compile(deep).violations(nest(MAX_SCHEMA_DEPTH - 2, (inner) => [inner], 1))).toEqual([])
    expect(compile(deep).violations(nest(MAX_SCHEMA_DEPTH - 2, (inner) => [inner], 'x'))).toHaveLength(1)
    expect(compile(partsOfOne(40, 20)).violations({ r39: [{ p1: 1 }], r0: 5 })).toHaveLength(1)
    const wide = {
      properties: Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`p${index}`, { type: 'string' }])),
    }
    expect(compile(wide).violations({ p0: 'x', p499: 1 })).toEqual([
      { path: 'value.p499', message: 'must be a string, got 1' },
    ])
    const circle = chain(200, (next) => ({ properties: { a: next } }), { properties: { a: { $ref: '#/$defs/D0' } } })
    expect(compile(circle).violations({ a: { a: {} } })).toEqual([])
    expect(compile({ anyOf: Array.from({ length: 200 }, (_, index) => ({ const: index })) }).violations(199)).toEqual(
      [],
    )
  })
})

describe('the meter', () => {
  const spent = [{ path: 'value', message: expect.stringContaining('steps to check against its schema') }]

  it('[G3] stops work that doubles at every level of the value', () => {
    const branch = (v: number): JsonObject => ({
      required: ['next'],
      properties: { next: { $ref: '#/$defs/L' }, v: { const: v } },
    })
    const list = { $ref: '#/$defs/L', $defs: { L: { anyOf: [branch(1), branch(2)] } } }
    const value = (levels: number): JsonValue => nest(levels, (next) => ({ next, v: 1 }), { v: 3 })
    expect(compile(list).violations(value(6))).not.toEqual(spent)
    expect(compile(list).violations(value(60))).toEqual(spent)
  })

  it('[G3] stops comparisons without end', () => {
    const members = Array.from({ length: 2_000 }, (_, index) => ({ a: index }))
    expect(compile({ items: { enum: members } }).violations(Array(100_000).fill({ a: 1_999 }))).toEqual(spent)
  })

  it('[G3] does not stop ordinary work on large values', () => {
    const rows = Array.from({ length: 50_000 }, (_, id) => ({ id, name: `row ${id}`, tags: ['a'] }))
    const row = {
      properties: {
        id: { type: 'integer' },
        name: { type: 'string', maxLength: 20 },
        tags: { items: { enum: ['a'] } },
      },
    }
    expect(compile({ items: { $ref: '#/$defs/row' }, $defs: { row } }).violations(rows)).toEqual([])
  })

  it('[G3] gives up regular expressions, not the value, once they have cost enough', () => {
    // Some two thousand instructions: a text of twenty thousand characters could take seconds.
    const compiled = compile({ items: { type: 'string', pattern: '^(?:[a-y]x?){900}$' } })
    expect(compiled.violations(['A'])).toHaveLength(1)
    expect(compiled.violations(['A'.repeat(20_000), 'A'])).toEqual([
      { path: 'value[1]', message: expect.stringContaining('pattern') },
    ])
    // Authors' own patterns are always checked.
    expect(compile({ type: 'string', pattern: '^[a-z]*$' }, true).violations('A'.repeat(1_000_000))).toHaveLength(1)
  })
})

describe('the number of errors', () => {
  const wrong = Array(300_000).fill('x')

  it('[G3] is capped at twenty for a foreign schema', () => {
    const violations = compile({ items: { type: 'integer' } }).violations(wrong)
    expect(violations).toHaveLength(MAX_VIOLATIONS.foreign)
    expect(violations[19]).toEqual({ path: 'value[19]', message: 'must be an integer, got "x"' })
  })

  it('[G2] is every one for a schema of our own, up to a number that nobody reads', () => {
    expect(compile({ items: { type: 'integer' } }, true).violations(Array(500).fill('x'))).toHaveLength(500)
    expect(compile({ items: { type: 'integer' } }, true).violations(wrong)).toHaveLength(MAX_VIOLATIONS.trusted)
  })

  it('[G3] of a branch that fails does not hide one that fits', () => {
    const schema = { anyOf: [{ items: { type: 'integer' } }, { items: { type: 'string' } }] }
    expect(compile(schema).violations(wrong)).toEqual([])
    expect(compile(schema, true).violations(wrong)).toEqual([])
    expect(compile(schema).violations([...wrong, null]).length).toBeGreaterThan(0)
  })
})

describe('depth', () => {
  const node = {
    $ref: '#/$defs/node',
    $defs: {
      node: {
        anyOf: [
          { type: 'null' },
          {
            type: 'object',
            properties: {
              name: { type: 'string' },
              kid: { $ref: '#/$defs/node' },
              kids: { type: 'array', items: { $ref: '#/$defs/node' } },
            },
            additionalProperties: false,
          },
        ],
      },
    },
  }
  const chainOf = (levels: number): JsonValue => nest(levels - 1, (kid) => ({ name: 'n', kid }), {})

  it('[A3] a recursive schema checks a thousand levels, and names the limit beyond', () => {
    expect(compile(node).violations(chainOf(MAX_RECURSIVE_DEPTH))).toEqual([])
    const wrong = nest(MAX_RECURSIVE_DEPTH - 2, (kid) => ({ kid }), { kid: { other: 1 } })
    expect(compile(node).violations(wrong)).toHaveLength(1)
    for (const levels of [MAX_RECURSIVE_DEPTH + 1, 9_999]) {
      expect(compile(node).violations(chainOf(levels))).toEqual([
        { path: 'value', message: expect.stringContaining('1000 levels') },
      ])
    }
  })

  it('[A3] other schemas let ten thousand levels through where they say nothing', () => {
    const deep = nest(9_990, (inner) => [inner], 1)
    const schema = { properties: { any: {}, unique: { uniqueItems: true }, one: { enum: [[1]] } } }
    expect(compile(schema).violations({ any: deep, unique: [deep, deep, 1] })).toEqual([
      { path: 'value.unique', message: 'must not repeat an item: [0] and [1] are equal' },
    ])
    expect(compile(schema).violations({ any: deep, unique: [deep, [deep]], one: [1] })).toEqual([])
    expect(compile(schema).violations({ one: deep })).toHaveLength(1)
  })
})

describe('uniqueItems', () => {
  it('[G3] is linear in the number of items, whatever they are', () => {
    const items = Array.from({ length: 50_000 }, (_, index) => ({ a: [index % 49_999] }))
    expect(compile({ uniqueItems: true, items: { type: 'object' } }).violations(items)).toEqual([
      { path: 'value', message: 'must not repeat an item: [0] and [49999] are equal' },
    ])
    const strings = Array.from({ length: 100_000 }, (_, index) => `s${index}`)
    expect(compile({ uniqueItems: true }).violations(strings)).toEqual([])
  })

  it('[G3] is linear where lists hold lists that hold lists', () => {
    const lists = nest(900, (inner) => [inner, 'x'.repeat(100)], ['a', 'b'])
    expect(compile({ type: ['array', 'string'], uniqueItems: true, items: { $ref: '#' } }).violations(lists)).toEqual(
      [],
    )
  })

  it('tells values apart as JSON does', () => {
    const all = [
      0,
      '0',
      false,
      null,
      '',
      [],
      {},
      [[]],
      [{}],
      { a: 1 },
      { b: 1 },
      { a: '1' },
      [1, 2],
      [2, 1],
      ['1,2'],
      [0],
      { '0': 0 },
    ]
    expect(compile({ uniqueItems: true }).violations(all)).toEqual([])
    expect(
      compile({ uniqueItems: true }).violations([
        { a: 1, b: [2] },
        { b: [2], a: 1 },
      ]),
    ).toHaveLength(1)
  })
})

describe('catalogs of real servers', () => {
  const folder = new URL('../../fixtures/catalogs/', import.meta.url)
  const tools = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .flatMap((file) => {
      const catalog = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as { tools: JsonObject[] }
      // A sample: compiling them all takes a while, and the hard ones are in a file of their own.
      const sample = catalog.tools.filter((_, index) => file === 'hard-schemas.json' || index % 4 === 0)
      return sample.map((tool) => ({
        file,
        name: String(tool['name']),
        schemas: [tool['inputSchema'], tool['outputSchema']],
      }))
    })

  it('[G3] every schema can be used but those that are wrong on purpose', () => {
    const refused: string[] = []
    for (const { file, name, schemas } of tools) {
      for (const schema of schemas) {
        if (schema === undefined) continue
        try {
          // Compiling is what could fail late, so a value goes through each.
          compile(schema as JsonObject).violations({ a: [{}], path: 'x', limit: null })
        } catch (error) {
          refused.push(`${file} ${name}: ${(error as HarnessError).code}`)
        }
      }
    }
    expect(tools.length).toBeGreaterThan(100)
    expect(refused.toSorted()).toEqual(
      ['draft04_booleans', 'enum_mixed_types', 'malformed_keywords', 'ref_cycle_pure', 'ref_dangling'].map(
        (name) => `hard-schemas.json ${name}: INVALID_SCHEMA`,
      ),
    )
  })
})
