// Runs the command line as a process, from the sources, and gives what it wrote and how it ended.
import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { repositoryRoot } from '../support/repository.ts'

const mainModule = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url))

/** What a process left. */
export interface Ended {
  readonly stdout: string
  readonly stderr: string
  readonly code: number | null
}

/** A process under way. */
export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** Resolves once the pattern is in what was written to stderr so far. */
  seen(pattern: RegExp): Promise<void>
}

/** Starts `runcell` with these arguments in the root of the repository. */
export function start(
  args: readonly string[],
  options: { stdin?: string; env?: Record<string, string> } = {},
): Running {
  const child = spawn(process.execPath, [mainModule, ...args], {
    cwd: repositoryRoot,
    env: { ...process.env, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  const waiting: { pattern: RegExp; resolve: () => void }[] = []
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
    for (const { pattern, resolve } of waiting) if (pattern.test(stderr)) resolve()
  })
  child.stdin.on('error', () => {})
  child.stdin.end(options.stdin ?? '')
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ stdout, stderr, code }))
  })
  return {
    child,
    ended,
    async seen(pattern) {
      if (pattern.test(stderr)) return
      await Promise.race([
        new Promise<void>((resolve) => waiting.push({ pattern, resolve })),
        ended.then(({ stderr: all }) => {
          throw new Error(`ended without ${pattern}: ${all}`)
        }),
      ])
    },
  }
}

/** Runs `runcell` to its end. */
export function runcell(
  args: readonly string[],
  options: { stdin?: string; env?: Record<string, string> } = {},
): Promise<Ended> {
  return start(args, options).ended
}
