// From schemas to types, seen through what the TypeScript renderer prints.
import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../../src/json/json-value.ts'
import type { JsonSchema } from '../../../../src/tools/definition.ts'
import { complaintsAbout } from '../../../support/typescript-check.ts'
import { lineOf, linesOf, namedTypes, tool, typeOf } from '../support.ts'

type Row = readonly [schema: JsonSchema, type: string]

function rows(...all: Row[]): [string, JsonSchema, string][] {
  return all.map(([schema, type]) => [JSON.stringify(schema).slice(0, 80), schema, type])
}

const string = { type: 'string' }
const a = { type: 'object', properties: { a: string } }
const b = { type: 'object', properties: { b: { type: 'integer' } }, required: ['b'] }

describe('scalars', () => {
  it.each(
    rows(
      [string, 'string'],
      [{ type: 'number' }, 'number'],
      [{ type: 'integer' }, 'int'],
      [{ type: 'boolean' }, 'boolean'],
      [{ type: 'null' }, 'null'],
      [true, 'Json'],
      [false, 'never'],
      [{}, 'Json'],
      [{ type: ['string', 'null'] }, 'string | null'],
      [{ type: ['integer', 'number'] }, 'number'],
      [{ type: ['string', 'string'] }, 'string'],
      [{ type: 'string', nullable: true }, 'string | null'],
      [{ anyOf: [string, { type: 'null' }] }, 'string | null'],
    ),
  )('[I2] %s', (_title, schema, type) => expect(typeOf(schema)).toBe(type))
})

describe('enum and const', () => {
  it.each(
    rows(
      [{ enum: ['a', 1, 1.5, true, null] }, '"a" | 1 | 1.5 | true | null'],
      [{ enum: [true, false] }, 'boolean'],
      [{ enum: ['1', 1, 'true', true, 'null', null] }, '"1" | 1 | "true" | true | "null" | null'],
      [{ enum: ['a', 'a'] }, '"a"'],
      [{ enum: [] }, 'never'],
      [{ type: 'string', enum: ['a', 1] }, '"a"'],
      // The values say what is meant where the type cannot be.
      [{ type: 'string', enum: [1, 2] }, '1 | 2'],
      [{ type: ['string', 'null'], enum: ['a', null] }, '"a" | null'],
      [{ type: 'string', enum: ['a'], nullable: true }, '"a" | null'],
      [{ const: { a: [1, { b: null }] } }, '{ a: [1, { b: null }] }'],
      [{ const: [] }, '[]'],
      [{ const: 1e308 }, '1e+308'],
      [{ enum: [-1, 9007199254740992] }, '-1 | 9007199254740992'],
      [{ enum: ['it\'s "x"\\\n'] }, '"it\'s \\"x\\"\\\\\\n"'],
    ),
  )('[I2] %s', (_title, schema, type) => expect(typeOf(schema)).toBe(type))

  it('[I2] are whole up to 100 values, and cut beyond, saying how many there are', () => {
    const values = Array.from({ length: 101 }, (_, index) => `v${index}`)
    expect(typeOf({ enum: values.slice(0, 100) })).toBe(
      values
        .slice(0, 100)
        .map((value) => `"${value}"`)
        .join(' | '),
    )
    expect(typeOf({ enum: values })).toMatch(/^string \/\* one of 101 values: "v0", .*"v19", … \*\/$/)
    const hostile = typeOf({ enum: ['*/ throw 1 /*', 'x'.repeat(100_000), '`', ...values] })
    expect(complaintsAbout(`type X = ${hostile}`)).toEqual([])
    expect(hostile.length).toBeLessThan(600)
    expect(typeOf({ type: 'array', items: { enum: [...values, 1] } })).toMatch(/^\(string \| int \/\* .* \*\/\)\[\]$/)
  })
})

describe('objects', () => {
  it.each(
    rows(
      [a, '{ a?: string }'],
      [b, '{ b: int }'],
      [{ ...a, additionalProperties: false }, '{ a?: string }'],
      [{ ...a, additionalProperties: true }, '{ a?: string; [key: string]: Json }'],
      [{ ...a, additionalProperties: {} }, '{ a?: string; [key: string]: Json }'],
      [{ ...a, additionalProperties: { type: 'integer' } }, '{ a?: string; [key: string]: Json }'],
      [{ type: 'object' }, 'Record<string, Json>'],
      [{ type: 'object', properties: {} }, 'Record<string, Json>'],
      [{ type: 'object', additionalProperties: false }, 'Empty'],
      [{ type: 'object', additionalProperties: string }, 'Record<string, string>'],
      [{ type: 'object', additionalProperties: a }, '{ [key: string]: { a?: string } }'],
      [
        { type: 'object', patternProperties: { '^x': string, '^y': { type: 'null' } } },
        '{ [key: string]: string | null }',
      ],
      [
        { type: 'object', propertyNames: { enum: ['u', 'v'] }, additionalProperties: string },
        '{ u?: string; v?: string }',
      ],
      [{ type: 'object', properties: { a: string }, required: ['zzz', 'a', 'a'] }, '{ a: string; zzz: Json }'],
      [{ ...a, unevaluatedProperties: true }, '{ a?: string; [key: string]: Json }'],
      // What only a condition declares may be there, so a closed object has to know it.
      [{ ...a, if: a, then: { properties: { c: string } } }, '{ a?: string; c?: string }'],
      [{ ...a, dependentSchemas: { a: { properties: { d: string } } } }, '{ a?: string; d?: string }'],
      [{ ...a, allOf: [{ if: a, then: { properties: { c: string } } }] }, '{ a?: string; c?: string }'],
    ),
  )('[I2] %s', (_title, schema, type) => expect(typeOf(schema)).toBe(type))

  it('[I2] take no argument where the root declares an empty list, and any where it declares none', () => {
    const signature = (parameters: JsonSchema): string => linesOf(tool('t', parameters)).at(-3)!
    expect(signature({ type: 'object', properties: {} })).toBe('t(args?: Empty): Promise<Json>')
    expect(signature({ type: 'object' })).toBe('t(args?: Record<string, Json>): Promise<Json>')
    expect(signature(true)).toBe('t(args?: Record<string, Json>): Promise<Json>')
    expect(signature(b)).toBe('t(args: { b: int }): Promise<Json>')
  })
})

describe('arrays and tuples', () => {
  it.each(
    rows(
      [{ type: 'array' }, 'Json[]'],
      [{ type: 'array', items: string }, 'string[]'],
      [{ type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]'],
      [{ type: 'array', items: false }, 'never[]'],
      [{ type: 'array', prefixItems: [string, { type: 'null' }], items: false, minItems: 2 }, '[string, null]'],
      [
        { type: 'array', prefixItems: [string, b], items: { type: 'integer' }, minItems: 1 },
        '[string, { b: int }?, ...int[]]',
      ],
      [{ type: 'array', prefixItems: [string] }, '[string?, ...Json[]]'],
      [{ type: 'array', items: [string], additionalItems: false, minItems: 1 }, '[string]'],
      [{ type: 'array', items: [string], additionalItems: { type: 'null' } }, '[string?, ...null[]]'],
      [{ type: 'array', items: [string], minItems: 1, maxItems: 1 }, '[string]'],
      [{ type: 'array', items: [] }, 'Json[]'],
    ),
  )('[I2] %s', (_title, schema, type) => expect(typeOf(schema)).toBe(type))
})

describe('compositions', () => {
  it.each(
    rows(
      [{ anyOf: [a, b] }, '{ a?: string } | { b: int }'],
      [{ oneOf: [string, { type: 'array', items: string }] }, 'string | string[]'],
      [{ anyOf: [string, {}] }, 'Json'],
      [{ anyOf: [false, string] }, 'string'],
      [{ anyOf: [] }, 'Json'],
      [{ allOf: [a, b] }, '{ a?: string; b: int }'],
      [{ allOf: [a, { required: ['a'] }] }, '{ a: string }'],
      [{ allOf: [string, { enum: ['u', 1] }] }, '"u"'],
      [{ allOf: [{ type: 'integer' }, string] }, 'never'],
      [{ allOf: [{ type: 'number' }, { type: 'integer' }] }, 'int'],
      [
        { type: 'object', properties: { n: { type: 'integer' } }, allOf: [{ properties: { n: string } }] },
        '{ n?: never }',
      ],
      [{ type: 'object', anyOf: [a, b] }, '{ a?: string } | { b: int }'],
      [
        { ...a, anyOf: [b, { type: 'object', properties: { c: string } }] },
        '{ a?: string } & ({ b: int } | { c?: string })',
      ],
      [{ type: 'string', anyOf: [{ enum: ['u'] }, { pattern: 'v' }] }, '"u" | string'],
      [{ anyOf: [string, { type: 'null' }], maxLength: 5 }, 'string | null'],
      [{ anyOf: [a, { type: 'null' }], required: ['a'] }, '{ a: string } | null'],
      [{ ...a, anyOf: [{ required: ['a'] }, { required: ['b'] }] }, '{ a?: string }'],
      [{ not: string }, 'Json'],
    ),
  )('[I2] %s', (_title, schema, type) => expect(typeOf(schema)).toBe(type))
})

describe('a type that is left out', () => {
  it.each(
    rows(
      [{ properties: { a: string } }, '{ a?: string }'],
      [{ items: string }, 'string[]'],
      [{ minLength: 1 }, 'string'],
      [{ format: 'date' }, 'string'],
      [{ minimum: 0 }, 'number'],
      [{ description: 'anything' }, 'Json'],
    ),
  )('[I2] is what the keywords mean: %s', (_title, schema, type) => expect(typeOf(schema)).toBe(type))
})

describe('schemas that are none', () => {
  const malformed: JsonValue[] = [
    null,
    'string',
    7,
    [],
    { type: 'str' },
    { type: 7 },
    { type: [] },
    { $ref: 42 },
    { enum: 'red' },
    { anyOf: {} },
    { allOf: 'x' },
  ]
  it.each(malformed.map((schema) => [JSON.stringify(schema), schema] as const))(
    '[I1] give the widest type: %s',
    (_title, schema) => expect(typeOf(schema as JsonObject)).toBe('Json'),
  )

  it('[I1] leave the rest of their tool, and other tools, as they are', () => {
    const broken = tool('broken', {
      type: 'object',
      properties: { bad: 7 as never, good: string },
      required: 'good' as never,
    })
    const lines = linesOf(broken, tool('fine', b))
    expect(lines).toContain('broken(args?: { bad?: Json; good?: string }): Promise<Json>')
    expect(lines).toContain('fine(args: { b: int }): Promise<Json>')
  })

  it('[I1] are told in a note where a name was meant', () => {
    expect(lineOf({ type: 'str' })).toBe('x?: Json // type "str"')
    expect(lineOf({ $ref: '#/$defs/Missing' })).toBe('x?: Json // no schema at #/$defs/Missing')
  })

  it('[I1] are walked 256 levels deep, and are wide beyond', () => {
    let schema: JsonObject = { type: 'integer' }
    for (let level = 0; level < 10_000; level += 1) schema = { type: 'array', items: schema }
    expect(typeOf(schema)).toMatch(/^Json(\[\]){255,257}$/)
    let object: JsonObject = { type: 'integer' }
    for (let level = 0; level < 200; level += 1) object = { type: 'object', properties: { [`l${level}`]: object } }
    expect(typeOf(object)).toMatch(/^\{ l199\?: .*\{ l0\?: int( \}){200}$/)
  })
})

describe('references', () => {
  const $defs = { Node: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/Node' } } } } }

  it('[I2] become named types, recursion kept', () => {
    const named = namedTypes(tool('t', { type: 'object', properties: { x: { $ref: '#/$defs/Node' } }, $defs }))
    expect([...named]).toEqual([['TNode', '{ kids?: TNode[] }']])
  })

  it('[I2] to the root name the arguments', () => {
    const parameters = {
      type: 'object',
      properties: { not: { $ref: '#' }, all: { type: 'array', items: { $ref: '#' } } },
    }
    expect([...namedTypes(tool('find', parameters))]).toEqual([['FindArgs', '{ not?: FindArgs; all?: FindArgs[] }']])
  })

  it('[I2] to a scalar that is no definition repeat it, with what it says', () => {
    const parameters = {
      type: 'object',
      properties: { id: { type: 'string', description: 'The id', format: 'uuid' }, other: { $ref: '#/properties/id' } },
    }
    expect(linesOf(tool('t', parameters))).toContain('other?: string // The id (uuid)')
  })

  it('[I2] keep what stands beside them', () => {
    const beside = { $defs: { Size: { enum: ['s', 'm'] }, Base: a } }
    expect(lineOf({ $ref: '#/$defs/Size', description: 'How large', default: 'm' }, beside)).toBe(
      'x?: Size // How large (default "m")',
    )
    expect(lineOf({ $ref: '#/$defs/Size', nullable: true }, beside)).toBe('x?: Size | null')
    expect(lineOf({ $ref: '#/$defs/Base', type: 'object' }, beside)).toBe('x?: Base')
    expect(lineOf({ $ref: '#/$defs/Base', properties: { c: string } }, beside)).toBe('x?: Base & { c?: string }')
    expect(lineOf({ $ref: '#/$defs/Base', required: ['a'] }, beside)).toBe('x?: Base & { a: unknown }')
    const old = { ...beside, $schema: 'http://json-schema.org/draft-07/schema#' }
    expect(lineOf({ $ref: '#/$defs/Base', properties: { c: string }, description: 'Kept' }, old)).toBe(
      'x?: Base // Kept',
    )
  })
})
