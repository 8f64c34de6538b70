import { describe, expect, it } from 'vitest'
import { lineOf, linesOf, tool } from '../support.ts'

describe('what a type cannot say', () => {
  it.each([
    [{ type: 'integer', minimum: 1, maximum: 100, default: 30 }, 'x?: int // 1..100, default 30'],
    [{ type: 'number', minimum: 0 }, 'x?: number // >= 0'],
    [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 'x?: number // > 0, < 1'],
    [{ type: 'number', minimum: 0, exclusiveMinimum: true }, 'x?: number // > 0'],
    [{ type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 }, 'x?: int'],
    [{ type: 'integer', multipleOf: 5 }, 'x?: int // multiple of 5'],
    [{ type: 'string', minLength: 1 }, 'x?: string // not empty'],
    [{ type: 'string', minLength: 2, maxLength: 5 }, 'x?: string // 2..5 chars'],
    [{ type: 'string', format: 'date-time' }, 'x?: string // date-time'],
    [{ type: 'string', format: 'uuid', pattern: '^[0-9a-f]{8}-…$' }, 'x?: string // uuid'],
    [{ type: 'string', pattern: '^a*/b`$' }, "x?: string // /^a*\\/b'$/"],
    [{ type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' }, 'x?: string // base64, image/png'],
    [
      { type: 'string', deprecated: true, readOnly: true, writeOnly: true },
      'x?: string // deprecated, read-only, write-only',
    ],
    [{ type: 'string', examples: ['a', 'b', 'c', 'd'] }, 'x?: string // e.g. "a", "b", "c"'],
    [
      { type: 'array', items: { type: 'string' }, minItems: 3, maxItems: 3, uniqueItems: true },
      'x?: string[] // 3 items, unique items',
    ],
    [
      { type: 'array', items: { type: 'string', description: 'One' }, description: 'All' },
      'x?: string[] // All items: One',
    ],
    [
      { type: 'object', additionalProperties: { type: 'string', description: 'One' } },
      'x?: Record<string, string> // values: One',
    ],
    [{ type: 'object', patternProperties: { '^X-': { type: 'string' } } }, 'x?: Record<string, string> // keys /^X-/'],
    [{ type: 'string', not: { const: 'no' } }, 'x?: string // not {"const": "no"}'],
    [
      { anyOf: [{ type: 'integer', minimum: 0 }, { type: 'null' }], default: null },
      'x?: int | null // default null, >= 0',
    ],
  ])('[I2] is said: %j', (schema, line) => expect(lineOf(schema as never)).toBe(line))

  it.each([
    ['Sort order (default: asc)', 'asc'],
    ['Page size, defaults to 30.', 30],
    ['Recurse? Default is false', false],
  ])('[I4] is not said twice: %s', (description, value) => {
    expect(lineOf({ description, default: value })).toBe(`x?: Json // ${description}`)
  })

  it.each([
    ['Page size, default 300', 30],
    ['The default branch', 'main'],
    ['30 by choice', 30],
  ])('[I4] is said where the prose says something else: %s', (description, value) => {
    expect(lineOf({ description, default: value })).toContain(`default ${JSON.stringify(value)})`)
  })

  it('[I2] is said of the whole arguments above the method', () => {
    const parameters = {
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' }, c: { type: 'string' } },
      anyOf: [{ required: ['a'] }, { required: ['b', 'c'] }],
      dependentRequired: { a: ['b'] },
      minProperties: 1,
    }
    const lines = linesOf(tool('t', parameters, {}, 'Does it.'))
    expect(lines).toContain('Arguments: >= 1 keys, a needs b, requires one of: a | b + c */')
  })

  it('is cut where it is long, and shows it', () => {
    const deep = JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`)
    expect(lineOf({ default: 'x'.repeat(5000) })).toMatch(/^x\?: Json \/\/ default "x{100,130}…"$/)
    expect(lineOf({ default: deep })).toBe(`x?: Json // default ${'['.repeat(8)}…${']'.repeat(8)}`)
    expect(lineOf({ type: 'string', pattern: 'a'.repeat(500) }).length).toBeLessThan(200)
  })
})
