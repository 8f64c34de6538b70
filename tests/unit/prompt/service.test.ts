import { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import { HarnessError } from '../../../src/errors/harness-error.ts'
import { renderPrompt } from '../../../src/prompt/render.ts'
import { type PromptAssembly, type PromptTool, SystemPrompt } from '../../../src/prompt/service.ts'
import { createAgent } from '../../../src/scope/agent.ts'

const tool = (name: string): PromptTool => ({ name, description: `Does ${name}.`, parameters: { type: 'object' } })
const names = (assembly: PromptAssembly) => assembly.tools.map(({ name }) => name)
const texts = (assembly: PromptAssembly) => assembly.sections.map(({ text }) => text)
const invalidPrompt = (part: string) =>
  expect.objectContaining({ code: 'INVALID_PROMPT', message: expect.stringContaining(part) })

async function mount(config?: { toolOrder: string[] }): Promise<Context> {
  const ctx = new Context()
  await ctx.plugin(SystemPrompt, config)
  return ctx
}

describe('sections', () => {
  it('[F1] stand in ascending order, those of equal order by name', async () => {
    const { systemPrompt } = await mount()
    systemPrompt.section({ name: 'z', order: 10, text: 'last' })
    systemPrompt.section({ name: 'b', order: 1, text: 'second' })
    systemPrompt.section({ name: 'B', order: 1, text: 'first' })
    systemPrompt.section({ name: 'negative', order: -0.5, text: 'zeroth' })
    const assembly = await systemPrompt.assemble()
    expect(assembly.sections).toEqual([
      { name: 'negative', order: -0.5, text: 'zeroth' },
      { name: 'B', order: 1, text: 'first' },
      { name: 'b', order: 1, text: 'second' },
      { name: 'z', order: 10, text: 'last' },
    ])
    expect(renderPrompt(assembly)).toBe('zeroth\n\nfirst\n\nsecond\n\nlast')
  })

  it('[F1] may be made when they are asked for, and left out', async () => {
    const ctx = await mount()
    const agent = createAgent(ctx, { id: 'a' })
    const { signal } = new AbortController()
    const requests: unknown[] = []
    ctx.systemPrompt.section({
      name: 'made',
      order: 1,
      text: async (request) => {
        requests.push(request)
        return 'made'
      },
    })
    ctx.systemPrompt.section({ name: 'absent', order: 0, text: () => undefined })
    expect(texts(await ctx.systemPrompt.assemble({ scope: agent, signal }))).toEqual(['made'])
    await ctx.systemPrompt.assemble()
    expect(requests).toEqual([{ scope: agent, signal }, {}])
  })

  it('[F1] are seen by the scope that added them and by its descendants, and shadow inherited ones', async () => {
    const ctx = await mount()
    const agent = createAgent(ctx, { id: 'a' })
    const child = createAgent(ctx, { id: 'child', parent: agent })
    const other = createAgent(ctx, { id: 'other' })
    ctx.systemPrompt.section({ name: 'rule', order: 1, text: 'global rule' })
    ctx.systemPrompt.section({ name: 'tone', order: 2, text: 'global tone' })
    agent.ctx.systemPrompt.section({ name: 'rule', order: 3, text: 'rule of a' })
    child.ctx.systemPrompt.section({ name: 'tone', order: 2, text: () => undefined })
    expect(texts(await ctx.systemPrompt.assemble({ scope: agent }))).toEqual(['global tone', 'rule of a'])
    expect(texts(await ctx.systemPrompt.assemble({ scope: child }))).toEqual(['rule of a'])
    for (const scope of [{ scope: other }, {}]) {
      expect(texts(await ctx.systemPrompt.assemble(scope))).toEqual(['global rule', 'global tone'])
    }
    await agent.dispose()
    expect(texts(await ctx.systemPrompt.assemble({ scope: agent }))).toEqual(['global rule', 'global tone'])
  })

  it('[F1] refuse a taken name in one layer, and malformed forms', async () => {
    const ctx = await mount()
    const add = (section: object) => () => ctx.systemPrompt.section(section as never)
    const dispose = ctx.systemPrompt.section({ name: 'rule', order: 1, text: '' })
    expect(add({ name: 'rule', order: 9, text: 'x' })).toThrow(invalidPrompt('agent.ctx.systemPrompt'))
    dispose()
    add({ name: 'rule', order: 9, text: 'x' })()
    expect(add({ order: 1, text: '' })).toThrow(invalidPrompt('name'))
    for (const order of [undefined, Number.NaN, Number.POSITIVE_INFINITY, '1']) {
      expect(add({ name: 'o', order, text: '' })).toThrow(invalidPrompt('"o" needs `order`'))
    }
    expect(add({ name: 't', order: 1 })).toThrow(invalidPrompt('"t" needs `text`'))
  })

  it('[F1] name the one that failed, keep coded errors, and report the first by position', async () => {
    const ctx = await mount()
    let release = () => {}
    const late = new Promise<void>((resolve) => {
      release = resolve
    })
    const coded = new HarnessError('NO_CODE_RUNTIME', 'mount one')
    ctx.systemPrompt.section({ name: 'a', order: 1, text: () => late.then(() => Promise.reject(new Error('slow'))) })
    ctx.systemPrompt.section({
      name: 'b',
      order: 2,
      text: async () => {
        release()
        throw coded
      },
    })
    await expect(ctx.systemPrompt.assemble()).rejects.toThrow(invalidPrompt('Section "a" failed: slow'))
    const again = await mount()
    again.systemPrompt.section({ name: 'b', order: 2, text: () => Promise.reject(coded) })
    await expect(again.systemPrompt.assemble()).rejects.toBe(coded)
    const wrong = await mount()
    wrong.systemPrompt.section({ name: 'n', order: 2, text: (() => 7) as never })
    await expect(wrong.systemPrompt.assemble()).rejects.toThrow(invalidPrompt('"n" answered with number'))
  })
})

describe('variables', () => {
  it('[F1] are asked once an assembly and only when a template uses them', async () => {
    const ctx = await mount()
    const asked: string[] = []
    for (const name of ['day', 'unused']) {
      ctx.systemPrompt.variable(name, async () => {
        asked.push(name)
        return `<${name}>`
      })
    }
    ctx.systemPrompt.variable('app', 'runcell')
    ctx.systemPrompt.section({ name: 's', order: 1, text: '{{app}} on {{day}}, {{ day }}' })
    ctx.systemPrompt.section({ name: 't', order: 2, text: '{{day}}' })
    expect(texts(await ctx.systemPrompt.assemble())).toEqual(['runcell on <day>, <day>', '<day>'])
    expect(asked).toEqual(['day'])
    await ctx.systemPrompt.assemble()
    expect(asked).toEqual(['day', 'day'])
  })

  it('[F1] are layered like sections, and leave with their fiber', async () => {
    const ctx = await mount()
    const agent = createAgent(ctx, { id: 'a' })
    ctx.systemPrompt.section({ name: 's', order: 1, text: 'I am {{who}}' })
    const fiber = await ctx.plugin({
      inject: ['systemPrompt'],
      apply: (inside: Context) => void inside.systemPrompt.variable('who', 'anyone'),
    })
    agent.ctx.systemPrompt.variable('who', () => 'agent a')
    expect(texts(await ctx.systemPrompt.assemble({ scope: agent }))).toEqual(['I am agent a'])
    expect(texts(await ctx.systemPrompt.assemble())).toEqual(['I am anyone'])
    await fiber.dispose()
    await expect(ctx.systemPrompt.assemble()).rejects.toThrow(invalidPrompt('{{who}}'))
  })

  it('[F1] must answer text; names are checked and unique in a layer', async () => {
    const ctx = await mount()
    ctx.systemPrompt.variable('n', (() => 7) as never)
    ctx.systemPrompt.section({ name: 's', order: 1, text: '{{n}}' })
    await expect(ctx.systemPrompt.assemble()).rejects.toThrow(invalidPrompt('"n" answered with number'))
    expect(() => ctx.systemPrompt.variable('n', 'x')).toThrow(invalidPrompt('already'))
    expect(() => ctx.systemPrompt.variable('m', undefined as never)).toThrow(invalidPrompt('"m"'))
    for (const bad of ['', ' a', 'a b', '1a', '{{a}}', 'ä', 7]) {
      expect(() => ctx.systemPrompt.variable(bad as never, 'x')).toThrow(invalidPrompt('cannot name a variable'))
    }
  })
})

describe('tools', () => {
  it('[F1] come from every provider that the scope sees, the nearest of one name', async () => {
    const ctx = await mount()
    const agent = createAgent(ctx, { id: 'a' })
    ctx.systemPrompt.tools(() => [tool('b'), tool('a')])
    ctx.systemPrompt.tools(async () => ({ tools: [tool('c')] }))
    agent.ctx.systemPrompt.tools(() => [{ ...tool('a'), description: 'Mine.' }, tool('B')])
    expect(names(await ctx.systemPrompt.assemble())).toEqual(['a', 'b', 'c'])
    const mine = await ctx.systemPrompt.assemble({ scope: agent })
    expect(names(mine)).toEqual(['B', 'a', 'b', 'c'])
    expect(mine.tools[1]?.description).toBe('Mine.')
  })

  it('[C6] hold exactly name, description and parameters', async () => {
    const ctx = await mount()
    ctx.systemPrompt.tools(() => [{ ...tool('a'), timeoutMs: 5, execute: () => {} } as PromptTool])
    expect((await ctx.systemPrompt.assemble()).tools).toEqual([tool('a')])
  })

  it('[F1] are refused when a layer contributes one twice, or something else than tools', async () => {
    const answers: readonly (readonly [unknown, string])[] = [
      [[tool('a'), tool('a')], '"a" is contributed twice'],
      [undefined, '{ tools, known? }'],
      ['abc', '{ tools, known? }'],
      [{ tools: [tool('a')], known: 5 }, '{ tools, known? }'],
      [[{ name: '' }], 'needs a name'],
      [[null], 'needs a name'],
      [[{ name: 'x' }], '"x" needs a description'],
      [[{ name: 'x', description: '' }], '"x" needs parameters'],
    ]
    for (const [answer, part] of answers) {
      const ctx = await mount()
      ctx.systemPrompt.tools(() => answer as never)
      await expect(ctx.systemPrompt.assemble()).rejects.toThrow(invalidPrompt(part))
    }
    const ctx = await mount()
    expect(() => ctx.systemPrompt.tools('x' as never)).toThrow(invalidPrompt('function'))
  })

  it('[C4] toolOrder may list a name that a provider knows although it contributes nothing under it', async () => {
    const ctx = await mount({ toolOrder: ['later', 'z', '<unlisted-tools>'] })
    ctx.systemPrompt.tools(() => ({ tools: [tool('a'), tool('z')], known: new Set(['later']) }))
    expect(names(await ctx.systemPrompt.assemble())).toEqual(['z', 'a'])
  })

  it('[F1] toolOrder puts what it lists around the rest, and refuses what nothing contributes', async () => {
    const ctx = await mount({ toolOrder: ['z', '<unlisted-tools>', 'a'] })
    const dispose = ctx.systemPrompt.tools(() => ['m', 'a', 'z', 'b'].map(tool))
    expect(names(await ctx.systemPrompt.assemble())).toEqual(['z', 'b', 'm', 'a'])
    dispose()
    ctx.systemPrompt.tools(() => [tool('a')])
    await expect(ctx.systemPrompt.assemble()).rejects.toThrow(invalidPrompt('toolOrder lists "z"'))
  })

  it('[F1] refuses a toolOrder without its marker at load, saying why', async () => {
    for (const toolOrder of [[], ['a'], ['<unlisted-tools>', '<unlisted-tools>'], ['a', '<unlisted-tools>', 'a']]) {
      await expect(mount({ toolOrder })).rejects.toThrow(/toolOrder/)
    }
    await expect(mount({ toolOrder: [7] } as never)).rejects.toThrow(/toolOrder/)
    await expect(mount({ tools: [] } as never)).rejects.toThrow(/tools/)
  })
})

describe('system-prompt/assemble', () => {
  it('[F1] answers for good: what the listener gives is the assembly', async () => {
    const ctx = await mount()
    ctx.systemPrompt.section({ name: 's', order: 1, text: 'built' })
    const mine = { sections: [{ name: 'x', order: 5, text: 'mine' }], tools: [tool('b'), tool('a')] }
    ctx.on('system-prompt/assemble', async (request, next) => {
      expect(Object.isFrozen(request)).toBe(true)
      expect(texts(await next())).toEqual(['built'])
      return mine
    })
    const assembly = await ctx.systemPrompt.assemble()
    expect(assembly).toEqual(mine)
    // Detached: what the listener keeps is its own.
    mine.tools.length = 0
    mine.sections[0]!.text = 'changed'
    expect(assembly.tools).toHaveLength(2)
    expect(texts(assembly)).toEqual(['mine'])
  })

  it('[F1] [B4] hears the scope of the assembly and of its descendants alone', async () => {
    const ctx = await mount()
    const agent = createAgent(ctx, { id: 'a' })
    const child = createAgent(ctx, { id: 'child', parent: agent })
    agent.ctx.on('system-prompt/assemble', () => ({ sections: [], tools: [tool('replaced')] }))
    expect(names(await ctx.systemPrompt.assemble())).toEqual([])
    expect(names(await ctx.systemPrompt.assemble({ scope: createAgent(ctx, { id: 'b' }) }))).toEqual([])
    expect(names(await ctx.systemPrompt.assemble({ scope: agent }))).toEqual(['replaced'])
    expect(names(await ctx.systemPrompt.assemble({ scope: child }))).toEqual(['replaced'])
  })

  it('[F1] an answer of another shape rejects', async () => {
    const section = { name: 's', order: 1, text: '' }
    const answers: unknown[] = [
      undefined,
      null,
      'text',
      [],
      { sections: [] },
      { sections: {}, tools: [] },
      { sections: [{ ...section, text: 1 }], tools: [] },
      { sections: [{ ...section, order: Number.NaN }], tools: [] },
      { sections: [null], tools: [] },
      { sections: [], tools: [{ name: 'a' }] },
      { sections: [], tools: [tool('a'), tool('a')] },
    ]
    for (const answer of answers) {
      const ctx = await mount()
      ctx.on('system-prompt/assemble', () => answer as never)
      await expect(ctx.systemPrompt.assemble()).rejects.toThrow(expect.objectContaining({ code: 'INVALID_PROMPT' }))
    }
  })

  it('[F1] a throw of a listener rejects with it', async () => {
    const ctx = await mount()
    ctx.on('system-prompt/assemble', () => {
      throw new Error('mine')
    })
    await expect(ctx.systemPrompt.assemble()).rejects.toThrow('mine')
  })
})

describe('assemble', () => {
  it('[F1] rejects with the reason of its signal, before and during the work', async () => {
    const ctx = await mount()
    const reason = new Error('no longer wanted')
    let asked = 0
    ctx.systemPrompt.section({ name: 's', order: 1, text: () => `${++asked}` })
    await expect(ctx.systemPrompt.assemble({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(asked).toBe(0)
    const controller = new AbortController()
    ctx.systemPrompt.section({ name: 't', order: 1, text: async () => void controller.abort(reason) })
    await expect(ctx.systemPrompt.assemble({ signal: controller.signal })).rejects.toBe(reason)
  })

  it('[F5] is the same whatever settles first, and whatever was registered first', async () => {
    const rendered: string[] = []
    for (const order of [
      [0, 1, 2],
      [2, 1, 0],
      [1, 2, 0],
    ]) {
      const ctx = await mount()
      let last = Promise.resolve()
      for (const index of order) {
        const mine = last
        last = mine.then(() => {})
        ctx.systemPrompt.section({ name: `s${index}`, order: 1, text: () => mine.then(() => `text ${index}`) })
        ctx.systemPrompt.tools(() => mine.then(() => [tool(`t${index}`)]))
      }
      const assembly = await ctx.systemPrompt.assemble()
      rendered.push(JSON.stringify([assembly, renderPrompt(assembly)]))
    }
    expect(new Set(rendered).size).toBe(1)
  })
})

describe('system-prompt/change', () => {
  it('[F1] is emitted, unfiltered, on every registration and disposal', async () => {
    const ctx = await mount()
    const [agent, other] = [createAgent(ctx, { id: 'a' }), createAgent(ctx, { id: 'b' })]
    let heard = 0
    other.ctx.on('system-prompt/change', () => void heard++)
    const dispose = [
      agent.ctx.systemPrompt.section({ name: 's', order: 1, text: '' }),
      agent.ctx.systemPrompt.variable('v', ''),
      ctx.systemPrompt.tools(() => []),
    ]
    expect(heard).toBe(3)
    dispose[2]!()
    expect(heard).toBe(4)
    await agent.dispose()
    expect(heard).toBe(6)
  })

  it('[F1] a listener that throws rolls the registration back', async () => {
    const ctx = await mount()
    let heard = 0
    const stop = ctx.on('system-prompt/change', () => {
      heard += 1
      throw new Error('not this')
    })
    expect(() => ctx.systemPrompt.section({ name: 's', order: 1, text: 'x' })).toThrow('not this')
    expect(heard).toBe(2)
    stop()
    expect((await ctx.systemPrompt.assemble()).sections).toEqual([])
    ctx.systemPrompt.section({ name: 's', order: 1, text: 'x' })
  })

  it('[F1] nothing is left of a plugin that came and went', async () => {
    const ctx = await mount()
    const agent = createAgent(ctx, { id: 'a' })
    const plugin = {
      inject: ['systemPrompt'],
      apply(inside: Context) {
        inside.systemPrompt.section({ name: 's', order: 1, text: '{{v}}' })
        inside.systemPrompt.variable('v', 'x')
        inside.systemPrompt.tools(() => [tool('a')])
      },
    }
    const fiber = await agent.ctx.plugin(plugin)
    for (let round = 0; round < 100; round += 1) await fiber.restart()
    expect(texts(await ctx.systemPrompt.assemble({ scope: agent }))).toEqual(['x'])
    await fiber.dispose()
    expect(await ctx.systemPrompt.assemble({ scope: agent })).toEqual({ sections: [], tools: [] })
  })
})
