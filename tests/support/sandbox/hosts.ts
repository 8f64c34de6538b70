// Sandbox hosts over the toy engine, ended after each test; a process that is left fails the test.
import { afterAll, afterEach, expect } from 'vitest'
import type { PreparedRun } from '../../../runtimes/host/prepared-run.ts'
import { SandboxHost, type SandboxHostOptions } from '../../../runtimes/host/sandbox-host.ts'
import { checkBindings } from '../../../src/runtime/bindings.ts'
import { DEFAULT_LIMITS } from '../../../src/runtime/budgets.ts'
import type { BindingFunction, CodeRunResult, RunLimits } from '../../../src/runtime/code-runtime.ts'
import { isAlive } from './processes.ts'

export const toyEngine = new URL('./toy-engine.ts', import.meta.url)
export const forgingEngine = new URL('./forging-engine.ts', import.meta.url)

const hosts: SandboxHost[] = []
const sharedHosts: SandboxHost[] = []

afterEach(() => disposeAll(hosts))
afterAll(() => disposeAll(sharedHosts))

async function disposeAll(list: SandboxHost[]): Promise<void> {
  const pids = list.flatMap((host) => host.pids)
  await Promise.all(list.splice(0).map((host) => host.dispose()))
  expect(pids.filter(isAlive)).toEqual([])
}

/** A host for one test. */
export function makeHost(options: Partial<SandboxHostOptions> = {}): SandboxHost {
  const host = hostOf(options)
  hosts.push(host)
  return host
}

/** A host for all tests of a file that do not harm it: starting a process is what takes longest. */
export function shareHost(options: Partial<SandboxHostOptions> = {}): SandboxHost {
  const host = hostOf(options)
  sharedHosts.push(host)
  return host
}

function hostOf(options: Partial<SandboxHostOptions>): SandboxHost {
  return new SandboxHost({ engine: toyEngine, isolation: 'process', memoryMb: 64, ...options })
}

/** What a test says of a program; the rest has defaults. */
export interface ToyRun extends Omit<Partial<PreparedRun>, 'limits' | 'namespaces'> {
  readonly limits?: Partial<RunLimits>
  readonly tools?: Readonly<Record<string, BindingFunction>>
}

/** Runs a program with one namespace `tools`. */
export function runToy(
  host: SandboxHost,
  source: string,
  { limits, tools = {}, ...rest }: ToyRun = {},
): Promise<CodeRunResult> {
  return host.run({
    source,
    file: 'program.js',
    namespaces: checkBindings([{ global: 'tools', functions: tools }]),
    limits: { ...DEFAULT_LIMITS, memoryMb: 64, ...limits },
    ...rest,
  })
}
