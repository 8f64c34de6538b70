import { describe, expect, it } from 'vitest'
import { References } from '../../../../sdk-templates/shared/references.ts'
import type { JsonObject } from '../../../../src/json/json-value.ts'

const document: JsonObject = {
  $id: 'https://example.com/root.json',
  properties: { 'a/b': { type: 'string' }, list: { items: { title: 'item' } }, 'p q': { title: 'space' }, ok: true },
  $defs: {
    'odd/name~x': { title: 'odd' },
    anchored: { $anchor: 'here', title: 'anchored' },
    dynamic: { $dynamicAnchor: 'node', title: 'dynamic' },
    old: { $id: '#old', title: 'old' },
    inner: { $id: 'inner.json', title: 'inner', $defs: { Own: { title: 'own' }, user: { $ref: '#/$defs/Own' } } },
    urn: { $id: 'urn:example:thing', title: 'urn' },
    cycle: { $ref: '#/$defs/cycle' },
  },
  enum: [['deep', { title: 'in a list' }]],
}

function resolve(schema: JsonObject): unknown {
  const whole = { ...document, probe: schema }
  return new References(whole).resolve(schema)?.schema
}

describe('references', () => {
  it.each([
    ['#/$defs/odd~1name~0x', 'odd'],
    ['#/properties/p%20q', 'space'],
    ['#/properties/list/items', 'item'],
    ['#here', 'anchored'],
    ['#node', 'dynamic'],
    ['#old', 'old'],
    ['urn:example:thing', 'urn'],
    ['inner.json', 'inner'],
    ['https://example.com/inner.json', 'inner'],
    ['https://example.com/inner.json#/$defs/Own', 'own'],
    ['#/enum/0/1', 'in a list'],
  ])('[I2] find what they point at: %s', (reference, title) => {
    expect(resolve({ $ref: reference })).toMatchObject({ title })
  })

  it('[I2] have three keywords', () => {
    expect(resolve({ $dynamicRef: '#node' })).toMatchObject({ title: 'dynamic' })
    expect(resolve({ $recursiveRef: '#' })).toMatchObject({ $id: document['$id'] })
    expect(resolve({ $ref: '#/properties/ok' })).toBe(true)
  })

  it('[I2] start at the nearest identifier', () => {
    const inner = (document['$defs'] as JsonObject)['inner'] as JsonObject
    const user = (inner['$defs'] as JsonObject)['user'] as JsonObject
    expect(new References(document).resolve(user)?.schema).toMatchObject({ title: 'own' })
  })

  it.each([
    '#/nowhere',
    '#/$defs/__proto__',
    '#nothing',
    'https://example.com/other.json',
    '#/enum/9',
    '%E0%A4%A',
    '#/$id',
    '/',
  ])('[I1] that lead nowhere have no target: %s', (reference) => expect(resolve({ $ref: reference })).toBeUndefined())

  it('tell which schemas are pointed at, and what the most telling reference calls them', () => {
    const target = { type: 'object' }
    const references = new References({
      properties: { first: target, again: { $ref: '#/properties/first' } },
      $defs: { Named: { type: 'object' }, use: { $ref: '#/$defs/Named' } },
    })
    expect(references.asTarget(target)).toMatchObject({ hint: 'first', named: false })
    const named = new References({ $defs: { N: target }, items: { $ref: '#/$defs/N' } })
    expect(named.asTarget(target)).toMatchObject({ hint: 'N', named: true })
  })
})
