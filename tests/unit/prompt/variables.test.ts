import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expandTemplate, isVariableName } from '../../../src/prompt/variables.ts'

const source = (values: Readonly<Record<string, string>>) => {
  const map = new Map(Object.entries(values))
  return {
    names: () => map.keys(),
    valueOf: (name: string) => (map.has(name) ? Promise.resolve(map.get(name)!) : undefined),
  }
}

describe('templates', () => {
  it('[F1] replace references, and leave everything else as it is', async () => {
    const values = source({ a: 'A', 'long.name-2': 'B', _x: '' })
    const cases: readonly (readonly [string, string])[] = [
      ['', ''],
      ['{{a}}', 'A'],
      ['x{{ a }}y{{\na\t}}z', 'xAyAz'],
      ['{{long.name-2}}{{_x}}{{a}}', 'BA'],
      ['{ {a} } }} { "json": { "deep": {} }}', '{ {a} } }} { "json": { "deep": {} }}'],
      ['{{a}}}', 'A}'],
    ]
    for (const [template, expected] of cases) expect(await expandTemplate('s', template, values)).toBe(expected)
  })

  it('[F1] fail on an unknown reference, naming section, reference and what there is', async () => {
    await expect(expandTemplate('intro', 'x {{missing}}', source({ b: '', a: '' }))).rejects.toThrow(
      expect.objectContaining({
        code: 'INVALID_PROMPT',
        message: expect.stringMatching(/"intro".*\{\{missing\}\}.*"a", "b"/s),
      }),
    )
    for (const name of ['constructor', '__proto__', 'toString']) {
      await expect(expandTemplate('s', `{{${name}}}`, source({}))).rejects.toThrow(/no such variable/)
    }
  })

  it('[F1] fail on anything else that opens like a reference', async () => {
    for (const template of ['{{', '{{a', 'x {{}}', '{{ }}', '{{a b}}', '{{{a}}}', '{{1}}', '{{a|b}}', '{{{{a}}']) {
      await expect(expandTemplate('s', template, source({ a: 'A' }))).rejects.toThrow(
        expect.objectContaining({ code: 'INVALID_PROMPT', message: expect.stringContaining('offset') }),
      )
    }
  })

  it('[F1] never read a value as a template', async () => {
    const values = source({ a: '{{b}} {{', b: '{{a}}' })
    expect(await expandTemplate('s', '{{a}}{{b}}', values)).toBe('{{b}} {{{{a}}')
  })

  it('[F1] give back every text that was taken apart into references', async () => {
    const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,6}$/)
    const plain = fc.string().map((text) => text.replaceAll('{', '('))
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(plain, name, fc.string())), plain, async (pieces, tail) => {
        const values = new Map(pieces.map(([, variable, value]) => [variable, value]))
        const template = pieces.map(([text, variable]) => `${text}{{${variable}}}`).join('') + tail
        const expected = pieces.map(([text, variable]) => text + values.get(variable)).join('') + tail
        expect(await expandTemplate('s', template, source(Object.fromEntries(values)))).toBe(expected)
      }),
      { seed: 1, numRuns: 100 },
    )
  })

  it('[F1] know what a name is', () => {
    for (const good of ['a', '_', 'A.b-c_9', '__proto__']) expect(isVariableName(good)).toBe(true)
    for (const bad of ['', '9', '-a', '.a', 'a b', 'a\n', 'é']) expect(isVariableName(bad)).toBe(false)
  })
})
