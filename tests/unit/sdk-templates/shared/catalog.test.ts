// What tools of a catalog share: definitions, repeated shapes, repeated arguments.
import { describe, expect, it } from 'vitest'
import { typescriptSdk } from '../../../../sdk-templates/index.ts'
import type { JsonObject } from '../../../../src/json/json-value.ts'
import { complaintsAbout } from '../../../support/typescript-check.ts'
import { linesOf, namedTypes, tool } from '../support.ts'

function withDefinitions(name: string, $defs: JsonObject, reference: string) {
  return tool(name, { type: 'object', properties: { x: { $ref: `#/$defs/${reference}` } }, $defs })
}

const list: JsonObject = {
  List: { type: 'object', properties: { head: { $ref: '#/$defs/Item' }, tail: { $ref: '#/$defs/List' } } },
  Item: { type: 'object', properties: { id: { type: 'integer' } } },
}

describe('definitions', () => {
  it('[I2] that are equal in several tools are one type, recursive ones, too', () => {
    const tools = ['one', 'two', 'three'].map((name) => withDefinitions(name, list, 'List'))
    expect([...namedTypes(...tools)]).toEqual([
      ['List', '{ head?: Item; tail?: List }'],
      ['Item', '{ id?: int }'],
    ])
  })

  it('[I2] of one name and different shape are kept apart, however far down the difference is', () => {
    const other = { ...list, Item: { type: 'object', properties: { id: { type: 'string' } } } }
    const named = namedTypes(withDefinitions('one', list, 'List'), withDefinitions('two', other, 'List'))
    expect([...named]).toEqual([
      ['List', '{ head?: Item; tail?: List }'],
      ['Item', '{ id?: int }'],
      ['TwoList', '{ head?: TwoItem; tail?: TwoList }'],
      ['TwoItem', '{ id?: string }'],
    ])
  })

  it('[I2] of one shape and different names keep their names', () => {
    const animals = {
      Cat: { type: 'object', properties: { n: true } },
      Dog: { type: 'object', properties: { n: true } },
    }
    const named = namedTypes(withDefinitions('one', animals, 'Cat'), withDefinitions('two', animals, 'Dog'))
    expect([...named.keys()]).toEqual(['Cat', 'Dog'])
  })

  it.each([
    ['itself', { A: { $ref: '#/$defs/A' } }],
    ['each other', { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } }],
    ['itself in a union', { A: { anyOf: [{ $ref: '#/$defs/A' }, { type: 'string' }] } }],
    [
      'each other in unions',
      {
        A: { anyOf: [{ $ref: '#/$defs/B' }, { type: 'string' }] },
        B: { anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }] },
      },
    ],
    [
      'itself in an intersection',
      { A: { allOf: [{ $ref: '#/$defs/A' }, { $ref: '#/$defs/A' }, { type: 'object', properties: { a: true } }] } },
    ],
    [
      'itself in a tuple',
      {
        A: {
          anyOf: [{ type: 'null' }, { type: 'array', prefixItems: [{ type: 'array', items: { $ref: '#/$defs/A' } }] }],
        },
      },
    ],
    ['itself in a list', { A: { type: 'array', items: { $ref: '#/$defs/A' } } }],
    ['itself in a map', { A: { type: 'object', additionalProperties: { $ref: '#/$defs/A' } } }],
    ['itself, nullable', { A: { $ref: '#/$defs/A', nullable: true } }],
  ] as [string, JsonObject][])('[I2] that refer to %s compile', (_title, $defs) => {
    expect(complaintsAbout(typescriptSdk.render([withDefinitions('t', $defs, 'A')]))).toEqual([])
  })

  it('[I2] in chains and diamonds are printed once each', () => {
    const $defs: Record<string, JsonObject> = {}
    for (let level = 0; level < 2000; level += 1) {
      const next = { $ref: `#/$defs/D${level + 1}` }
      $defs[`D${level}`] = { type: 'object', properties: { l: next, r: next } }
      $defs[`Alias${level}`] = { $ref: `#/$defs/Alias${level + 1}` }
    }
    const diamond = namedTypes(withDefinitions('t', $defs, 'D0'))
    expect(diamond.size).toBe(2000)
    expect(diamond.get('D1999')).toBe('{ l?: Json; r?: Json }')
    expect(namedTypes(withDefinitions('t', $defs, 'Alias0')).size).toBeLessThanOrEqual(2000)
  })
})

describe('shapes that occur again', () => {
  const author = {
    type: 'object',
    properties: {
      login: { type: 'string', description: 'Name of the account, in lower case' },
      id: { type: 'integer' },
    },
  }
  const result = { type: 'object', properties: { author } }

  it('[I4] are named once they are long enough', () => {
    const tools = ['a', 'b', 'c', 'd'].map((name) => tool(name, { type: 'object' }, { ...result, title: name }))
    const lines = linesOf(...tools)
    expect(lines.filter((line) => line.includes('login?'))).toHaveLength(1)
  })

  it('stay where they are when they are short, or alone', () => {
    const short = { type: 'object', properties: { a: { enum: ['x', 'y'] }, b: { enum: ['x', 'y'] } } }
    expect([...namedTypes(tool('a', short), tool('b', short))]).toEqual([])
    expect([...namedTypes(tool('a', { type: 'object' }, result))]).toEqual([])
  })

  it('lend a definition their place', () => {
    const defined = withDefinitions('z', { Author: author }, 'Author')
    const lines = linesOf(tool('a', { type: 'object', properties: { who: author } }), defined)
    expect(lines.filter((line) => line.startsWith('login?'))).toHaveLength(1)
    expect(lines).toContain('a(args?: { who?: Author }): Promise<Json>')
  })
})

describe('arguments that many tools repeat', () => {
  const owner = { type: 'string', description: 'The owner of the repository, as it stands in its address' }
  const repo = { type: 'string', description: 'The name of the repository, without the name of its owner' }
  const tools = [...'abcdefgh'].map((name) =>
    tool(name, {
      type: 'object',
      properties: { owner, repo, [`only_${name}`]: { type: 'integer' } },
      required: ['owner'],
    }),
  )

  it('[I4] become a type that their tools extend, and lose nothing', () => {
    const lines = linesOf(...tools, tool('other', { type: 'object', properties: { owner } }))
    expect(lines).toContain('type OwnerRepoArgs = {')
    expect(lines.filter((line) => line.startsWith('repo?: string // The name of'))).toHaveLength(1)
    expect(lines).toContain('a(args: OwnerRepoArgs & { only_a?: int }): Promise<Json>')
    expect(lines.filter((line) => line.startsWith('owner?: string // The owner'))).toHaveLength(1)
  })

  it('[I2] are checked as if they stood there', () => {
    const sdk = typescriptSdk.declarations(tools)
    expect(complaintsAbout(`${sdk}\nvoid tools.a({ owner: 'o', repo: 'r', only_a: 1 })`)).toEqual([])
    expect(complaintsAbout(`${sdk}\nvoid tools.a({ repo: 'r', only_a: 1 })`)).toHaveLength(1)
    expect(complaintsAbout(`${sdk}\nvoid tools.a({ owner: 'o', repoo: 'r' })`)).toHaveLength(1)
    expect(complaintsAbout(`${sdk}\nvoid tools.a({ owner: 'o', only_b: 1 })`)).toHaveLength(1)
  })

  it('stay where they are in a small catalog', () => {
    expect(linesOf(...tools.slice(0, 3)).join()).not.toContain('OwnerRepoArgs')
  })
})

describe('hostile catalogs', () => {
  it('[I1] are rendered in bounds: one output grows with its schema, never with what references expand to', () => {
    const many = Array.from({ length: 3000 }, (_, index) => ({
      type: 'object',
      properties: { [`p${index}`]: { type: 'string' } },
    }))
    const same = Object.fromEntries(many.map((schema, index) => [`${'!'.repeat(index)}`, schema]))
    const references = Object.keys(same).map((name) => ({ $ref: `#/$defs/${name}` }))
    const tools = [
      tool('all', { type: 'object', allOf: many }),
      tool('any', { anyOf: many }),
      tool('names', { type: 'object', properties: { x: { anyOf: references } }, $defs: same }),
    ]
    const text = typescriptSdk.render(tools)
    expect(text.length).toBeLessThan(JSON.stringify(tools.slice(0, 2)).length + 300_000)
    expect(text.match(/^type \w+ = \{ p\d+\?: string \}$/gm)).toHaveLength(3000)
  })
})
