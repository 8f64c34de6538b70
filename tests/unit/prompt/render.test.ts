import { describe, expect, it } from 'vitest'
import { renderPrompt } from '../../../src/prompt/render.ts'

describe('renderPrompt', () => {
  it('[F1] joins sections in the order of the assembly and leaves blank ones out', () => {
    const section = (text: string, order: number) => ({ name: text, order, text })
    const sections = [section('  b\n\n', 2), section(' \n', 1), section('', 3), section('a\n  c', 0)]
    expect(renderPrompt({ sections, tools: [] })).toBe('  b\n\na\n  c')
    expect(renderPrompt({ sections: [], tools: [] })).toBe('')
  })
})
