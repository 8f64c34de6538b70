import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonEqual } from '../../../src/json/equal.ts'
import type { JsonValue } from '../../../src/json/json-value.ts'
import { formatPath } from '../../../src/json/path.ts'
import { anyJson } from '../../support/json.ts'

describe('formatPath', () => {
  it.each([
    [[], 'args'],
    [['items', 3, 'when'], 'args.items[3].when'],
    [['a b', '', '0', 'é'], 'args["a b"][""]["0"]["é"]'],
    [['__proto__', '$x', '_1'], 'args.__proto__.$x._1'],
    [['line\nbreak', '"quoted"'], 'args["line\\nbreak"]["\\"quoted\\""]'],
  ])('%j is %s', (segments, path) => {
    expect(formatPath('args', segments)).toBe(path)
  })

  it('keeps both ends of a long path', () => {
    const path = formatPath('v', [...Array(5_000).fill(0), 'end'])
    expect(path).toMatch(/^v(\[0\]){16}…\(4969 more levels\)…(\[0\]){15}\.end$/)
  })

  it('is bounded, whatever the names are', () => {
    const path = formatPath('v', Array(100).fill('\u0001'.repeat(10_000)))
    expect(path.length).toBeLessThan(32 * 500)
    expect(path).not.toContain('\u0001')
  })
})

describe('jsonEqual', () => {
  it('is true for copies in any order of keys, and false after any one change', () => {
    fc.assert(
      fc.property(anyJson(), anyJson(), (value, other) => {
        expect(jsonEqual(value, reversed(value))).toBe(true)
        expect(jsonEqual(value, [value])).toBe(false)
        expect(jsonEqual({ a: value, b: 1 }, { a: value, c: 1 })).toBe(false)
        expect(jsonEqual(value, other)).toBe(canonical(value) === canonical(other))
      }),
      { seed: 7, numRuns: 300 },
    )
  })

  it.each([
    [{}, []],
    [null, {}],
    [1, '1'],
    [0, false],
    [{ __proto__: null }, JSON.parse('{"__proto__":null}')],
    [{ toString: 1 }, {}],
    [[1, 2], [1]],
  ] as [JsonValue, JsonValue][])('%j is not %j', (a, b) => {
    expect(jsonEqual(a, b)).toBe(false)
    expect(jsonEqual(b, a)).toBe(false)
  })

  it('[A3] does not recurse', () => {
    const deep = (innermost: JsonValue): JsonValue => {
      let value = innermost
      for (let level = 0; level < 50_000; level++) value = [value]
      return value
    }
    expect(jsonEqual(deep(1), deep(1))).toBe(true)
    expect(jsonEqual(deep(1), deep(2))).toBe(false)
  })
})

function reversed(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, child]) => [key, reversed(child)]),
  )
}

function canonical(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, child]) => `${JSON.stringify(key)}:${canonical(child)}`)
  return `{${members.sort().join()}}`
}
