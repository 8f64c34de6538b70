// Random JSON Schemas for fast-check: the kind that people write, and the kind that nobody should.
import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts'
import type { JsonSchema } from '../../src/tools/definition.ts'

const KEYWORDS = [
  ...['$ref', '$defs', '$id', '$anchor', '$schema', 'type', 'properties', 'required', 'items', 'prefixItems', 'anyOf'],
  ...['oneOf', 'allOf', 'not', 'if', 'then', 'else', 'enum', 'const', 'additionalProperties', 'patternProperties'],
  ...['propertyNames', 'description', 'title', 'default', 'examples', 'format', 'pattern', 'minimum', 'maxItems'],
  ...['minItems', 'nullable', 'deprecated', 'definitions', 'dependentSchemas', 'dependencies', 'unevaluatedProperties'],
] as const

const REFERENCES = [
  '#',
  '#/$defs/A',
  '#/$defs/B',
  '#/properties/a',
  '#/nowhere',
  '#A',
  'https://example.com/x#/y',
  '%E0%A4%A',
]

/** JSON in which keywords occur everywhere with values of any kind. */
export function wildSchemas(): fc.Arbitrary<JsonSchema> {
  const leaf = fc.oneof(
    fc.constantFrom<JsonValue>(
      ...REFERENCES,
      'string',
      'object',
      'array',
      'integer',
      'null',
      true,
      false,
      null,
      0,
      -1.5,
    ),
    fc.string({ unit: 'binary', maxLength: 8 }),
    fc.constantFrom('*/', '`', '\u2028', '// @ts-expect-error', '\u202e', '\ud800', '__proto__', '"', '\\'),
  )
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 5, depthSize: 'small' },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(
        fc.oneof(fc.constantFrom(...KEYWORDS), fc.constantFrom('a', 'A', 'B', '__proto__', '')),
        tie('value'),
        {
          maxKeys: 6,
        },
      ),
    ),
  }))
  return value as fc.Arbitrary<JsonSchema>
}

/** Schemas with sense: every type is said, references lead somewhere. Descriptions try to get out of their comments. */
export function plainSchemas(): fc.Arbitrary<JsonObject> {
  const said = fc.option(fc.constantFrom('words', 'more\nlines', 'ends */ here', '@ts-ignore', '`x`'), {
    nil: undefined,
  })
  const { schema } = fc.letrec<{ schema: JsonObject }>((tie) => {
    const inner = tie('schema')
    const properties = fc.dictionary(fc.constantFrom('a', 'b', 'c-d', 'new'), inner, { maxKeys: 3 })
    const object = fc
      .record({
        properties,
        required: fc.subarray(['a', 'b', 'c-d', 'new']),
        others: fc.option(inner, { nil: undefined }),
      })
      .map(({ properties: all, required, others }) => ({
        type: 'object',
        properties: all,
        required: required.filter((name) => Object.hasOwn(all, name)),
        ...(others === undefined ? {} : { additionalProperties: others }),
      }))
    return {
      schema: fc
        .tuple(
          fc.oneof(
            { maxDepth: 3, depthSize: 'small' },
            fc.constantFrom<JsonObject>(
              ...['string', 'integer', 'number', 'boolean', 'null'].map((type) => ({ type })),
              { type: ['string', 'null'] },
              { enum: ['x', 1, null, true] },
              { type: 'string', enum: ['x', 'y'], nullable: true },
              { const: { a: [1] } },
              { $ref: '#/$defs/A' },
              { $ref: '#/$defs/B' },
              {},
            ),
            object,
            object,
            inner.map((items) => ({ type: 'array', items })),
            fc
              .array(inner, { minLength: 1, maxLength: 3 })
              .map((prefixItems) => ({ type: 'array', prefixItems, items: false })),
            fc.array(inner, { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
            fc.array(inner, { minLength: 1, maxLength: 3 }).map((oneOf) => ({ oneOf })),
            fc.array(object, { minLength: 1, maxLength: 3 }).map((allOf) => ({ allOf })),
            fc
              .tuple(object, fc.array(object, { minLength: 2, maxLength: 3 }))
              .map(([base, anyOf]) => ({ ...base, anyOf })),
          ),
          said,
        )
        .map(([base, description]) => (description === undefined ? base : { ...base, description })),
    }
  })
  return fc
    .record({ root: fc.dictionary(fc.constantFrom('a', 'b', 'c-d'), schema, { minKeys: 1 }), A: schema, B: schema })
    .map(({ root, A, B }) => ({ type: 'object', properties: root, $defs: { A, B } }))
}
