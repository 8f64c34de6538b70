// Holds the sources to the layers: directions, packages, no cycles, and what `import 'runcell'` must not load.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readText, repositoryRoot } from '../support/repository.ts'
import { cycleProblems, directionProblems, missingProblems, packageProblems } from './checks.ts'
import { loadedFrom, readSources } from './module-graph.ts'

const sources = readSources()
const manifest = JSON.parse(readText('package.json')) as Record<string, Record<string, string> | undefined>
const installed = new Set(['dependencies', 'peerDependencies'].flatMap((kind) => Object.keys(manifest[kind] ?? {})))

/** Engines that a host pays for only when it asks: a native addon, a compiler, an interpreter. */
const ENGINES = ['isolated-vm', 'typescript', 'pyodide']

it('imports follow the arrows of the layers', () => {
  expect(directionProblems(sources)).toEqual([])
})

it('packages and Node builtins are imported where they belong, and are dependencies', () => {
  expect(packageProblems(sources, installed)).toEqual([])
})

it('there is no cycle of imports', () => {
  expect(cycleProblems(sources)).toEqual([])
})

it('relative imports name a source, with its ending', () => {
  expect(missingProblems(sources)).toEqual([])
})

it.each(['src/index.ts', 'sdk-templates/index.ts', 'src/mcp/index.ts', 'runtimes/typescript/index.ts'])(
  'the sources that %s loads at once name no engine',
  (entry) => {
    const { sources: loaded, packages } = loadedFrom(entry, sources)
    expect(loaded).toContain(entry)
    const named = ENGINES.filter((engine) => packages.has(engine))
    expect(named.map((engine) => `${packages.get(engine)} imports ${engine}`)).toEqual([])
  },
)

it('a process that imports runcell has loaded no engine', () => {
  const observe = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    process.on('exit', () => console.log(JSON.stringify({ loaded, addons: process.report.getReport().sharedObjects })))
  `
  const output = execFileSync(
    process.execPath,
    [
      '--conditions=runcell-source',
      '--import',
      `data:text/javascript,${encodeURIComponent(observe)}`,
      '--input-type=module',
      '--eval',
      "await import('runcell')",
    ],
    { cwd: repositoryRoot, encoding: 'utf8' },
  )
  const { loaded, addons } = JSON.parse(output) as { loaded: string[]; addons: string[] }
  const names = [...loaded, ...addons].filter((name) => name.includes('/node_modules/'))
  expect(loaded.some((url) => url.endsWith(join('src', 'index.ts')))).toBe(true)
  for (const engine of ENGINES) expect(names.filter((name) => name.includes(`/node_modules/${engine}/`))).toEqual([])
})

it('reports files that have grown past 300 lines', () => {
  const long = sources.filter((source) => source.lines > 300)
  if (long.length > 0) console.warn(`over 300 lines: ${long.map(({ path, lines }) => `${path} (${lines})`).join(', ')}`)
  // A file over 300 lines has its reason at its head; one over 600 holds more than one concept whatever its reason.
  expect(sources.filter((source) => source.lines > 600).map((source) => source.path)).toEqual([])
})
