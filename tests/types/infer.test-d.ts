// [G1] Argument and value types are inferred from the literal: exact through sixteen levels, then JsonValue. Checked by `npm run types`.
import type { JsonValue } from '../../src/json/json-value.ts'
import type { InferArgs, InferValue } from '../../src/schema/infer.ts'
import { defineTool } from '../../src/tools/define-tool.ts'
import type { ToolDefinition } from '../../src/tools/definition.ts'
import type { Holds, Same } from './expect.ts'

type Scalars = [
  Holds<Same<InferValue<{ type: 'string' }>, string>>,
  Holds<Same<InferValue<{ type: 'number' }>, number>>,
  Holds<Same<InferValue<{ type: 'integer' }>, number>>,
  Holds<Same<InferValue<{ type: 'boolean' }>, boolean>>,
  Holds<Same<InferValue<{ type: 'null' }>, null>>,
  Holds<Same<InferValue<{ type: 'json' }>, JsonValue>>,
  Holds<Same<InferValue<{ type: 'string'; enum: readonly ['a', 'b'] }>, 'a' | 'b'>>,
  Holds<Same<InferValue<{ type: 'integer'; const: 3 }>, 3>>,
  Holds<Same<InferValue<{ type: 'boolean'; const: true }>, true>>,
]

type Containers = [
  Holds<Same<InferValue<{ type: 'array'; items: { type: 'string' } }>, readonly string[]>>,
  Holds<
    Same<
      InferValue<{
        type: 'object'
        properties: { a: { type: 'string'; required: true }; b: { type: 'number' } }
        additionalProperties: false
      }>,
      { readonly a: string; readonly b?: number }
    >
  >,
  Holds<
    Same<
      InferValue<{ oneOf: readonly [{ type: 'string' }, { type: 'array'; items: { type: 'null' } }] }>,
      string | readonly null[]
    >
  >,
  Holds<
    Same<
      InferArgs<{ a: { type: 'string'; required: true }; b: { type: 'json' } }>,
      { readonly a: string; readonly b?: JsonValue }
    >
  >,
]

// An open object also has properties that nobody declared, and its declared ones keep their types.
type Open = InferValue<{
  type: 'object'
  properties: { a: { type: 'string'; required: true }; b: { type: 'integer' } }
  additionalProperties: true
}>
declare const open: Open
export const openMembers: [string, number | undefined, JsonValue | undefined] = [open.a, open['b'], open['other']]
export const openValue: Open = { a: 'x', other: [1, null] }
// @ts-expect-error A declared property keeps its type.
export const wrongOpenValue: Open = { a: 1 }

/** N arrays around a string. */
type Nested<N extends number, Depth extends unknown[] = [], Spec = { type: 'string' }> = Depth['length'] extends N
  ? Spec
  : Nested<N, [...Depth, unknown], { type: 'array'; items: Spec }>
type Arrays<N extends number, Innermost, Depth extends unknown[] = []> = Depth['length'] extends N
  ? Innermost
  : Arrays<N, readonly Innermost[], [...Depth, unknown]>

type Levels = [
  Holds<Same<InferValue<Nested<15>>, Arrays<15, string>>>,
  Holds<Same<InferValue<Nested<16>>, Arrays<16, string>>>,
  Holds<Same<InferValue<Nested<17>>, Arrays<16, JsonValue>>>,
  Holds<Same<InferValue<Nested<30>>, Arrays<16, JsonValue>>>,
]

/** N objects, one in the other, around a string. */
type Boxes<N extends number, Depth extends unknown[] = [], Spec = { type: 'string' }> = Depth['length'] extends N
  ? Spec
  : Boxes<
      N,
      [...Depth, unknown],
      { type: 'object'; properties: { in: Spec & { required: true } }; additionalProperties: false }
    >
type Opened<Box, Depth extends unknown[] = []> = [Box] extends [{ readonly in: infer Inner }]
  ? Opened<Inner, [...Depth, unknown]>
  : [Box, Depth['length']]

type ObjectLevels = [
  Holds<Same<Opened<InferValue<Boxes<16>>>, [string, 16]>>,
  Holds<Same<Opened<InferValue<Boxes<17>>>, [JsonValue, 16]>>,
]

export type All = [Scalars, Containers, Levels, ObjectLevels]

// What authors write: literals in place, no `as const`.
export const search = defineTool({
  name: 'search',
  description: 'Finds.',
  parameters: {
    query: { type: 'string', required: true, description: 'What to look for.' },
    limit: { type: 'integer', minimum: 1 },
    mode: { type: 'string', enum: ['exact', 'fuzzy'] },
    tags: { type: 'array', items: { type: 'string' } },
    where: {
      type: 'object',
      properties: { path: { type: 'string', required: true }, depth: { type: 'number' } },
      additionalProperties: false,
    },
  },
  output: {
    schema: {
      type: 'array',
      items: {
        oneOf: [
          {
            type: 'object',
            properties: { kind: { type: 'string', const: 'hit', required: true } },
            additionalProperties: false,
          },
          { type: 'null' },
        ],
      },
    },
    render: (args, hits) => {
      type Seen = [
        Holds<Same<typeof args.query, string>>,
        Holds<Same<typeof hits, readonly ({ readonly kind: 'hit' } | null)[]>>,
      ]
      return [{ type: 'text', text: `${args.query}: ${hits.length satisfies Seen['length'] | number}` }]
    },
  },
  async execute(args, exec) {
    type Seen = Holds<
      Same<
        typeof args,
        {
          readonly query: string
          readonly limit?: number
          readonly mode?: 'exact' | 'fuzzy'
          readonly tags?: readonly string[]
          readonly where?: { readonly path: string; readonly depth?: number }
        }
      >
    >
    const isTyped: Seen = true
    exec.signal.throwIfAborted()
    return isTyped ? [{ kind: 'hit' }, null] : []
  },
  isConcurrencySafe: ({ mode }) => mode !== 'fuzzy',
  presentCall: ({ query }) => ({ card: 'search', query }),
})
export const registered: ToolDefinition = search

export const noParameters = defineTool({
  name: 'now',
  description: 'The time.',
  parameters: {},
  output: { schema: { type: 'string' } },
  execute: () => new Date(0).toISOString(),
})
