import { Context, Service } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import { bindScopeParent, scopeChainOf } from '../../../src/scope/chain.ts'
import { createScope, disposeScope, scopeOf } from '../../../src/scope/scope.ts'

class Notes extends Service {
  readonly lines: string[] = []

  constructor(ctx: Context) {
    super(ctx, 'notes')
  }

  /** As a registry files things: in the layer of the caller, owned by the caller's fiber. */
  add(line: string): () => void {
    const tagged = scopeOf(this.ctx) === undefined ? line : `${line} (scoped)`
    return this.ctx.effect(() => {
      this.lines.push(tagged)
      return () => this.lines.splice(this.lines.indexOf(tagged), 1)
    }, 'notes.add()')
  }
}

declare module '@deepseek-ai/cordis' {
  interface Context {
    notes: Notes
  }
}

describe('createScope', () => {
  it('[B1] tags a context; derived contexts and plugins below it inherit the tag', async () => {
    const ctx = new Context()
    const key = {}
    const scope = createScope(ctx, key)
    expect(scopeOf(ctx)).toBeUndefined()
    expect(scopeOf(scope)).toBe(key)
    expect(scopeOf(scope.extend({}))).toBe(key)
    let seen: unknown
    await scope.plugin(function inner(inside: Context) {
      seen = scopeOf(inside)
    })
    expect(seen).toBe(key)
    const nested = {}
    expect(scopeOf(createScope(scope, nested))).toBe(nested)
    expect(scopeOf(scope)).toBe(key)
  })

  it('[B1] is usable at once, and what is registered through it leaves with it', async () => {
    const ctx = new Context()
    await ctx.plugin(Notes)
    const scope = createScope(ctx, {})
    scope.notes.add('one')
    let heard = 0
    scope.on('internal/service', () => void heard++)
    await scope.plugin(function inner(inside: Context) {
      inside.effect(() => inside.get('notes')!.add('two'))
    })
    ctx.notes.add('plain')
    expect(ctx.notes.lines).toEqual(['one (scoped)', 'two (scoped)', 'plain'])
    await scope.fiber.dispose()
    expect(ctx.notes.lines).toEqual(['plain'])
    ctx.provide('other', 1)
    expect(heard).toBe(0)
    expect(() => scope.effect(() => () => {})).toThrow(expect.objectContaining({ code: 'INACTIVE_EFFECT' }))
  })

  it('[B1] leaves with the fiber of the context that it was made from', async () => {
    const ctx = new Context()
    await ctx.plugin(Notes)
    const fiber = await ctx.plugin({
      inject: ['notes'],
      apply(inside: Context) {
        createScope(inside, {}).notes.add('inner')
      },
    })
    expect(ctx.notes.lines).toEqual(['inner (scoped)'])
    await fiber.restart()
    expect(ctx.notes.lines).toEqual(['inner (scoped)'])
    await fiber.dispose()
    expect(ctx.notes.lines).toEqual([])
  })

  it('[B1] finds services as the context does that it was made from', async () => {
    const ctx = new Context()
    const early = createScope(ctx, {})
    await ctx.plugin(Notes)
    // Like the root, it reads what is mounted now or later, without an injection.
    early.notes.add('late')
    createScope(early, {}).notes.add('nested')
    expect(ctx.notes.lines).toEqual(['late (scoped)', 'nested (scoped)'])
    await ctx.plugin(function stranger(inside: Context) {
      expect(() => createScope(inside, {}).notes).toThrow('without inject')
    })
  })

  it('[B1] can be disposed many times, and while its parent ends', async () => {
    const ctx = new Context()
    const key = {}
    let scope: Context | undefined
    const fiber = await ctx.plugin(function owner(inside: Context) {
      scope = createScope(inside, key)
    })
    let released = false
    scope!.effect(() => async () => {
      await new Promise(setImmediate)
      released = true
    })
    // The kernel answers a second disposal at once; whoever asks for the end of a scope must still get the end.
    const first = scope!.fiber.dispose()
    await disposeScope(scope!)
    expect(released).toBe(true)
    await Promise.all([first, fiber.dispose(), disposeScope(scope!)])
  })

  it('[B2] binds the parent it is given; the same one again is fine, another is refused', async () => {
    const ctx = new Context()
    const [key, parent] = [{}, {}]
    await createScope(ctx, key, { parent }).fiber.dispose()
    createScope(ctx, key, { parent })
    createScope(ctx, key)
    expect(scopeChainOf(key)).toEqual([key, parent])
    expect(() => createScope(ctx, key, { parent: {} })).toThrow(expect.objectContaining({ code: 'INVALID_SCOPE' }))
    expect(() => bindScopeParent(parent, key)).toThrow(expect.objectContaining({ code: 'INVALID_SCOPE' }))
  })

  it('[B1] leaves nothing behind in the kernel', async () => {
    const ctx = new Context()
    const key = {}
    const before = { plugins: ctx.registry.size, effects: ctx.fiber.getEffects().length }
    for (let round = 0; round < 300; round += 1) {
      const scope = createScope(ctx, key)
      scope.on('internal/service', () => {})
      await scope.fiber.dispose()
    }
    expect({ plugins: ctx.registry.size, effects: ctx.fiber.getEffects().length }).toEqual(before)
  })

  it('[B1] refuses a key that is no object', () => {
    for (const bad of [undefined, null, 'agent', 1]) {
      expect(() => createScope(new Context(), bad as never)).toThrow(expect.objectContaining({ code: 'INVALID_SCOPE' }))
    }
  })
})
