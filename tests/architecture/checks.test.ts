// The checks must be able to fail: one made-up module for each rule that it breaks, and its lawful neighbour.
import { describe, expect, it } from 'vitest'
import { cycleProblems, directionProblems, missingProblems, packageProblems } from './checks.ts'
import { loadedFrom, parseModule } from './module-graph.ts'

const module = (path: string, ...lines: string[]) => parseModule(path, lines.join('\n'))

describe('reading imports', () => {
  it('sees static, re-exported, dynamic and type-only imports, with their lines', () => {
    const read = module(
      'src/a/one.ts',
      "import x, { y } from '../b/two.ts'",
      "import type { Z } from './three.ts'",
      "export { q } from 'ajv'",
      "export type { R } from './three.ts'",
      "const late = () => import('node:fs')",
      "let t: import('./four.ts').T",
      "require('isolated-vm')",
      "import { type Kept } from './five.ts'",
      "// import './comment.ts'",
      'const text = "import \'./string.ts\'"',
      "new URL('./worker.ts', import.meta.url)",
    )
    expect(read.imports.map(({ kind, specifier, target, line }) => [line, kind, target ?? specifier])).toEqual([
      [1, 'static', 'src/b/two.ts'],
      [2, 'type', 'src/a/three.ts'],
      [3, 'static', 'ajv'],
      [4, 'type', 'src/a/three.ts'],
      [5, 'dynamic', 'node:fs'],
      [6, 'type', 'src/a/four.ts'],
      [7, 'static', 'isolated-vm'],
      [8, 'static', 'src/a/five.ts'],
    ])
  })

  it('follows what a module loads at once, and not what it loads later', () => {
    const modules = [
      module('src/index.ts', "import './a/one.ts'"),
      module('src/a/one.ts', "import '../b/two.ts'", "import type { T } from 'typescript'", "import('isolated-vm')"),
      module('src/b/two.ts', "import '@scope/name/deep.js'"),
    ]
    const now = loadedFrom('src/index.ts', modules)
    expect([...now.sources].sort()).toEqual(['src/a/one.ts', 'src/b/two.ts', 'src/index.ts'])
    expect([...now.packages.keys()]).toEqual(['@scope/name'])
    expect([...loadedFrom('src/index.ts', modules, ['static', 'dynamic']).packages.keys()]).toContain('isolated-vm')
  })
})

describe('directions', () => {
  it.each([
    ['src/json/snapshot.ts', "import '../errors/codes.ts'"],
    ['src/errors/codes.ts', "import type { J } from '../json/json-value.ts'"],
    ['src/pipeline/body.ts', "import '../json/snapshot.ts'"],
    ['src/tool-runtime/service.ts', "import '../../sdk-templates/index.ts'"],
    ['src/presets/runtimes.ts', "import('../../runtimes/typescript/index.ts')"],
    ['runtimes/typescript/runtime.ts', "import '../host/pool.ts'"],
    ['runtimes/typescript/typecheck/checker.ts', "import '../compile.ts'"],
    ['runtimes/host/session.ts', "import '../wire/messages.ts'"],
    ['runtimes/host/in-process.ts', "import('../child/isolate.ts')"],
    ['runtimes/lua/child/engine.ts', "import '../../child/engine.ts'"],
    ['runtimes/lua/guest/main.ts', "import '../../guest/bridge.ts'"],
    ['sdk-templates/typescript/renderer.ts', "import type { S } from '../../src/tools/sdk-renderer.ts'"],
  ])('%s may have %s', (path, line) => {
    expect(directionProblems([module(path, line)])).toEqual([])
  })

  it.each([
    ['src/errors/codes.ts', "import '../json/snapshot.ts'", 'src/errors may import types of src/json only'],
    ['src/json/snapshot.ts', "import type { T } from '../tools/content.ts'", 'src/json may import'],
    ['src/registry/layers.ts', "import '../pipeline/execute.ts'", 'src/registry may import'],
    ['src/codemode/bridge.ts', "import type { X } from '../pipeline/execute.ts'", 'src/codemode may import'],
    ['src/tool-runtime/config.ts', "import '../../sdk-templates/index.ts'", 'src/tool-runtime may import'],
    ['src/presets/runtimes.ts', "import '../../runtimes/typescript/index.ts'", 'src/presets may import'],
    ['src/mcp/tool.ts', "import '../tools/content.ts'", 'src/mcp may import'],
    ['src/runtime/service.ts', "import '../../runtimes/host/pool.ts'", 'src/runtime may import'],
    ['runtimes/wire/check.ts', "import '../../src/json/snapshot.ts'", 'runtimes/wire may import nothing'],
    ['runtimes/host/session.ts', "import '../../src/tools/result.ts'", 'runtimes/host may import'],
    ['runtimes/host/pool.ts', "import('../child/isolate.ts')", 'runtimes/host may import'],
    ['runtimes/host/in-process.ts', "import '../child/isolate.ts'", 'runtimes/host may import'],
    ['runtimes/child/main.ts', "import type { J } from '../../src/json/json-value.ts'", 'runtimes/child may import'],
    ['runtimes/guest/bridge.ts', "import '../wire/caps.ts'", 'runtimes/guest may import nothing'],
    ['runtimes/lua/guest/main.ts', "import '../child/engine.ts'", 'runtimes/<language>/guest may import'],
    ['runtimes/lua/runtime.ts', "import '../typescript/compile.ts'", 'runtimes/<language> may import'],
    ['runtimes/lua/child/engine.ts', "import '../../typescript/child/engine.ts'", 'runtimes/<language>/child may'],
    ['src/json/snapshot.ts', "import '../../tests/support/repository.ts'", 'src/json may import'],
    ['src/new-folder/a.ts', "import '../json/path.ts'", 'no entry'],
  ])('%s may not have %s', (path, line, part) => {
    const problems = directionProblems([module(path, line)])
    expect(problems).toEqual([expect.stringContaining(part)])
    expect(problems[0]).toContain(`${path}:1 imports`)
  })
})

describe('packages', () => {
  const installed = new Set(['isolated-vm', 'typescript', 'ajv', 'left-pad'])

  it.each([
    ['runtimes/child/isolate.ts', "import ivm from 'isolated-vm'"],
    ['runtimes/typescript/child/engine.ts', "import ivm from 'isolated-vm'"],
    ['src/schema/engines.ts', "import { Ajv } from 'ajv/dist/2020.js'"],
    ['runtimes/typescript/compile-worker.ts', "import ts from 'typescript'"],
  ])('%s may have %s', (path, line) => {
    expect(packageProblems([module(path, line)], installed)).toEqual([])
  })

  it.each([
    ['runtimes/host/pool.ts', "import type ivm from 'isolated-vm'", 'may import isolated-vm'],
    ['src/codemode/bridge.ts', "import ts from 'typescript'", 'may import typescript'],
    ['runtimes/guest/bridge.ts', "import 'node:fs'", 'may import node:'],
    ['runtimes/guest/bridge.ts', "import('ajv')", 'may import ajv'],
    ['runtimes/wire/frames.ts', "import 'node:fs'", 'may import node:'],
    ['src/json/snapshot.ts', "import 'node:util'", 'may import node:'],
    ['src/json/snapshot.ts', "import 'vitest'", 'no dependency'],
    ['src/json/snapshot.ts', "import 'left-pad'", 'no entry'],
    ['src/json/snapshot.ts', "import 'constructor'", 'no dependency'],
  ])('%s may not have %s', (path, line, part) => {
    expect(packageProblems([module(path, line)], installed)).toEqual([expect.stringContaining(part)])
  })
})

describe('cycles', () => {
  it('are found once each, through dynamic imports too', () => {
    const modules = [
      module('src/a/1.ts', "import '../b/2.ts'"),
      module('src/b/2.ts', "import('../c/3.ts')"),
      module('src/c/3.ts', "import '../a/1.ts'"),
    ]
    expect(cycleProblems(modules)).toEqual(['cycle: src/a/1.ts → src/b/2.ts → src/c/3.ts → src/a/1.ts'])
  })

  it('are none where an import is type-only', () => {
    const modules = [module('src/a/1.ts', "import './2.ts'"), module('src/a/2.ts', "import type { A } from './1.ts'")]
    expect(cycleProblems(modules)).toEqual([])
  })

  it('are none in a diamond', () => {
    const modules = [
      module('src/a/1.ts', "import './2.ts'", "import './3.ts'"),
      module('src/a/2.ts', "import './4.ts'"),
      module('src/a/3.ts', "import './4.ts'"),
      module('src/a/4.ts', 'export {}'),
    ]
    expect(cycleProblems(modules)).toEqual([])
  })
})

it('a relative import without a source behind it is named', () => {
  expect(missingProblems([module('src/a/1.ts', "import './2'")])).toEqual([expect.stringContaining('no such source')])
})
