import { describe, expect, it } from 'vitest'
import { createAgent } from '../../../src/scope/agent.ts'
import { coded, createRegistry } from './support.ts'

describe('presentAs', () => {
  it('[C8] selects one agent’s presentation; children inherit the nearest', async () => {
    const { ctx, registry } = createRegistry()
    const agent = createAgent(ctx, { id: 'a' })
    const child = createAgent(ctx, { id: 'child', parent: agent })
    const other = createAgent(ctx, { id: 'b' })
    registry.presentAs(agent.ctx, 'code', { language: 'python' })
    expect(registry.presentation(agent)).toEqual({ mode: 'code', options: { language: 'python' } })
    expect(registry.presentation(child)).toEqual(registry.presentation(agent))
    expect(registry.presentation(other)).toBeUndefined()
    expect(registry.presentation()).toBeUndefined()
    const release = registry.presentAs(child.ctx, 'native')
    expect(registry.presentation(child)).toEqual({ mode: 'native', options: {} })
    release()
    expect(registry.presentation(child)?.mode).toBe('code')
    await agent.dispose()
    expect(registry.presentation(child)).toBeUndefined()
  })

  it('[C8] throws from a plain context and on a second declaration in the scope', () => {
    const { ctx, registry } = createRegistry()
    const agent = createAgent(ctx, { id: 'a' })
    expect(() => registry.presentAs(ctx, 'code')).toThrow(coded('INVALID_PRESENTATION', 'agent.ctx.tools'))
    const release = registry.presentAs(agent.ctx, 'code')
    expect(() => registry.presentAs(agent.ctx, 'code')).toThrow(coded('INVALID_PRESENTATION', 'already'))
    release()
    registry.presentAs(agent.ctx, 'both')
  })

  it('[C8] [F6] keeps a checked copy of its options', () => {
    const { ctx, registry } = createRegistry()
    const languages = ['typescript', 'python']
    const agent = createAgent(ctx, { id: 'a' })
    registry.presentAs(agent.ctx, 'both', { languages })
    languages.push('ruby')
    expect(registry.presentation(agent)?.options).toEqual({ languages: ['typescript', 'python'] })
    const bad: readonly (readonly [unknown, unknown])[] = [
      ['Code', {}],
      [undefined, {}],
      ['code', { language: '' }],
      ['code', { language: 7 }],
      ['code', { languages: [] }],
      ['code', { languages: 'python' }],
      ['code', { languages: ['python', 'python'] }],
      ['code', { languages: [''] }],
      ['code', { language: 'python', languages: ['python'] }],
    ]
    for (const [mode, options] of bad) {
      const other = createAgent(ctx, { id: 'b' })
      expect(() => registry.presentAs(other.ctx, mode as never, options as never)).toThrow(
        coded('INVALID_PRESENTATION'),
      )
      expect(registry.presentation(other)).toBeUndefined()
    }
  })
})
