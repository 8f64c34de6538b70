// What the core, the replaced keywords, the outlining and the meter do to a schema must not change what it accepts: a plain Ajv is asked
// the same question.
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { HarnessError } from '../../../src/errors/harness-error.ts'
import type { JsonObject, JsonValue } from '../../../src/json/json-value.ts'
import { type CompiledSchema, compileSchema } from '../../../src/schema/validator.ts'
import { anySchema, smallValue } from '../../support/schemas.ts'

/** The schema, unless it is refused for going round in a circle, which Ajv would do until the stack ends. */
function compile(schema: JsonObject): CompiledSchema | undefined {
  try {
    return compileSchema(schema, { owner: 'test', kind: 'output' })
  } catch (error) {
    if (HarnessError.is(error) && error.message.includes('lead in a circle')) return undefined
    throw error
  }
}

/** Ajv skips a property named `__proto__`; a pattern for it means the same. */
function withProtoAsPattern(schema: JsonValue): JsonValue {
  if (Array.isArray(schema)) return schema.map(withProtoAsPattern)
  if (typeof schema !== 'object' || schema === null) return schema
  const entries = Object.entries(schema).map(([key, value]) => [key, withProtoAsPattern(value)] as const)
  const copy = Object.fromEntries(entries) as Record<string, JsonValue>
  const { properties } = copy
  if (properties === undefined || !Object.hasOwn(properties as object, '__proto__')) return copy
  const { ['__proto__']: proto, ...rest } = properties as JsonObject
  return {
    ...copy,
    properties: rest,
    patternProperties: { ...(copy['patternProperties'] as object), '^__proto__$': proto as JsonValue },
  }
}

it('[G3] accepts and refuses what Ajv does, keyword by keyword', () => {
  let accepted = 0
  let refused = 0
  fc.assert(
    fc.property(anySchema, fc.array(smallValue, { minLength: 5, maxLength: 5 }), (schema, values) => {
      const ours = compile(schema)
      if (ours === undefined) return
      const options = { strict: false, ownProperties: true, validateSchema: false, multipleOfPrecision: 9 } as const
      const theirs = new Ajv2020(options).compile(withProtoAsPattern(schema) as JsonObject)
      for (const value of values) {
        const isValid = theirs(value) === true
        if (isValid) accepted++
        else refused++
        expect(ours.violations(value).length === 0, JSON.stringify({ schema, value })).toBe(isValid)
      }
    }),
    { seed: 11, numRuns: 400 },
  )
  expect({ accepted: accepted > 200, refused: refused > 200 }).toEqual({ accepted: true, refused: true })
})

it('[G3] a schema that is cut into many functions accepts and refuses what it did', () => {
  const wide = Object.fromEntries(
    Array.from({ length: 250 }, (_, index) => [`p${index}`, { type: 'integer', minimum: index }]),
  )
  let deep: JsonObject = { type: 'object', properties: wide, additionalProperties: false, required: ['p3'] }
  for (let level = 0; level < 40; level++) deep = { type: 'array', items: { anyOf: [deep, { type: 'null' }] } }
  const ours = compileSchema(deep, { owner: 'test', kind: 'output' })
  const nest = (innermost: JsonValue): JsonValue => {
    let value = innermost
    for (let level = 0; level < 40; level++) value = [null, value]
    return value
  }
  expect(ours.violations(nest({ p3: 3, p249: 249 }))).toEqual([])
  const messages = (value: JsonValue): string[] => ours.violations(nest(value)).map(({ message }) => message)
  expect(messages({ p3: 3, p249: 0 })).toEqual(['must be at least 249, got 0'])
  expect(messages({ p1: 1 })).toEqual(['is required'])
  expect(messages({ p3: 3, other: 1 })).toEqual([expect.stringContaining('is no known property')])
  expect(messages('x')).toEqual(['must be an object or null, got "x"'])
})
