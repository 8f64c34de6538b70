import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJsonText } from '../../../src/mcp/json-text.ts'

/** A text with `|` where the mistake stands. */
const mistakes: readonly [marked: string, says: RegExp][] = [
  ['{\n  |bad: 1}', /property name in double quotes/],
  ['{"a": 1,|}', /a comma before "}" is not allowed/],
  ['[1, |]', /a comma before "]" is not allowed/],
  ['{"a":|', /the text ends where a value is expected/],
  ['|', /the text ends where a value is expected/],
  ['{"a": 1|', /the text ends where "," or "}" is expected/],
  ['[1 |2]', /"," or "]" is expected, not "2"/],
  ['{"a": 1\n  |"b": 2}', /"," or "}" is expected, not a string/],
  ['{"a": |tru}', /a value is expected, not "tru"/],
  ['|// note\n{}', /comments are not allowed/],
  ["{|'a': 1}", /strings stand in double quotes/],
  ['{"a": |"x\ny"}', /not closed on its line/],
  ['|"\\x"', /invalid escape/],
  ['{"a": 1}\n|x', /the end of the text is expected/],
  ['{"a": |01}', /a value is expected/],
  ['[|}', /a value or "]" is expected/],
  ['{|]', /property name in double quotes or "}"/],
  ['{"a" |1}', /":" is expected/],
  ['{"a": |-}', /a value is expected/],
]

describe('parseJsonText', () => {
  it.each(mistakes)('finds the first mistake of %j', (marked, says) => {
    const offset = marked.indexOf('|')
    const result = parseJsonText(marked.replace('|', ''))
    if (result.ok) throw new Error('accepted')
    const before = marked.slice(0, offset).split('\n')
    expect(result.error).toMatchObject({ line: before.length, column: (before.at(-1) ?? '').length + 1 })
    expect(result.error.problem).toMatch(says)
  })

  it('accepts and refuses exactly what JSON.parse does, byte order mark aside', () => {
    fc.assert(
      fc.property(
        fc.json(),
        fc.nat(),
        fc.constantFrom('', ',', '"', '}', ']', ':', '\n', 'x', '0', '\\'),
        (text, at, insert) => {
          const place = at % (text.length + 1)
          const mutated = text.slice(0, place) + insert + text.slice(place)
          let expected: unknown
          let isJson = true
          try {
            expected = JSON.parse(mutated)
          } catch {
            isJson = false
          }
          const result = parseJsonText(`\uFEFF${mutated}`)
          expect(result.ok).toBe(isJson)
          if (result.ok) expect(result.value).toEqual(expected)
          // The scan finds every mistake itself: it never has to repeat what JSON.parse said.
          else expect(result.error.problem).toMatch(/expected|not allowed|stand in|not closed/)
        },
      ),
      { seed: 7, numRuns: 400 },
    )
  })
})
