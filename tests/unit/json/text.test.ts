// What is written from JSON values and read into them: stringify, parseJson, prettyPrint.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/json/json-value.ts'
import { MAX_DEPTH, MAX_INDENTED_LEVELS } from '../../../src/json/limits.ts'
import { prettyPrint } from '../../../src/json/print.ts'
import { JsonRefusedError } from '../../../src/json/refusals.ts'
import { parseJson, stringify } from '../../../src/json/stringify.ts'
import { anyJson, containersOf } from '../../support/json.ts'

/** A value of `levels` levels, with something beside each nested container. */
function deep(levels: number): JsonValue {
  let value: JsonValue = 'é"'
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [level, value, true] : { a: value, __b: null }
  return value
}

const TALL = deep(20_000)

describe('stringify', () => {
  it('[A3] writes what JSON.stringify would write, at any depth', () => {
    const text = stringify(TALL)
    expect(JSON.parse(text)).not.toBeUndefined()
    expect(text.startsWith('{"a":[19998,{"a":[19996,')).toBe(true)
    expect(text.endsWith(',true],"__b":null},true],"__b":null}')).toBe(true)
    expect(text.length).toBe(Buffer.byteLength(text) - 1)
  })

  it('the iterative way and the native one write the same bytes', () => {
    fc.assert(
      fc.property(anyJson(), (value) => {
        // Behind twenty thousand levels the native way overflows, so the same value goes the other way.
        let wrapped: JsonValue = value
        for (let level = 0; level < 20_000; level++) wrapped = [wrapped]
        expect(stringify(wrapped).slice(20_000, -20_000)).toBe(JSON.stringify(value))
      }),
      { seed: 3, numRuns: 30 },
    )
  })
})

describe('parseJson', () => {
  it('[A2, A4] gives what JSON.parse gives, deeply frozen', () => {
    fc.assert(
      fc.property(anyJson(), (value) => {
        const parsed = parseJson(JSON.stringify(value), 'args')
        expect(parsed).toEqual(value)
        expect(containersOf(parsed).every(Object.isFrozen)).toBe(true)
      }),
      { seed: 4, numRuns: 200 },
    )
  })

  it.each([
    ['{"a":[0,-0]}', 'args.a[1] is -0, which JSON text does not keep: send 0'],
    ['-0', 'args is -0, which JSON text does not keep: send 0'],
    ['{"a":{"b":1e999}}', 'args.a.b is Infinity, which JSON has no number for: send null or a string'],
    ['{"__proto__":[-0.0]}', 'args.__proto__[0] is -0, which JSON text does not keep: send 0'],
  ])('[A1] refuses %s with its path', (text, message) => {
    expect(() => parseJson(text, 'args')).toThrow(message)
  })

  it.each(['', '{', '{"a":1,}', 'undefined', "{'a':1}", `[${'x'.repeat(100_000)}`])(
    'refuses what is no JSON text in a bounded message (%#)',
    (text) => {
      let caught: unknown
      try {
        parseJson(text, 'args')
      } catch (error) {
        caught = error
      }
      expect(caught).toBeInstanceOf(JsonRefusedError)
      expect((caught as Error).message).toMatch(/^args is not JSON text: /)
      expect((caught as Error).message.length).toBeLessThan(500)
    },
  )

  it('[A3] reads 10 000 levels and names the limit beyond', () => {
    const text = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`
    expect(stringify(parseJson(text(MAX_DEPTH)))).toBe(text(MAX_DEPTH))
    expect(() => parseJson(text(MAX_DEPTH + 1))).toThrow('more than 10 000 levels')
    expect(() => parseJson(text(1_000_000))).toThrow('more than 10 000 levels')
  })
})

describe('prettyPrint', () => {
  it('is JSON.stringify with two spaces, down to the level where indentation stops', () => {
    fc.assert(
      fc.property(anyJson(), (value) => {
        expect(prettyPrint(value)).toBe(JSON.stringify(value, null, 2))
      }),
      { seed: 6, numRuns: 300 },
    )
    const deepest = deep(MAX_INDENTED_LEVELS)
    expect(prettyPrint(deepest)).toBe(JSON.stringify(deepest, null, 2))
  })

  it('[A3] prints any depth, and costs no more than a bounded indent for each line', () => {
    const printed = prettyPrint(TALL)
    expect(printed.replace(/\n */g, '').replaceAll('": ', '":')).toBe(stringify(TALL))
    const widest = Math.max(...printed.split('\n').map((line) => line.search(/\S/)))
    expect(widest).toBe(2 * MAX_INDENTED_LEVELS)
  })
})
