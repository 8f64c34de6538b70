// What a runtime costs over a bare function call: runs, sub-calls one after another and at once, payloads. Measured at
// the runtime's own seam, so that neither the pipeline nor a tool is in the figures.
import { Context } from '@deepseek-ai/cordis'
import type { CodeRunRequest, CodeRuntimeService } from 'runcell'
import { TypeScriptRuntime } from 'runcell/typescript'
import { figure, time } from './lib/measure.ts'

const CALLS = 500
const PAYLOAD_MB = 4

/** Figures of one runtime in one isolation; units are in the names. */
export interface TransportFigures {
  readonly warmRunMs: number | null
  readonly backToBackRunMs: number | null
  readonly freshRunMs: number | null
  readonly sequentialCallUs: number | null
  readonly parallelCallUs: number | null
  readonly payloadMbPerS: number | null
}

const bindings = [{ global: 'host', functions: { echo: async (argument: unknown) => argument as never } }]
const SEQUENTIAL = `for (let i = 0; i < ${CALLS}; i++) await host.echo({ i })`
const PARALLEL = `await Promise.all(Array.from({ length: ${CALLS} }, (_, i) => host.echo({ i })))`
const PAYLOAD = `await host.echo('x'.repeat(${PAYLOAD_MB * 1_000_000}))`

/** Runs the scenarios for TypeScript. */
export async function typescriptFigures(isolation: 'process' | 'in-process'): Promise<TransportFigures> {
  const mount = async (): Promise<{ runtime: CodeRuntimeService; close: () => Promise<void> }> => {
    const ctx = new Context()
    await ctx.plugin(TypeScriptRuntime, { isolation })
    return { runtime: ctx.codeRuntime, close: () => ctx.fiber.dispose() }
  }
  const { runtime, close } = await mount()
  const run = async (program: string, more: Partial<CodeRunRequest> = {}) => {
    const result = await runtime.run({ program, bindings, ...more })
    if (result.error !== undefined) throw new Error(`${result.error.kind}: ${result.error.message}`)
  }
  const warm = await time(() => run('return 1'), { times: 60, warmUp: 10, pauseMs: 10 })
  const backToBack = await time(() => run('return 1'), { times: 60 })
  const sequential = await time(() => run(SEQUENTIAL), { times: 15 })
  const parallel = await time(() => run(PARALLEL), { times: 15 })
  const payload = await time(() => run(PAYLOAD), { times: 7, warmUp: 2 })
  await close()
  const fresh = await time(
    async () => {
      const mounted = await mount()
      await mounted.runtime.run({ program: 'return 1', bindings })
      await mounted.close()
    },
    { times: 5, warmUp: 1 },
  )
  return {
    warmRunMs: figure(warm.median),
    backToBackRunMs: figure(backToBack.median),
    freshRunMs: figure(fresh.median),
    sequentialCallUs: figure(((sequential.median - backToBack.median) * 1000) / CALLS),
    parallelCallUs: figure(((parallel.median - backToBack.median) * 1000) / CALLS),
    payloadMbPerS: figure((2 * PAYLOAD_MB * 1000) / (payload.median - backToBack.median)),
  }
}

/** Milliseconds of a run whose program was never seen before: transpiled, then run. */
export async function coldProgramRunMs(): Promise<number | null> {
  const ctx = new Context()
  await ctx.plugin(TypeScriptRuntime, {})
  let version = 0
  const cold = await time(
    () => ctx.codeRuntime.run({ program: `const n: number = ${version++}\nreturn n`, bindings }),
    {
      times: 20,
      pauseMs: 10,
    },
  )
  await ctx.fiber.dispose()
  return figure(cold.median)
}
