// [G1] Wrong author forms are errors of the compiler. Each mistake stands in a tool that is right but for it; `tsc` complains of a
// `@ts-expect-error` that expects nothing, so every rule here is held. Checked by `npm run types`.
import type { ParameterSchemaSpec } from '../../src/schema/dsl.ts'
import { defineTool } from '../../src/tools/define-tool.ts'

const base = { name: 'tool', description: 'A tool.' }
const output = { schema: { type: 'string' } } as const
const execute = (): string => 'done'
const rest = { ...base, output, execute }

/** Accepts what is right. */
export const right = defineTool({
  ...base,
  parameters: {
    text: { type: 'string', required: true, description: 'Text.', minLength: 1, pattern: '^a', format: 'uri' },
    count: { type: 'integer', enum: [1, 2] },
    ratio: { type: 'number', const: 0.5 },
    flag: { type: 'boolean' },
    nothing: { type: 'null' },
    any: { type: 'json', description: 'Anything.' },
    list: { type: 'array', items: { type: 'array', items: { type: 'json' } }, maxItems: 3 },
    object: { type: 'object', properties: { inner: { type: 'string', required: true } }, additionalProperties: true },
    either: { oneOf: [{ type: 'string' }, { type: 'null' }], description: 'One of two.' },
  },
  output,
  execute,
})

/** What each of the following tools is, but for its one mistake. */
export const control = defineTool({ ...rest, parameters: { a: { type: 'string' } } })

// @ts-expect-error An unknown type.
defineTool({ ...rest, parameters: { a: { type: 'text' } } })
// @ts-expect-error No type at all.
defineTool({ ...rest, parameters: { a: { description: 'A.' } } })
// @ts-expect-error A misspelled keyword.
defineTool({ ...rest, parameters: { a: { type: 'string', requierd: true } } })
// @ts-expect-error A keyword of another type.
defineTool({ ...rest, parameters: { a: { type: 'string', minimum: 1 } } })
// @ts-expect-error A keyword that would promise what is not done: defaults are not applied.
defineTool({ ...rest, parameters: { a: { type: 'string', default: 'x' } } })
// @ts-expect-error `required` is a mark of each property, not a list.
defineTool({ ...rest, parameters: { a: { type: 'string', required: ['a'] } } })
// @ts-expect-error An enum of another type.
defineTool({ ...rest, parameters: { a: { type: 'string', enum: ['a', 1] } } })
// @ts-expect-error An empty enum.
defineTool({ ...rest, parameters: { a: { type: 'string', enum: [] } } })
// @ts-expect-error An enum of fractions for integers.
defineTool({ ...rest, parameters: { a: { type: 'integer', enum: [1, 1.5] } } })
// @ts-expect-error A constant of another type.
defineTool({ ...rest, parameters: { a: { type: 'boolean', const: 'true' } } })
// @ts-expect-error A constant fraction for an integer.
defineTool({ ...rest, parameters: { a: { type: 'integer', const: 0.5 } } })
// @ts-expect-error A constant beside an enum.
defineTool({ ...rest, parameters: { a: { type: 'string', const: 'a', enum: ['a'] } } })
// @ts-expect-error An array without items.
defineTool({ ...rest, parameters: { a: { type: 'array' } } })
// @ts-expect-error A tuple: items are of one form.
defineTool({ ...rest, parameters: { a: { type: 'array', items: [{ type: 'string' }] } } })
// @ts-expect-error An object that does not say whether it is open.
defineTool({ ...rest, parameters: { a: { type: 'object', properties: {} } } })
// @ts-expect-error Additional properties of some form.
defineTool({ ...rest, parameters: { a: { type: 'object', properties: {}, additionalProperties: { type: 'string' } } } })
// @ts-expect-error An object without properties.
defineTool({ ...rest, parameters: { a: { type: 'object', additionalProperties: true } } })
// @ts-expect-error A union of nothing.
defineTool({ ...rest, parameters: { a: { oneOf: [] } } })
// @ts-expect-error A union with a type beside it.
defineTool({ ...rest, parameters: { a: { type: 'string', oneOf: [{ type: 'string' }] } } })
// @ts-expect-error Branches are no properties: they cannot be required.
defineTool({ ...rest, parameters: { a: { oneOf: [{ type: 'string', required: true }] } } })
// @ts-expect-error Items cannot be required either.
defineTool({ ...rest, parameters: { a: { type: 'array', items: { type: 'string', required: true } } } })
// @ts-expect-error JSON Schema that the language of authors does not have.
defineTool({ ...rest, parameters: { a: { anyOf: [{ type: 'string' }] } } })
// @ts-expect-error A JSON Schema document instead of properties.
defineTool({ ...rest, parameters: { type: 'object', properties: {} } })

defineTool({
  ...rest,
  parameters: {
    a: {
      type: 'array',
      // @ts-expect-error A misspelled keyword three levels in.
      items: { type: 'object', properties: { b: { type: 'string', descripton: 'B.' } }, additionalProperties: false },
    },
  },
})

// @ts-expect-error The output is mandatory.
defineTool({ ...base, parameters: {}, execute })
// @ts-expect-error So is its schema.
defineTool({ ...base, parameters: {}, execute, output: {} })
// @ts-expect-error The root of an output is no property.
defineTool({ ...base, parameters: {}, execute, output: { schema: { type: 'string', required: true } } })
// @ts-expect-error The body returns what the output declares.
defineTool({ ...base, parameters: {}, output, execute: () => 1 })
// @ts-expect-error Also when it is asynchronous.
defineTool({ ...base, parameters: {}, output, execute: async () => ({ text: 'done' }) })
// @ts-expect-error An argument that is not declared.
defineTool({ ...base, parameters: { a: { type: 'string', required: true } }, output, execute: (args) => args.b })
// @ts-expect-error An optional argument may be absent.
defineTool({ ...base, parameters: { a: { type: 'string' } }, output, execute: (args) => args.a })
defineTool({
  ...base,
  parameters: { a: { type: 'string', required: true } },
  output,
  // @ts-expect-error Arguments are frozen.
  execute: (args) => (args.a = 'b'),
})
// @ts-expect-error A view without its card.
defineTool({ ...base, parameters: {}, output, execute, presentCall: () => ({ title: 'Tool' }) })
// @ts-expect-error The body is mandatory.
defineTool({ ...base, parameters: {}, output })

// @ts-expect-error A spec that is written apart keeps its literals only with `as const` or `satisfies`.
export const widened: ParameterSchemaSpec = ((): { a: { type: string } } => ({ a: { type: 'string' } }))()
