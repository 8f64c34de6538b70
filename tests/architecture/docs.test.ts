// The documents say what is there: links lead somewhere, commands exist, examples compile, limits are the code's.
import { existsSync } from 'node:fs'
import { join, posix } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MAX_MESSAGE_LENGTH } from '../../src/errors/describe-thrown.ts'
import { MAX_DEPTH, MAX_VALUES } from '../../src/json/limits.ts'
import { DEFAULT_LIMITS } from '../../src/runtime/budgets.ts'
import * as schemaLimits from '../../src/schema/limits.ts'
import { toolRuntimeConfigSchema } from '../../src/tool-runtime/config.ts'
import { compileExamples } from '../support/compile-examples.ts'
import { listFiles, readText, repositoryRoot } from '../support/repository.ts'

const pages = listFiles('.', (path) => path.endsWith('.md') && !/^(tests\/fixtures|benchmarks\/catalogs)\//.test(path))
const scripts = (JSON.parse(readText('package.json')) as { scripts: Record<string, string> }).scripts

/** Text of a page outside its code fences, where links are links. */
const prose = (page: string): string => readText(page).replace(/^```[\s\S]*?^```/gm, '')

describe('links', () => {
  const links = pages.flatMap((page) =>
    [...prose(page).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => ({ page, target })),
  )
  const relativeLinks = links.filter(({ target }) => !/^[a-z]+:/.test(target))

  it('lead to files and headings of the repository', () => {
    const broken = relativeLinks.filter(({ page, target }) => {
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? page : posix.normalize(posix.join(posix.dirname(page), path))
      if (!existsSync(join(repositoryRoot, file))) return true
      return anchor !== undefined && !headingsOf(file).includes(anchor)
    })
    expect(relativeLinks.length).toBeGreaterThan(10)
    expect(broken).toEqual([])
  })

  it('reach every page of docs from the README', () => {
    const reached = new Set<string>()
    const waiting = ['README.md']
    for (let page = waiting.pop(); page !== undefined; page = waiting.pop()) {
      if (reached.has(page)) continue
      reached.add(page)
      for (const link of relativeLinks.filter((candidate) => candidate.page === page)) {
        waiting.push(posix.normalize(posix.join(posix.dirname(page), link.target.replace(/#.*/, ''))))
      }
    }
    expect(pages.filter((page) => page.startsWith('docs/') && !reached.has(page))).toEqual([])
  })
})

it('every npm script that a page names is there', () => {
  const named = pages.flatMap((page) =>
    [...readText(page).matchAll(/npm run ([a-z][\w:]*)/g)].map(([, script = '']) => ({ page, script })),
  )
  const planned = new Set(plannedScripts())
  expect(named.length).toBeGreaterThan(3)
  expect(named.filter(({ script }) => !Object.hasOwn(scripts, script) && !planned.has(script))).toEqual([])
})

it('code fences marked ts are files of docs/examples, or compile beside them', () => {
  const examples = listFiles('docs/examples', (path) => path.endsWith('.ts')).map((path) => readText(path).trim())
  const fences = pages.flatMap((page) =>
    [...readText(page).matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = '']) => ({ page, code: code.trim() })),
  )
  const loose = fences.filter(({ code }) => !examples.includes(code))
  expect(fences.length).toBeGreaterThan(0)
  expect(compileExamples(loose.map(({ code }) => code))).toEqual([])
})

it('an example that does not compile is noticed', () => {
  expect(compileExamples(["import { noSuchName } from 'runcell'\nnoSuchName()"])).toEqual([
    expect.stringContaining('noSuchName'),
  ])
})

it('the decision about dependencies names each of them, and no other', () => {
  const kinds = ['dependencies', 'peerDependencies', 'devDependencies'] as const
  const manifest = JSON.parse(readText('package.json')) as Record<(typeof kinds)[number], Record<string, string>>
  const declared = new Set(kinds.flatMap((kind) => Object.keys(manifest[kind])))
  const rows = readText('docs/decisions/0001-dependencies.md').matchAll(/^\| `([^`]+)`/gm)
  expect([...rows].map(([, name = '']) => name).sort()).toEqual([...declared].sort())
})

it('[R1] docs/limits.md states the defaults of the code', () => {
  const rows = new Map(
    [...readText('docs/limits.md').matchAll(/^\| `(\w+)` \|.*\| ([^|]+) \|$/gm)].map(([, name = '', value = '']) => [
      name,
      value.trim(),
    ]),
  )
  const { maxParallelSubCalls } = toolRuntimeConfigSchema.parse({})
  for (const [name, value] of Object.entries({ ...DEFAULT_LIMITS, maxParallelSubCalls })) {
    expect({ name, value: rows.get(name) }).toEqual({ name, value: defaultText(name, value) })
  }
})

it('docs/limits.md states what values and schemas are bounded by', () => {
  const page = readText('docs/limits.md')
  const { MAX_SCHEMA_VALUES, MAX_SCHEMA_CHARS, MAX_SCHEMA_DEPTH, MAX_PATHS, MAX_RECURSIVE_DEPTH } = schemaLimits
  for (const stated of [
    `${grouped(MAX_DEPTH)} levels |`,
    `| ${grouped(MAX_VALUES)} |`,
    `| ${grouped(MAX_MESSAGE_LENGTH)} characters |`,
    `| ${grouped(MAX_SCHEMA_VALUES)}, and ${grouped(MAX_SCHEMA_CHARS)} |`,
    `| ${grouped(MAX_SCHEMA_DEPTH)} levels |`,
    `| ${grouped(MAX_PATHS)} |`,
    `| ${grouped(MAX_RECURSIVE_DEPTH)} levels |`,
    `up to ${grouped(schemaLimits.MAX_VIOLATIONS.trusted)} for \`defineTool\`, ${schemaLimits.MAX_VIOLATIONS.foreign} for`,
  ]) {
    expect(page).toContain(stated)
  }
})

describe('nothing in the repository names', () => {
  const files = listFiles('.', (path) => !/\.(png|ico|wasm)$/.test(path))

  // Put together here, so that this file does not name them itself.
  const hosts = [['registry', 'npmjs', 'org'].join('.'), ['registry', 'yarnpkg', 'com'].join('.')]
  // People who exist in examples only may have a home.
  const folders = ['home/(?!me/|user/|alice/)', 'root/', 'Users/(?!me/|user/|alice/)', 'work/', 'workspace/']
  const checkouts = new RegExp(`(?<![\\w.*:/<-])/(?:${folders.join('|')})`)

  it('a registry host', () => {
    expect(files.filter((file) => hosts.some((host) => readText(file).includes(host)))).toEqual([])
  })

  it('a folder of the machine that it was written on', () => {
    expect(['', 'root', 'some', 'file.ts'].join('/')).toMatch(checkouts)
    const ours = files.filter((file) => !/^(tests\/fixtures|benchmarks\/catalogs)\//.test(file))
    expect(ours.filter((file) => checkouts.test(readText(file)))).toEqual([])
    expect(ours.filter((file) => readText(file).includes(`${repositoryRoot}/`))).toEqual([])
  })

  it('where a locked package came from', () => {
    const lock = JSON.parse(readText('package-lock.json')) as { packages: Record<string, { resolved?: string }> }
    const resolved = Object.entries(lock.packages).filter(([, entry]) => entry.resolved !== undefined)
    expect(resolved.map(([name]) => name)).toEqual([])
  })
})

/** Anchors of a page's headings, as repository viewers make them. */
function headingsOf(page: string): string[] {
  return [...prose(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replace(/\s/g, '-'),
  )
}

/** Scripts that the contract names and that are not there yet: clause Q4 is planned as long as there are any. */
function plannedScripts(): string[] {
  return ['bench', 'bench:peers', 'test:security', 'test:catalogs', 'test:soak']
}

function defaultText(name: string, value: number): string {
  if (name.endsWith('Bytes')) return `${value / 1024 / 1024} MiB`
  return grouped(value)
}

function grouped(value: number): string {
  return value.toString().replace(/\B(?=(\d{3})+$)/g, ' ')
}
