import { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import type { CodeRunRequest, CodeRunResult } from '../../../src/runtime/code-runtime.ts'
import { CodeRuntime, CodeRuntimes } from '../../../src/runtime/service.ts'

function runtimeOf(language: string) {
  return class extends CodeRuntime {
    readonly isolation = 'none'
    disposed = false

    constructor(ctx: Context) {
      super(ctx, language)
    }

    async run(request: CodeRunRequest): Promise<CodeRunResult> {
      this.assertLanguage(request)
      return { value: language, logs: [] }
    }

    async dispose(): Promise<void> {
      this.disposed = true
    }
  }
}

const request = { program: '', bindings: [] }

describe('mounting runtimes', () => {
  it('[J6] lets a runtime that stands alone be ctx.codeRuntime, until its fiber ends', async () => {
    const ctx = new Context()
    const fiber = await ctx.plugin(runtimeOf('typescript'))
    const runtime = ctx.codeRuntime
    expect(runtime.languages).toEqual(['typescript'])
    expect(await runtime.run({ ...request, language: 'typescript' })).toEqual({ value: 'typescript', logs: [] })
    await expect(runtime.run({ ...request, language: 'python' })).rejects.toMatchObject({ code: 'NO_CODE_RUNTIME' })
    await fiber.dispose()
    expect(ctx.get('codeRuntime')).toBeUndefined()
    expect(runtime).toMatchObject({ disposed: true })
  })

  it('[J6] puts several behind one CodeRuntimes, which chooses by language', async () => {
    const ctx = new Context()
    await ctx.plugin(CodeRuntimes)
    await expect(ctx.codeRuntime.run(request)).rejects.toMatchObject({
      code: 'NO_CODE_RUNTIME',
      message: expect.stringContaining('TypeScriptRuntime'),
    })
    await ctx.plugin(runtimeOf('typescript'))
    const python = await ctx.plugin(runtimeOf('python'))
    expect(ctx.codeRuntime.languages).toEqual(['typescript', 'python'])
    expect((await ctx.codeRuntime.run(request)).value).toBe('typescript')
    expect((await ctx.codeRuntime.run({ ...request, language: 'python' })).value).toBe('python')
    await python.dispose()
    expect(ctx.codeRuntime.languages).toEqual(['typescript'])
    await expect(ctx.codeRuntime.run({ ...request, language: 'python' })).rejects.toThrow(/mounted: typescript/)
  })

  it('[J6] refuses a second runtime of one language', async () => {
    const ctx = new Context()
    await ctx.plugin(CodeRuntimes)
    await ctx.plugin(runtimeOf('typescript'))
    await expect(ctx.plugin(runtimeOf('typescript')).then(() => 'mounted')).rejects.toThrow(/mounted already/)
    expect(ctx.codeRuntime.languages).toEqual(['typescript'])
  })
})
