// Generators of JSON Schemas and of values that come near them.
import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts'
import type { JsonSchema } from '../../src/schema/dialects.ts'

const NAMES = ['a', 'b', 'constructor', '__proto__']
const name = fc.constantFrom(...NAMES)
const count = fc.nat(3)
const scalar: fc.Arbitrary<JsonValue> = fc.constantFrom(null, true, false, 0, 1, 2, 2.5, -3, '', 'a', 'ab', 'b1', '1')

/** Values over few scalars and names, so that they fit a random schema now and then. */
export const smallValue: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    scalar,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(name, tie('value')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
  ),
})).value

/** A keyword with a value of its form. */
function keyword(schema: fc.Arbitrary<JsonSchema>): fc.Arbitrary<readonly [string, JsonValue]> {
  const one = (names: readonly string[], value: fc.Arbitrary<JsonValue>) => fc.tuple(fc.constantFrom(...names), value)
  const list = fc.array(schema, { minLength: 1, maxLength: 3 })
  const map = fc
    .array(fc.tuple(name, schema), { maxLength: 3 })
    .map((entries) => Object.fromEntries(entries) as JsonObject)
  const names = fc.uniqueArray(name, { maxLength: 2 })
  return fc.oneof(
    one(['type'], fc.constantFrom('null', 'boolean', 'integer', 'number', 'string', 'array', 'object')),
    one(['type'], fc.constantFrom<JsonValue>(['string', 'null'], ['array', 'object'], ['integer', 'boolean'])),
    one(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'], fc.integer({ min: -3, max: 3 })),
    one(['multipleOf'], fc.constantFrom(1, 2, 0.5)),
    one(['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'], count),
    one(['pattern'], fc.constantFrom('^a', 'b$', '\\d', '^[^a]*$')),
    one(['uniqueItems'], fc.boolean()),
    one(['enum'], fc.array(smallValue, { minLength: 1, maxLength: 3 })),
    one(['const'], smallValue),
    one(['items', 'contains', 'additionalProperties', 'propertyNames', 'not', 'if', 'then', 'else'], schema),
    one(['unevaluatedProperties', 'unevaluatedItems'], schema),
    one(['allOf', 'anyOf', 'oneOf', 'prefixItems'], list),
    one(['properties', 'dependentSchemas'], map),
    one(
      ['patternProperties'],
      schema.map((each): JsonObject => ({ '^[ac]': each })),
    ),
    one(['required'], names),
    one(
      ['dependentRequired'],
      names.map((each): JsonObject => ({ a: each })),
    ),
    one(['minContains', 'maxContains'], count),
    one(['$ref'], fc.constantFrom('#/$defs/one', '#/$defs/two', '#/$defs/list')),
  )
}

const schemaOf = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', maxDepth: 3, withCrossShrink: true },
    fc.boolean(),
    fc.array(keyword(tie('schema')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries) as JsonObject),
  ),
})).schema

/** Schemas of the default dialect, with definitions that they may refer to, one of them recursive. */
export const anySchema: fc.Arbitrary<JsonObject> = fc.tuple(schemaOf, schemaOf, schemaOf).map(([root, one, two]) => ({
  allOf: [root],
  $defs: { one, two, list: { type: 'array', items: { anyOf: [{ $ref: '#/$defs/list' }, { type: 'integer' }] } } },
}))
