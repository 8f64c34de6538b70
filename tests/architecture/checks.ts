// Checks of a module graph against the layers. Pure: imports.test.ts runs them over the repository, checks.test.ts over
// made-up modules that break each rule. A problem is a sentence: file and line, import, rule.
import { EXCEPTIONS, LAYERS, PACKAGES, zoneOf } from './layers.ts'
import type { ModuleImport, SourceModule } from './module-graph.ts'
import { packageOf } from './module-graph.ts'

const layers = new Map(LAYERS.map((layer) => [layer.zone, layer]))

/** Imports that go against the arrows, or leave the shipped folders. */
export function directionProblems(modules: readonly SourceModule[]): string[] {
  return problemsOf(modules, (module, entry) => {
    if (entry.target === undefined) return undefined
    const from = zoneOf(module.path)
    const layer = layers.get(from)
    if (layer === undefined) return `${from} has no entry in tests/architecture/layers.ts`
    const to = zoneOf(entry.target)
    // Two languages share a zone name, but nothing else.
    if (from === to && languageOf(module.path) === languageOf(entry.target)) return undefined
    if (from !== to && allowedBy(from, to, entry) && sameLanguageOrNone(module.path, entry.target)) return undefined
    if (excepted(module.path, to, entry)) return undefined
    return `${from} may import ${describeLayer(from)}`
  })
}

/** Packages and builtins outside the zones that they are meant for, and packages that an installed runcell would not have. */
export function packageProblems(modules: readonly SourceModule[], installed: ReadonlySet<string>): string[] {
  return problemsOf(modules, (module, entry) => {
    if (entry.target !== undefined) return undefined
    const name = packageOf(entry.specifier)
    if (name !== 'node:' && !installed.has(name)) return `${name} is no dependency of the package`
    const allowed = Object.hasOwn(PACKAGES, name) ? PACKAGES[name] : undefined
    if (allowed === undefined) return `${name} has no entry in tests/architecture/layers.ts`
    return allowed.test(zoneOf(module.path)) ? undefined : `only ${allowed.source} may import ${name}`
  })
}

/** Cycles of imports that load something; type-only imports make none. */
export function cycleProblems(modules: readonly SourceModule[]): string[] {
  const targets = new Map(
    modules.map((module) => [
      module.path,
      module.imports.flatMap((entry) => (entry.kind === 'type' || entry.target === undefined ? [] : [entry.target])),
    ]),
  )
  const problems: string[] = []
  const done = new Set<string>()
  const visit = (path: string, trail: readonly string[]): void => {
    const start = trail.indexOf(path)
    if (start >= 0) problems.push(`cycle: ${[...trail.slice(start), path].join(' → ')}`)
    if (start >= 0 || done.has(path)) return
    for (const target of targets.get(path) ?? []) visit(target, [...trail, path])
    done.add(path)
  }
  for (const path of targets.keys()) visit(path, [])
  return problems
}

/** Relative imports of files that are not there, or without their ending. */
export function missingProblems(modules: readonly SourceModule[]): string[] {
  const known = new Set(modules.map((module) => module.path))
  return problemsOf(modules, (_module, entry) =>
    entry.target === undefined || known.has(entry.target) ? undefined : 'no such source',
  )
}

function problemsOf(
  modules: readonly SourceModule[],
  check: (module: SourceModule, entry: ModuleImport) => string | undefined,
): string[] {
  return modules.flatMap((module) =>
    module.imports.flatMap((entry) => {
      const problem = check(module, entry)
      if (problem === undefined) return []
      const kind = entry.kind === 'static' ? '' : ` (${entry.kind})`
      return [`${module.path}:${entry.line} imports ${entry.specifier}${kind}: ${problem}`]
    }),
  )
}

function allowedBy(from: string, to: string, entry: ModuleImport): boolean {
  const layer = layers.get(from)
  if (reachable(from).has(to) || layer?.also?.includes(to)) return true
  return entry.kind === 'type' && layer?.typesOf !== undefined && layer.typesOf.includes(to)
}

/** What a zone reaches along the arrows; arrows chain. */
function reachable(zone: string, seen: Set<string> = new Set()): Set<string> {
  for (const below of layers.get(zone)?.below ?? []) {
    if (seen.has(below)) continue
    seen.add(below)
    reachable(below, seen)
  }
  return seen
}

function excepted(path: string, to: string, entry: ModuleImport): boolean {
  return EXCEPTIONS.some(
    (exception) => exception.from.test(path) && exception.to.test(to) && exception.kinds.includes(entry.kind),
  )
}

function languageOf(path: string): string | undefined {
  return zoneOf(path).startsWith('runtimes/<language>') ? path.split('/')[1] : undefined
}

function sameLanguageOrNone(from: string, to: string): boolean {
  const language = languageOf(to)
  return language === undefined || language === languageOf(from)
}

function describeLayer(zone: string): string {
  const layer = layers.get(zone)
  const zones = [
    ...reachable(zone),
    ...(layer?.also ?? []),
    ...(layer?.typesOf ?? []).map((name) => `types of ${name}`),
  ]
  return zones.length === 0 ? 'nothing' : `${[...new Set(zones)].sort().join(', ')} only`
}
