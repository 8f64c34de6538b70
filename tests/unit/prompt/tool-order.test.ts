import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { orderTools, toolOrderProblem, UNLISTED_TOOLS } from '../../../src/prompt/tool-order.ts'

const tools = (names: Iterable<string>) =>
  new Map([...names].map((name) => [name, { name, description: '', parameters: {} }]))
const anyName = fc.oneof(fc.constantFrom('__proto__', 'constructor', 'a', 'B', 'b', '\u{1F600}', '\uFF5E'), fc.string())

describe('toolOrder', () => {
  it('[F5] without one, the order is by UTF-16 code unit', () => {
    // An emoji is a surrogate pair and sorts below U+FF5E by code unit, above it by code point.
    const names = ['b', '\uFF5E', 'a', '\u{1F600}', 'B', '__proto__', 'a2', 'a10']
    const ordered = orderTools(tools(names), undefined, new Set()).map(({ name }) => name)
    expect(ordered).toEqual(['B', '__proto__', 'a', 'a10', 'a2', 'b', '\u{1F600}', '\uFF5E'])
  })

  it('[F1] keeps every tool once, the listed ones as listed, the others in order at the marker', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(anyName, { maxLength: 12 }),
        fc.uniqueArray(anyName, { maxLength: 6 }),
        fc.nat(6),
        (contributed, listed, position) => {
          fc.pre(![...contributed, ...listed].includes(UNLISTED_TOOLS))
          const order = listed.toSpliced(position, 0, UNLISTED_TOOLS)
          const ordered = orderTools(tools(contributed), order, new Set(listed)).map(({ name }) => name)
          expect(ordered.toSorted()).toEqual(contributed.toSorted())
          const at = order.indexOf(UNLISTED_TOOLS)
          const there = (names: string[]) => names.filter((name) => contributed.includes(name))
          const rest = contributed.filter((name) => !listed.includes(name)).toSorted()
          expect(ordered).toEqual([...there(order.slice(0, at)), ...rest, ...there(order.slice(at + 1))])
        },
      ),
      { seed: 3, numRuns: 200 },
    )
  })

  it('[F1] refuses an entry that is neither contributed nor known, and says what is', () => {
    const order = ['read', UNLISTED_TOOLS]
    expect(() => orderTools(tools(['run_code']), order, new Set())).toThrow(
      expect.objectContaining({ code: 'INVALID_PROMPT', message: expect.stringMatching(/"read".*"run_code"/s) }),
    )
    expect(orderTools(tools(['run_code']), order, new Set(['read']))).toHaveLength(1)
  })

  it('[F1] must have its marker once, and nothing twice', () => {
    expect(toolOrderProblem([UNLISTED_TOOLS])).toBeUndefined()
    expect(toolOrderProblem(['a', UNLISTED_TOOLS, 'b'])).toBeUndefined()
    for (const bad of [[], ['a'], [UNLISTED_TOOLS, UNLISTED_TOOLS], ['a', UNLISTED_TOOLS, 'a']]) {
      expect(toolOrderProblem(bad)).toEqual(expect.any(String))
    }
  })
})
