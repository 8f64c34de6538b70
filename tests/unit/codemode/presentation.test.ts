// What a model is shown in each mode, and what it may call.
import { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import { renderPrompt } from '../../../src/prompt/render.ts'
import { SystemPrompt } from '../../../src/prompt/service.ts'
import type { CodeRunRequest, CodeRunResult } from '../../../src/runtime/code-runtime.ts'
import { CodeRuntime, CodeRuntimes } from '../../../src/runtime/service.ts'
import { createAgent } from '../../../src/scope/agent.ts'
import { bindScopeParent } from '../../../src/scope/chain.ts'
import { createScope } from '../../../src/scope/scope.ts'
import { ToolRuntime } from '../../../src/tool-runtime/service.ts'
import type { SdkRenderer } from '../../../src/tools/sdk-renderer.ts'
import { rawTool, resultOf, testCell, textOf } from '../../support/cells.ts'

const tools = [rawTool('write', () => 1), rawTool('read', () => 2)]
const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name)

/** A language of our own: its programs are the names of tools to call, one a line. */
class Lines extends CodeRuntime {
  readonly isolation = 'none'

  constructor(ctx: Context) {
    super(ctx, 'lines')
  }

  override async run({ program, bindings }: CodeRunRequest): Promise<CodeRunResult> {
    const values = []
    for (const line of program.split('\n')) values.push((await bindings[0]?.functions[line]?.({})) ?? null)
    return { value: values, logs: [] }
  }

  override async dispose(): Promise<void> {}
}

const linesSdk: SdkRenderer = {
  language: 'lines',
  runCode: { description: 'Runs lines.', codeDescription: 'Names of tools, one a line.' },
  program: { errorClass: { name: 'LineError', memberNameProperty: 'line' }, codeOnlyRule: 'Only lines.' },
  render: (list) => `LINES: ${list.map(({ name }) => name).join(' ')}`,
  declarations: () => '',
}

describe('presentation', () => {
  it('[F2, Q3] contributes by mode: native schemas, run_code with the SDK, or both', async () => {
    const native = await testCell({ tools, mode: 'native' })
    expect(names(await native.toolSchemas())).toEqual(['read', 'write'])
    expect(await native.prompt()).toBe('')
    const code = await testCell({ tools })
    expect(names(await code.toolSchemas())).toEqual(['run_code'])
    expect(await code.prompt()).toMatch(/Call only `run_code` directly[\s\S]*declare const tools/)
    const both = await testCell({ tools, mode: 'both' })
    expect(names(await both.toolSchemas())).toEqual(['read', 'run_code', 'write'])
    const prompt = await both.prompt()
    expect(prompt).toContain('declare const tools')
    expect(prompt).not.toContain('Call only `run_code`')
  })

  it('[F2] puts the rule at order 99 and the SDK at 150', async () => {
    const cell = await testCell({ tools })
    const { sections } = await cell.ctx.systemPrompt.assemble({})
    expect(sections.map(({ name, order }) => [name, order])).toEqual([
      ['tools:code-only', 99],
      ['tools:sdk', 150],
    ])
  })

  it('[F3] refuses a direct call in mode code before any policy, and names the way back for a visible tool', async () => {
    const cell = await testCell({ tools })
    const policy: string[] = []
    cell.ctx.on('tools/pre-execute', (execution, next) => {
      policy.push(execution.name)
      return next()
    })
    const visible = await cell.call({ name: 'read', arguments: {} })
    expect(visible).toMatchObject({ isError: true, error: { info: { code: 'UNKNOWN_TOOL' } } })
    expect(textOf(visible)).toMatch(/Call it inside a run_code program/)
    const unknown = await cell.call({ name: 'reed', arguments: {} })
    expect(unknown).toMatchObject({ isError: true, error: { info: { code: 'UNKNOWN_TOOL' } } })
    expect(textOf(unknown)).toMatch(/Did you mean "read"/)
    expect(policy).toEqual([])
    expect(resultOf(await cell.run('return await tools.read({})'))).toBe(2)
  })

  it('[F2, D14] executes native calls in mode both, and knows no run_code in mode native', async () => {
    const both = await testCell({ tools, mode: 'both' })
    expect(await both.call({ name: 'read', arguments: {} })).toMatchObject({ isError: false, value: 2 })
    expect(resultOf(await both.run('return 5'))).toBe(5)
    const native = await testCell({ tools, mode: 'native' })
    const run = await native.run('return 5')
    expect(run).toMatchObject({ isError: true, error: { info: { code: 'UNKNOWN_TOOL' } } })
    expect(textOf(run)).toMatch(/native tools only/)
    expect(textOf(await native.call({ name: 'reed', arguments: {} }))).toMatch(/Did you mean "read"/)
  })

  it('[F2] is native where nothing is configured', async () => {
    const ctx = new Context()
    await ctx.plugin(SystemPrompt)
    await ctx.plugin(ToolRuntime)
    ctx.tools.register(rawTool('read', () => 1))
    expect(names((await ctx.systemPrompt.assemble({})).tools)).toEqual(['read'])
    await ctx.fiber.dispose()
  })

  it('[F1] says system-prompt/change when tools change, so that a kept prompt can be made anew', async () => {
    const cell = await testCell()
    let changes = 0
    cell.ctx.on('system-prompt/change', () => void changes++)
    const dispose = cell.tools.register(rawTool('late', () => 1))
    dispose()
    expect(changes).toBe(2)
  })

  it('[F1, C10] tells every system-prompt/change listener of an undo, and contains an asynchronous one that fails', async () => {
    const unhandled: unknown[] = []
    const note = (reason: unknown) => void unhandled.push(reason)
    process.on('unhandledRejection', note)
    try {
      const { ctx } = await testCell()
      let told = 0
      ctx.on('system-prompt/change', (() => Promise.reject(new Error('later'))) as () => void)
      const dispose = ctx.tools.register(rawTool('a', () => 1))
      ctx.on('system-prompt/change', () => {
        throw new Error('at once')
      })
      ctx.on('system-prompt/change', () => void told++)
      dispose()
      expect(told).toBe(1)
      expect(() => ctx.tools.register(rawTool('b', () => 1))).toThrow('at once')
      expect(ctx.tools.schemas()).toEqual([])
      await new Promise((resolve) => setImmediate(resolve))
    } finally {
      process.off('unhandledRejection', note)
    }
    expect(unhandled).toEqual([])
  })

  it('[F4] fails assembly and runs loudly without a runtime, and for a language without a renderer', async () => {
    const ctx = new Context()
    await ctx.plugin(SystemPrompt, {})
    const runtimes = await ctx.plugin(ToolRuntime, { mode: 'code' })
    await expect(ctx.systemPrompt.assemble({})).rejects.toMatchObject({
      code: 'NO_CODE_RUNTIME',
      message: expect.stringContaining('ctx.plugin(TypeScriptRuntime)'),
    })
    const { signal } = new AbortController()
    const call = { callId: 'c', name: 'run_code', arguments: { code: 'x', description: 'd' }, signal }
    expect(await ctx.tools.execute(call)).toMatchObject({ error: { info: { code: 'NO_CODE_RUNTIME' } } })
    await ctx.plugin(Lines)
    await expect(ctx.systemPrompt.assemble({})).rejects.toMatchObject({
      code: 'NO_SDK_RENDERER',
      message: expect.stringContaining('ctx.tools.sdkRenderer'),
    })
    await runtimes.dispose()
  })

  it('[F5] gives byte-identical text for an unchanged set of tools, whatever the order of registration', async () => {
    const one = await testCell({ tools })
    const other = await testCell({ tools: [...tools].reverse() })
    expect(await one.prompt()).toBe(await other.prompt())
    const before = await one.prompt()
    const dispose = one.tools.register(rawTool('extra', () => 1))
    expect(await one.prompt()).not.toBe(before)
    dispose()
    expect(await one.prompt()).toBe(before)
  })

  it('[F2, B2] shows the SDK of a scope as it is, also when its parent is bound late', async () => {
    const { ctx } = await testCell()
    const [key, preset] = [{}, {}]
    createScope(ctx, key).tools.register(rawTool('own', () => 1))
    createScope(ctx, preset).tools.register(rawTool('inherited', () => 1))
    const prompt = async () => renderPrompt(await ctx.systemPrompt.assemble({ scope: key }))
    expect(await prompt()).not.toContain('inherited')
    bindScopeParent(key, preset)
    expect(await prompt()).toContain('inherited')
  })

  it('[C8, F2] presentAs selects one agent’s presentation, down its chain, until it is disposed', async () => {
    const cell = await testCell({ tools, mode: 'native' })
    const parent = cell.agent({ id: 'parent' })
    const child = cell.agent({ id: 'child', parent })
    const dispose = parent.ctx.tools.presentAs('code')
    expect(names(await cell.toolSchemas(child))).toEqual(['run_code'])
    expect(names(await cell.toolSchemas())).toEqual(['read', 'write'])
    expect(await cell.call({ name: 'read', arguments: {}, agent: child })).toMatchObject({ isError: true })
    expect(cell.tools.schemas(child).map(({ name }) => name)).toEqual(['read', 'write'])
    dispose()
    expect(names(await cell.toolSchemas(child))).toEqual(['read', 'write'])
  })

  it('[C11, J6, F6] takes another language with one runtime and one renderer, and nothing else', async () => {
    const ctx = new Context()
    await ctx.plugin(SystemPrompt, {})
    await ctx.plugin(CodeRuntimes)
    await ctx.plugin(ToolRuntime, { mode: 'code' })
    await ctx.plugin(Lines)
    ctx.tools.sdkRenderer(linesSdk)
    for (const tool of tools) ctx.tools.register(tool)
    const agent = createAgent(ctx, { id: 'a' })
    expect(renderPrompt(await ctx.systemPrompt.assemble({ scope: agent }))).toContain('LINES: read write')
    const { signal } = new AbortController()
    const run = await ctx.tools.execute({
      callId: 'c',
      name: 'run_code',
      arguments: { code: 'read\nwrite', description: 'd' },
      signal,
      agent,
    })
    expect(resultOf(run)).toEqual([2, 1])
    await ctx.fiber.dispose()
  })

  it('[F6] lets run_code take a language where a scope has several', async () => {
    const cell = await testCell({ tools })
    await cell.ctx.plugin(Lines)
    cell.tools.sdkRenderer(linesSdk)
    const agent = cell.agent({ id: 'polyglot' })
    agent.ctx.tools.presentAs('code', { languages: ['typescript', 'lines'] })
    const [schema] = await cell.toolSchemas(agent)
    expect(schema?.parameters).toMatchObject({
      properties: { language: { enum: ['typescript', 'lines'] } },
      required: ['code', 'description', 'language'],
    })
    expect(resultOf(await cell.run('read', { agent, language: 'lines' }))).toEqual([2])
    expect(resultOf(await cell.run('return tools.read({})', { agent, language: 'typescript' }))).toBe(2)
    expect(textOf(await cell.run('read', { agent }))).toMatch(
      /args\.language is missing: give one of "typescript", "lines"/,
    )
    expect(textOf(await cell.run('read', { agent, language: 'cobol' }))).toMatch(/args\.language must be one of/)
  })

  it('[F1] lets toolOrder list hidden tools in mode native, and refuses what mode code does not contribute', async () => {
    const ctx = new Context()
    await ctx.plugin(SystemPrompt, { toolOrder: ['write', '<unlisted-tools>'] })
    await ctx.plugin(CodeRuntimes)
    await ctx.plugin(ToolRuntime, { mode: 'native' })
    await ctx.plugin(Lines)
    ctx.tools.sdkRenderer(linesSdk)
    for (const tool of tools) ctx.tools.register(tool)
    expect(names((await ctx.systemPrompt.assemble({})).tools)).toEqual(['write', 'read'])
    const hiding = createAgent(ctx, { id: 'hiding' })
    hiding.ctx.tools.restrict({ deny: ['write'] })
    expect(names((await ctx.systemPrompt.assemble({ scope: hiding })).tools)).toEqual(['read'])
    const coding = createAgent(ctx, { id: 'coding' })
    coding.ctx.tools.presentAs('code', { language: 'lines' })
    await expect(ctx.systemPrompt.assemble({ scope: coding })).rejects.toMatchObject({ code: 'INVALID_PROMPT' })
    await ctx.fiber.dispose()
  })
})
