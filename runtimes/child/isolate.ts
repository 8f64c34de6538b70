// What every engine on isolated-vm needs and must not get wrong: how an isolate is made, and what a throw out of one of
// its entries means. Engines import this module; the run loop and the host never load isolated-vm.
import { setFlagsFromString } from 'node:v8'
import ivm from 'isolated-vm'
import { EngineFatalError } from './engine.ts'

// V8's loop unrolling takes the interrupt check out of loops that it holds to be short, and of some that are endless:
// `for (;;) new Array(1000).fill('x')` (Node 24.21, isolated-vm 7.0.1). Neither isolated-vm's timeout nor its memory limit ends
// such a loop, and one that keeps its arrays takes the memory of the machine. The pass is worth little; it is set for the
// process, and for isolates that are made later. Held by tests/unit/runtimes/child/isolate.test.ts.
setFlagsFromString('--no-turboshaft-loop-unrolling')

/** A throw from an entry that left the isolate alive: the program rejected a promise that nothing handled (a warning). */
export interface OrphanThrow {
  /** What isolated-vm threw. Its texts are the program's own words; read them with `describeOrphan` only. */
  readonly thrown: unknown
}

const MAX_ORPHAN_LENGTH = 2_048

/** Makes an isolate whose heap and plain buffers are limited. `memoryMb` is in MiB, at least 8. */
export function createIsolate(memoryMb: number): ivm.Isolate {
  return new ivm.Isolate({ memoryLimit: Math.max(8, memoryMb) })
}

/**
 * Runs one synchronous entry into `isolate`. `entry` must pass `timeoutMs` to isolated-vm as its `timeout`.
 *
 * isolated-vm throws from an entry for reasons of four kinds, and a program can forge the text of each: the timeout, the
 * memory limit, an isolate that was disposed, and a promise of the program that was rejected before anything awaited it
 * (two calls are started, the second fails first). So texts decide nothing: our own clock tells a timeout, the isolate
 * itself tells its end, and whatever else was thrown is an orphan, returned for a warning; the program goes on.
 *
 * Throws `EngineFatalError` when the entry outlived `timeoutMs` or the isolate is gone.
 */
export function enterIsolate(isolate: ivm.Isolate, timeoutMs: number, entry: () => void): OrphanThrow | undefined {
  const started = performance.now()
  try {
    entry()
  } catch (thrown) {
    if (isolate.isDisposed) {
      throw new EngineFatalError('memory', 'the isolate passed its memory limit')
    }
    // isolated-vm's timer counts whole milliseconds and may be one early.
    if (performance.now() - started >= timeoutMs - 1) {
      throw new EngineFatalError('entry-timeout', `an entry ran for more than ${timeoutMs} ms`)
    }
    return { thrown }
  }
  if (isolate.isDisposed) throw new EngineFatalError('memory', 'the isolate passed its memory limit')
  return undefined
}

/** `Name: message` of an orphan, bounded. isolated-vm has copied what was thrown, so reading it runs no program code. */
export function describeOrphan(orphan: OrphanThrow): string {
  const { thrown } = orphan
  let text: string
  try {
    text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown)
  } catch {
    text = 'a value that cannot be described'
  }
  return text.length > MAX_ORPHAN_LENGTH ? `${text.slice(0, MAX_ORPHAN_LENGTH)}…` : text
}

/** Disposes an isolate that may be gone already. */
export function disposeIsolate(isolate: ivm.Isolate): void {
  if (isolate.isDisposed) return
  try {
    isolate.dispose()
  } catch {
    // Another thread's memory limit got there first.
  }
}

/** CPU time that an isolate has used so far, in microseconds; 0 when it is gone. */
export function isolateCpuUs(isolate: ivm.Isolate): number {
  if (isolate.isDisposed) return 0
  return Number(isolate.cpuTime) / 1_000
}
