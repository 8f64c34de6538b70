// What is understood of schemas that others wrote, and what is refused.
import { describe, expect, it } from 'vitest'
import { HarnessError } from '../../../src/errors/harness-error.ts'
import type { JsonObject, JsonValue } from '../../../src/json/json-value.ts'
import { type CompiledSchema, checkSchema, compileSchema, validateArgs } from '../../../src/schema/validator.ts'

const compile = (schema: JsonValue, trusted = false): CompiledSchema =>
  compileSchema(schema as JsonObject, { owner: 'tool "t"', kind: 'output', trusted })
const accepts = (schema: JsonValue, value: JsonValue): boolean => compile(schema).violations(value).length === 0

function refusal(schema: unknown, trusted = false): string {
  try {
    compile(schema as JsonValue, trusted)
  } catch (error) {
    if (HarnessError.is(error) && error.code === 'INVALID_SCHEMA') return error.message
    throw error
  }
  throw new Error('the schema was accepted')
}

describe('references', () => {
  it.each([
    ['a definition', { $ref: '#/$defs/n', $defs: { n: { type: 'integer' } } }],
    ['an old definition', { $ref: '#/definitions/n', definitions: { n: { type: 'integer' } } }],
    ['a boolean definition', { allOf: [{ $ref: '#/$defs/any' }, { type: 'integer' }], $defs: { any: true } }],
    [
      'somewhere else',
      { allOf: [{ $ref: '#/components/schemas/n' }], components: { schemas: { n: { type: 'integer' } } } },
    ],
    ['a name that needs escapes', { $ref: '#/$defs/a~1b~0c%20d', $defs: { 'a/b~c d': { type: 'integer' } } }],
    ['an anchor', { $ref: '#num', $defs: { n: { $anchor: 'num', type: 'integer' } } }],
    [
      'an old anchor',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        $ref: '#num',
        definitions: { n: { $id: '#num', type: 'integer' } },
      },
    ],
    [
      'a document inside',
      { $id: 'https://example.org/root', $ref: 'part', $defs: { p: { $id: 'part', type: 'integer' } } },
    ],
    [
      'an urn inside',
      { $id: 'urn:example:root', $ref: 'urn:example:n', $defs: { p: { $id: 'urn:example:n', type: 'integer' } } },
    ],
    [
      'a pointer into a document inside',
      { $ref: 'https://x.org/p#/$defs/n', $defs: { p: { $id: 'https://x.org/p', $defs: { n: { type: 'integer' } } } } },
    ],
    [
      'a dynamic anchor, of which there is one',
      { $dynamicRef: '#n', $defs: { n: { $dynamicAnchor: 'n', type: 'integer' } } },
    ],
    [
      'the definition of a name of Object.prototype',
      { $ref: '#/$defs/constructor', $defs: { constructor: { type: 'integer' } } },
    ],
  ] as [string, JsonObject][])('[G3] lead to %s', (_name, schema) => {
    expect([accepts(schema, 1), accepts(schema, 'x')]).toEqual([true, false])
  })

  it('[G3] lead back to the root, and to themselves further in', () => {
    const tree = {
      type: 'object',
      properties: { kids: { type: 'array', items: { $ref: '#' } } },
      additionalProperties: false,
    }
    expect(accepts(tree, { kids: [{ kids: [] }, {}] })).toBe(true)
    expect(compile(tree).violations({ kids: [{ kids: [{ kid: 1 }] }] })).toEqual([
      { path: 'value.kids[0].kids[0].kid', message: 'is no known property: did you mean "kids"?' },
    ])
  })

  it('[G3] to the meta-schema mean any schema', () => {
    const schema = { properties: { schema: { $ref: 'http://json-schema.org/draft-07/schema#' } } }
    expect([accepts(schema, { schema: { type: 'string' } }), accepts(schema, { schema: 1 })]).toEqual([true, false])
  })

  it.each([
    ['#/$defs/missing', { $defs: {} }],
    ['#nowhere', {}],
    ['https://example.org/remote.json', {}],
    ['file:///etc/passwd', {}],
    ['other.json', {}],
    ['#/properties/toString', { properties: {} }],
    ['#/required/0', { required: ['a'] }],
    ['http://[', {}],
  ] as [string, JsonObject][])('[G3] to %s are refused, not fetched', (reference, rest) => {
    expect(refusal({ ...rest, allOf: [{ $ref: reference }] })).toBe(
      `The output schema of tool "t" cannot be used: #/allOf/0/$ref leads nowhere in this schema: "${reference}"; other documents are never fetched.`,
    )
  })

  it('[G3] of two tools with one `$id` do not meet', () => {
    const named = (type: string): JsonObject => ({
      $id: 'urn:example:same',
      $ref: '#/$defs/a',
      $defs: { a: { $id: 'urn:example:a', type } },
    })
    const first = compile(named('string'))
    const second = compile(named('integer'))
    expect([first.violations('x'), second.violations(1)]).toEqual([[], []])
    expect([first.violations(1).length, second.violations('x').length]).toEqual([1, 1])
  })
})

describe('dialects', () => {
  const tuple = { items: [{ type: 'string' }], additionalItems: { type: 'integer' } }

  it.each([
    ['http://json-schema.org/draft-07/schema#', tuple],
    ['https://json-schema.org/draft/2019-09/schema', tuple],
    ['https://json-schema.org/draft/2020-12/schema', { prefixItems: [{ type: 'string' }], items: { type: 'integer' } }],
    [undefined, { prefixItems: [{ type: 'string' }], items: { type: 'integer' } }],
    // What is written without a `$schema` is often older than the default.
    [undefined, tuple],
  ] as [string | undefined, JsonObject][])('[G3] tuples of %s', (dialect, schema) => {
    const whole = dialect === undefined ? schema : { $schema: dialect, ...schema }
    expect([accepts(whole, ['a', 1]), accepts(whole, [1]), accepts(whole, ['a', 'b'])]).toEqual([true, false, false])
    expect(compile(whole).warnings).toEqual([])
  })

  it('[G3] draft-07 ignores what stands beside a reference; later ones do not', () => {
    const schema = { $ref: '#/definitions/s', maxLength: 1, definitions: { s: { type: 'string' } } }
    expect(accepts({ $schema: 'http://json-schema.org/draft-07/schema#', ...schema }, 'long')).toBe(true)
    expect(accepts(schema, 'long')).toBe(false)
  })

  it('[G3] the dependencies of old dialects, and `$recursiveRef`', () => {
    const schema = { dependencies: { a: ['b'], c: { required: ['d'] } } }
    expect([{ a: 1 }, { a: 1, b: 1 }, { c: 1 }, { c: 1, d: 1 }].map((value) => accepts(schema, value))).toEqual([
      false,
      true,
      false,
      true,
    ])
    const list = { type: 'array', items: { $recursiveRef: '#' } }
    expect([accepts(list, [[], [[]]]), accepts(list, [[1]])]).toEqual([true, false])
  })

  it('[G3] an unknown dialect is read as the default, with a warning', () => {
    const compiled = compile({ $schema: 'http://json-schema.org/draft-04/schema#', type: 'string' })
    expect(compiled.warnings).toEqual([expect.stringContaining('draft-04')])
    expect(compiled.violations(1)).toHaveLength(1)
  })

  it.each([
    [{ type: 'string', nullable: true }, 'x'],
    [{ enum: ['x'], nullable: true }, 'x'],
    [{ $ref: '#/$defs/s', nullable: true, $defs: { s: { type: 'string' } } }, 'x'],
    [{ anyOf: [{ type: 'string' }], nullable: true }, 'x'],
  ] as [JsonObject, JsonValue][])("OpenAPI's nullable: %j", (schema, value) => {
    expect([accepts(schema, value), accepts(schema, null), accepts(schema, 1)]).toEqual([true, true, false])
    expect(accepts({ ...schema, nullable: false }, null)).toBe(false)
  })
})

describe('what cannot be checked', () => {
  const email = '^(?!\\.)[a-z.]+@x$'

  it('[G3] is left out with a warning that names it', () => {
    const compiled = compile({ properties: { a: { type: 'string', pattern: email } } })
    expect(compiled.warnings).toEqual([
      expect.stringMatching(/^#\/properties\/a\/pattern: The pattern .* is not checked/),
    ])
    expect([compiled.violations({ a: 'anything' }), compiled.violations({ a: 1 }).length]).toEqual([[], 1])
  })

  it.each([
    ['not', { not: { pattern: email } }, 'a@x'],
    ['oneOf', { oneOf: [{ type: 'string', pattern: email }, { const: 'plain' }] }, 'plain'],
    ['if', { if: { pattern: email }, then: { minLength: 100 } }, 'other'],
    ['maxContains', { contains: { pattern: email }, maxContains: 1 }, ['a@x', 'other', 'b']],
    ['unevaluatedProperties', { patternProperties: { [email]: {} }, unevaluatedProperties: false }, { 'a@x': 1 }],
    ['additionalProperties', { patternProperties: { [email]: {} }, additionalProperties: false }, { 'a@x': 1 }],
    [
      'an ambiguous dynamic reference',
      { $dynamicRef: '#d', $defs: { a: { $dynamicAnchor: 'd', type: 'string' }, b: { $dynamicAnchor: 'd' } } },
      5,
    ],
  ] as [string, JsonObject, JsonValue][])('[G3] never makes a schema refuse more: %s', (_name, schema, value) => {
    const compiled = compile(schema)
    expect(compiled.violations(value)).toEqual([])
    expect(compiled.warnings).toHaveLength(1)
  })

  it('keeps enforcing the rest of such a schema', () => {
    const compiled = compile({
      type: 'object',
      properties: { a: { pattern: email }, b: { oneOf: [{ type: 'string' }, { type: 'null' }] } },
    })
    expect(compiled.violations({ a: 'x', b: 1 })).toEqual([
      { path: 'value.b', message: 'must be a string or null, got 1' },
    ])
  })

  it('is refused in a schema of our own', () => {
    expect(refusal({ pattern: email }, true)).toContain('#/pattern needs look-around')
  })
})

describe('wrong forms', () => {
  it.each([
    [{ properties: { a: { type: 'str' } } }, '#/properties/a/type must be null, boolean'],
    [{ type: [] }, '#/type must be'],
    [{ properties: { a: 'string' } }, '#/properties/a must be a schema (an object, true or false), not "string"'],
    [{ properties: { a: null } }, '#/properties/a must be a schema'],
    [{ properties: [] }, '#/properties must be an object'],
    [{ required: 'a' }, '#/required must be a list of names, not "a"'],
    [{ required: [1] }, '#/required must be a list of names'],
    [{ enum: 'red' }, '#/enum must be a list of values'],
    [{ anyOf: {} }, '#/anyOf must be a list of at least one schema'],
    [{ anyOf: [] }, '#/anyOf must be a list of at least one schema'],
    [{ items: null }, '#/items must be a schema'],
    [{ minimum: '1' }, '#/minimum must be a number'],
    [{ exclusiveMinimum: true }, '#/exclusiveMinimum must be a number'],
    [{ minLength: -1 }, '#/minLength must be a whole number'],
    [{ multipleOf: 0 }, '#/multipleOf must be a number above 0'],
    [{ uniqueItems: 'yes' }, '#/uniqueItems must be true or false'],
    [{ pattern: 5 }, '#/pattern must be a string'],
    [{ $ref: 42 }, '#/$ref must be a string'],
    [{ dependentRequired: { a: 'b' } }, '#/dependentRequired/a must be a list of names'],
    [[], '# must be an object, true or false'],
    [null, '# must be an object, true or false'],
    ['string', '# must be an object, true or false'],
    [undefined, '# is not JSON'],
    [{ default: new Date() }, '# is not JSON (#.default is an instance of Date'],
  ])('[C2, G3] %j is refused', (schema, part) => {
    expect(refusal(schema)).toContain(`The output schema of tool "t" cannot be used: ${part}`)
    expect(() => checkSchema(schema as JsonObject, { owner: 'tool "t"', kind: 'parameters' })).toThrow(
      'The parameter schema of tool "t"',
    )
  })

  it('[G3] what is no keyword is nobody’s business', () => {
    const schema = {
      title: 5,
      description: ['x'],
      default: {},
      examples: 'x',
      'x-vendor': { type: 'str' },
      constructor: 1,
      $comment: null,
      $defs: { unused: 5 },
    }
    expect(accepts(schema, 1)).toBe(true)
  })
})

describe('names that prototypes answer for', () => {
  it.each(['__proto__', 'constructor', 'toString', 'valueOf', 'hasOwnProperty'])(
    '[G3] %s is a property like any other',
    (name) => {
      const own = (value: JsonValue): JsonObject =>
        JSON.parse(
          JSON.stringify({ x: 0 }).replace('"x":0', `${JSON.stringify(name)}:${JSON.stringify(value)}`),
        ) as JsonObject
      const schema = { properties: own({ type: 'string' }), additionalProperties: false }
      expect([
        accepts(schema, {}),
        accepts(schema, own('a')),
        accepts(schema, own(1)),
        accepts(schema, { other: 1 }),
      ]).toEqual([true, true, false, false])
      const needed = { required: [name] }
      expect([accepts(needed, {}), accepts(needed, own(1))]).toEqual([false, true])
    },
  )
})

describe('validateArgs', () => {
  const schema = { type: 'object', properties: { limit: { type: 'integer' } }, required: ['limit'] }

  it('[G2] gives the violations, with paths from args', () => {
    expect(validateArgs(schema, { limit: 'ten' })).toEqual([
      { path: 'args.limit', message: 'must be an integer, got "ten"' },
    ])
    expect(validateArgs(schema, { limit: 1 })).toEqual([])
    expect(validateArgs(true, { anything: 1 })).toEqual([])
    expect(validateArgs(false, {})).toEqual([{ path: 'args', message: 'is not allowed' }])
  })

  it('[G2] does not apply defaults', () => {
    const args = {}
    expect(validateArgs({ properties: { a: { default: 1 } } }, args)).toEqual([])
    expect(args).toEqual({})
  })

  it('names what is no JSON as a violation', () => {
    expect(validateArgs(schema, { limit: 1n })).toEqual([
      { path: 'args.limit', message: expect.stringContaining('bigint') },
    ])
  })
})
