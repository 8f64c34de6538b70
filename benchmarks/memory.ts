// What a program that waits on a slow tool holds: the proportional set size of its sandbox process, from Linux.
import { readFileSync } from 'node:fs'
import { Context } from '@deepseek-ai/cordis'
import { TypeScriptRuntime } from 'runcell/typescript'
import { figure } from './lib/measure.ts'

const PROGRAMS = 10

/** Megabytes of one waiting program, the mean over ten of them; `null` where the system does not say. */
export async function idleProgramMb(): Promise<number | null> {
  const ctx = new Context()
  await ctx.plugin(TypeScriptRuntime, { maxProcesses: PROGRAMS, spares: 0 })
  const runtime = ctx.codeRuntime as TypeScriptRuntime
  const allWait = Promise.withResolvers<void>()
  const release = Promise.withResolvers<null>()
  let waiting = 0
  const wait = () => {
    waiting += 1
    if (waiting === PROGRAMS) allWait.resolve()
    return release.promise
  }
  const runs = Array.from({ length: PROGRAMS }, () =>
    runtime.run({ program: 'return await host.wait()', bindings: [{ global: 'host', functions: { wait } }] }),
  )
  await allWait.promise
  const total = runtime.host.pids.reduce((sum, pid) => sum + proportionalKb(pid), 0)
  release.resolve(null)
  await Promise.all(runs)
  await ctx.fiber.dispose()
  return figure(total / 1_024 / PROGRAMS)
}

function proportionalKb(pid: number): number {
  try {
    const kb = /^Pss:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]
    return Number(kb ?? Number.NaN)
  } catch {
    return Number.NaN
  }
}
