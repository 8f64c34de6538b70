import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { repositoryRoot } from '../support/repository.ts'

const run = promisify(execFile)

/** Runs a file of docs/examples against the sources; `npm run demo` runs it against the build. */
async function example(name: string): Promise<string> {
  const file = `docs/examples/${name}.ts`
  const { stdout } = await run(process.execPath, ['--conditions=runcell-source', file], { cwd: repositoryRoot })
  return stdout
}

it('[Q3] the quick start runs a program with a tool of its own', async () => {
  expect(await example('quickstart')).toBe('{ logs: [], result: 800 }\n')
})

it('[Q4] the demo runs its programs over two published servers, and keeps their results out of the context', async () => {
  const stdout = await example('demo')
  // No colours where nobody looks.
  expect(stdout).not.toContain('\u001b')
  for (const program of ['repository-report', 'knowledge-graph', 'folder-graph']) {
    expect(stdout).toContain(`── docs/examples/programs/${program}.ts`)
  }
  // Streamed lines, results, the table of the sub-calls.
  expect(stdout).toMatch(/^\d+\.\d\d s {2}writing 10 entities$/m)
  expect(stdout).toContain("idle: [ 'Barbara', 'Donald' ]")
  expect(stdout).toMatch(/^ +1 {2}filesystem_list_allowed_directories +\d+\.\d {2}ok$/m)
  expect(stdout).toMatch(/^ +22 {2}memory_add_observations +\d+\.\d {2}failed$/m)
  const subCalls = Number(/^(\d+) sub-calls$/m.exec(stdout)?.[1])
  expect(subCalls).toBeGreaterThanOrEqual(50)
  const times = Number(/^(\d+) times fewer/m.exec(stdout)?.[1])
  expect(times).toBeGreaterThan(10)
}, 90_000)
