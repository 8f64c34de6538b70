import { Context } from '@deepseek-ai/cordis'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ScopeKey, scopeChainOf } from '../../../src/scope/chain.ts'
import { emitEach, scopeTarget, waterfall } from '../../../src/scope/delivery.ts'
import { createScope } from '../../../src/scope/scope.ts'

declare module '@deepseek-ai/cordis' {
  interface Events {
    'test/ping'(): void
    'test/fold'(next: () => string): string
  }
}

describe('scoped events', () => {
  it('[B4] reach untagged listeners and those whose tag is the key or an ancestor', () => {
    const ctx = new Context()
    const [preset, child, stranger] = [{ id: 'preset' }, { id: 'child' }, { id: 'stranger' }]
    const heard: string[] = []
    ctx.on('test/ping', () => void heard.push('plain'))
    createScope(ctx, preset).on('test/ping', () => void heard.push('preset'))
    createScope(ctx, child, { parent: preset }).on('test/ping', () => void heard.push('child'))
    createScope(ctx, stranger).on('test/ping', () => void heard.push('stranger'))
    const listen = (key: ScopeKey | undefined) => {
      heard.length = 0
      ctx.emit(scopeTarget(key), 'test/ping')
      return [...heard]
    }
    expect(listen(child)).toEqual(['plain', 'preset', 'child'])
    expect(listen(preset)).toEqual(['plain', 'preset'])
    expect(listen(stranger)).toEqual(['plain', 'stranger'])
    expect(listen({})).toEqual(['plain'])
    expect(listen(undefined)).toEqual(['plain'])
  })

  it('[B4] filters waterfalls too, and listeners of plugins below a scope', async () => {
    const ctx = new Context()
    const [mine, other] = [{}, {}]
    await createScope(ctx, mine).plugin(function inside(scoped: Context) {
      scoped.on('test/fold', (next) => `mine(${next()})`)
    })
    createScope(ctx, other).on('test/fold', (next) => `other(${next()})`)
    expect(ctx.waterfall(scopeTarget(mine), 'test/fold', () => 'body')).toBe('mine(body)')
    expect(ctx.waterfall(scopeTarget(undefined), 'test/fold', () => 'body')).toBe('body')
  })

  it('[B4] gives listeners the scope as `this`', () => {
    const ctx = new Context()
    const key = {}
    let scope: unknown
    ctx.on('test/ping', function (this: { scope: unknown }) {
      scope = this.scope
    } as () => void)
    ctx.emit(scopeTarget(key), 'test/ping')
    expect(scope).toBe(key)
  })

  it('[B4] an ancestor hears a descendant, never the reverse, in every tree of scopes', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(20), { minLength: 1, maxLength: 12 }), (parents) => {
        const ctx = new Context()
        const keys: ScopeKey[] = parents.map(() => ({}))
        const heard: ScopeKey[] = []
        for (const [index, key] of keys.entries()) {
          // Some have no parent; the others have one that was made before.
          const parent = keys.slice(0, index)[parents[index]!]
          createScope(ctx, key, parent === undefined ? {} : { parent }).on('test/ping', () => void heard.push(key))
        }
        for (const key of keys) {
          heard.length = 0
          ctx.emit(scopeTarget(key), 'test/ping')
          expect(new Set(heard)).toEqual(new Set(scopeChainOf(key)))
        }
      }),
      { seed: 4, numRuns: 40 },
    )
  })
})

describe('waterfall', () => {
  const fold = (ctx: Context, key?: ScopeKey) => waterfall(ctx, scopeTarget(key), 'test/fold', [], () => 'body')

  it('[B4] runs the listeners of a scope around each other, with the scope as `this`', () => {
    const ctx = new Context()
    const [mine, other] = [{}, {}]
    ctx.on('test/fold', (next) => `outer(${next()})`)
    createScope(ctx, other).on('test/fold', (next) => `other(${next()})`)
    createScope(ctx, mine).on('test/fold', function (this: { scope: unknown }, next: () => string) {
      return `${this.scope === mine}(${next()})`
    } as (next: () => string) => string)
    expect(fold(ctx, mine)).toBe('outer(true(body))')
    expect(fold(ctx)).toBe('outer(body)')
    expect(fold(new Context())).toBe('body')
  })

  it('[D6] runs everything further in again for each next()', () => {
    const ctx = new Context()
    ctx.on('test/fold', (next) => `${next()} ${next()}`)
    ctx.on('test/fold', (next) => `b(${next()})`)
    ctx.on('test/fold', (next) => `c(${next()})`)
    expect(fold(ctx)).toBe('b(c(body)) b(c(body))')
  })

  it('[D13] outlives a next() that nobody waits for and that rejects', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    try {
      const ctx = new Context()
      ctx.on('test/fold', (next) => {
        void next()
        return 'mine'
      })
      ctx.on('test/fold', () => Promise.reject(new Error('inner')) as never)
      expect(fold(ctx)).toBe('mine')
      await new Promise((resolve) => setImmediate(resolve))
    } finally {
      process.off('unhandledRejection', note)
    }
    expect(unhandled).toEqual([])
  })
})

describe('emitEach', () => {
  it('[B4] calls every listener of the scope, whatever one throws or rejects with', async () => {
    const ctx = new Context()
    const [key, other] = [{}, {}]
    const heard: string[] = []
    ctx.on('test/ping', () => {
      throw new Error('first')
    })
    ctx.on('test/ping', (async () => {
      throw new Error('second')
    }) as () => void)
    createScope(ctx, key).on('test/ping', () => void heard.push('third'))
    createScope(ctx, other).on('test/ping', () => void heard.push('never'))
    const errors: unknown[] = []
    emitEach(ctx, scopeTarget(key), 'test/ping', [], (error) => errors.push((error as Error).message))
    expect(heard).toEqual(['third'])
    await new Promise(setImmediate)
    expect(errors).toEqual(['first', 'second'])
  })
})
