// An engine whose program is what its process may do: each attempt with the code of its refusal, or "allowed".
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import type { Engine, EngineTurn } from '../../../runtimes/child/engine.ts'

const attempts: Record<string, () => unknown> = {
  write: () => writeFileSync('/tmp/runcell-permission-probe', ''),
  read: () => readFileSync('/etc/passwd'),
  spawn: () => spawnSync('true'),
  worker: () => new Worker('0', { eval: true }),
}

function outcome(attempt: () => unknown): string {
  try {
    attempt()
    return 'allowed'
  } catch (error) {
    return String((error as NodeJS.ErrnoException).code)
  }
}

function probe(): EngineTurn {
  const found = Object.fromEntries(Object.entries(attempts).map(([name, attempt]) => [name, outcome(attempt)]))
  const text = JSON.stringify({ ...found, environment: Object.keys(process.env) })
  return { calls: [], wakeMs: null, cpuUs: 0, end: { kind: 'value', text } }
}

/** The export of an engine module. */
export const createEngine = (): Engine => ({ prepare() {}, start: probe, deliver: probe, end() {}, dispose() {} })
