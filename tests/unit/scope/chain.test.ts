import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bindScopeParent, type ScopeKey, scopeChainOf, scopeParentOf } from '../../../src/scope/chain.ts'

describe('scope chains', () => {
  it('[B2] lists a key and its ancestors, nearest first', () => {
    const [child, parent, root] = [{}, {}, {}]
    bindScopeParent(child, parent)
    expect(scopeChainOf(child)).toEqual([child, parent])
    // The parent may get its own parent later; what was asked before must not stick.
    bindScopeParent(parent, root)
    expect(scopeChainOf(child).map((key) => [child, parent, root].indexOf(key))).toEqual([0, 1, 2])
    expect(scopeChainOf(root)).toEqual([root])
    expect(scopeParentOf(child)).toBe(parent)
    expect(scopeParentOf(root)).toBeUndefined()
  })

  it('[B2] gives the same frozen array until an ancestor is bound', () => {
    const [child, parent] = [{}, {}]
    bindScopeParent(child, parent)
    const chain = scopeChainOf(child)
    expect(scopeChainOf(child)).toBe(chain)
    expect(Object.isFrozen(chain)).toBe(true)
    bindScopeParent(parent, {})
    expect(scopeChainOf(child)).not.toBe(chain)
  })

  it('[B2] binds a key once', () => {
    const [child, parent] = [{}, {}]
    bindScopeParent(child, parent)
    for (const again of [parent, {}]) {
      expect(() => bindScopeParent(child, again)).toThrow(
        expect.objectContaining({ code: 'INVALID_SCOPE', message: expect.stringContaining('once') }),
      )
    }
    expect(scopeChainOf(child)).toEqual([child, parent])
  })

  it('[B2] refuses keys that are no objects', () => {
    for (const bad of [undefined, null, 'agent', 7, Symbol('agent')]) {
      expect(() => bindScopeParent(bad as never, {})).toThrow(expect.objectContaining({ code: 'INVALID_SCOPE' }))
      expect(() => bindScopeParent({}, bad as never)).toThrow(expect.objectContaining({ code: 'INVALID_SCOPE' }))
    }
    for (const key of [5, 'main', null, undefined, Symbol('key')]) {
      expect(() => scopeChainOf(key as never)).toThrow(expect.objectContaining({ code: 'INVALID_SCOPE' }))
    }
  })

  it('[B2] never lets a cycle arise, whatever is bound in whatever order', () => {
    const size = 8
    const pair = fc.tuple(fc.nat(size - 1), fc.nat(size - 1))
    fc.assert(
      fc.property(fc.array(pair, { maxLength: 40 }), (bindings) => {
        const keys: ScopeKey[] = Array.from({ length: size }, (_, index) => ({ index }))
        const parents = new Map<number, number>()
        for (const [child, parent] of bindings) {
          const above: number[] = []
          for (let at: number | undefined = parent; at !== undefined; at = parents.get(at)) above.push(at)
          const refused = parents.has(child) || above.includes(child)
          const bind = () => bindScopeParent(keys[child]!, keys[parent]!)
          if (refused) expect(bind).toThrow(expect.objectContaining({ code: 'INVALID_SCOPE' }))
          else {
            bind()
            parents.set(child, parent)
          }
          for (const [index, key] of keys.entries()) {
            const expected: number[] = []
            for (let at: number | undefined = index; at !== undefined; at = parents.get(at)) expected.push(at)
            expect(scopeChainOf(key).map((link) => keys.indexOf(link))).toEqual(expected)
          }
        }
      }),
      { seed: 2, numRuns: 60 },
    )
  })

  it('[B2] takes chains of any length', () => {
    const keys: ScopeKey[] = Array.from({ length: 20_000 }, () => ({}))
    // From the outermost in, so that each binding looks at what stands above it already.
    for (let index = 1; index < keys.length; index += 1) bindScopeParent(keys[index - 1]!, keys[index]!)
    expect(scopeChainOf(keys[0]!)).toHaveLength(keys.length)
  })
})
