// The built-in runtimes by language, loaded when a cell asks for one: importing `runcell` loads no engine and no compiler.
import type { Context } from '@deepseek-ai/cordis'
import { HarnessError } from '../errors/harness-error.ts'
import type { RunLimitsInput } from '../runtime/budgets.ts'

/** Where programs of the built-in runtimes run (contract L4). */
export type Isolation = 'process' | 'in-process'

/** What a cell tells a built-in runtime. */
export interface BuiltInRuntimeOptions {
  readonly limits?: RunLimitsInput
  readonly isolation?: Isolation
}

const MOUNTERS = new Map<string, (ctx: Context, options: BuiltInRuntimeOptions) => Promise<void>>([
  [
    'typescript',
    async (ctx, options) => {
      const { TypeScriptRuntime } = await import('../../runtimes/typescript/index.ts')
      await ctx.plugin(TypeScriptRuntime, options)
    },
  ],
])

/** Mounts the built-in runtime of a language. Throws `INVALID_CONFIG` for a language that has none. */
export async function mountRuntime(ctx: Context, language: string, options: BuiltInRuntimeOptions): Promise<void> {
  const mount = MOUNTERS.get(language)
  if (mount === undefined) {
    const known = [...MOUNTERS.keys()].map((name) => `"${name}"`).join(', ')
    throw new HarnessError(
      'INVALID_CONFIG',
      `languages: there is no built-in runtime for "${language}" (built in: ${known}). Mount your own on cell.ctx, or leave it out.`,
    )
  }
  await mount(ctx, options)
}
