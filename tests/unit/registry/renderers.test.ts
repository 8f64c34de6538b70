import type { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import type { SdkRenderer } from '../../../src/tools/sdk-renderer.ts'
import { coded, createRegistry } from './support.ts'

const renderer = (language: string): SdkRenderer => ({
  language,
  runCode: { description: 'Runs it.', codeDescription: 'The program.' },
  program: { errorClass: { name: 'ToolCallError', memberNameProperty: 'toolName' }, codeOnlyRule: 'Only run_code.' },
  render: () => '',
  declarations: () => '',
})

describe('sdkRenderer', () => {
  it('[C11] adds a language until its fiber ends', async () => {
    const { ctx, registry } = createRegistry()
    const ruby = renderer('ruby')
    let heard = 0
    ctx.on('tools/change', () => void heard++)
    const fiber = await ctx.plugin(function language(inside: Context) {
      registry.sdkRenderer(inside, ruby)
    })
    registry.sdkRenderer(ctx, renderer('__proto__'))
    expect(registry.renderer('ruby')).toBe(ruby)
    expect(registry.renderer('constructor')).toBeUndefined()
    expect(registry.rendererLanguages()).toEqual(['ruby', '__proto__'])
    await fiber.dispose()
    expect(registry.renderer('ruby')).toBeUndefined()
    expect(heard).toBe(3)
  })

  it('[C11] refuses a second one for a language', () => {
    const { ctx, registry } = createRegistry()
    const release = registry.sdkRenderer(ctx, renderer('ruby'))
    expect(() => registry.sdkRenderer(ctx, renderer('ruby'))).toThrow(coded('INVALID_RENDERER', '"ruby"'))
    release()
    registry.sdkRenderer(ctx, renderer('ruby'))
  })

  it('[C11] refuses an incomplete one at once, naming what is missing', () => {
    const { ctx, registry } = createRegistry()
    const whole = renderer('ruby')
    const bad: readonly (readonly [object, string])[] = [
      [{ language: '' }, 'language'],
      [{ runCode: { description: '' } }, 'runCode.description'],
      [{ runCode: undefined }, 'runCode.description'],
      [{ runCode: { description: 'x' } }, 'runCode.codeDescription'],
      [{ program: { ...whole.program, codeOnlyRule: 1 } }, 'program.codeOnlyRule'],
      [{ program: { codeOnlyRule: 'x' } }, 'program.errorClass.name'],
      [{ program: { codeOnlyRule: 'x', errorClass: { name: 'E' } } }, 'memberNameProperty'],
      [{ render: undefined }, 'render'],
      [{ declarations: 'text' }, 'declarations'],
    ]
    for (const [fields, missing] of bad) {
      expect(() => registry.sdkRenderer(ctx, { ...whole, ...fields } as never)).toThrow(
        coded('INVALID_RENDERER', missing),
      )
    }
    expect(registry.rendererLanguages()).toEqual([])
  })
})
