// What a core schema can cost, seen as a graph: subschemas and references (contract G3). Bounds what references and applicators expand to at
// one place of a value, refuses references that go round without a step into the value, and tells whether values of any depth are
// checked. What such bounds cannot see, work that multiplies along the value, is metered while the schema runs (meter.ts).
import { allSubschemas, type CoreObject, type CoreSchema, isObjectSchema, nameIn, subschemasOfCore } from './core.ts'
import type { RefuseSchema } from './forms.ts'
import { MAX_BRANCHES, MAX_PATH_LENGTH, MAX_PATHS } from './limits.ts'
import { IN_PLACE } from './vocabulary.ts'

interface Definitions {
  readonly [name: string]: CoreSchema
}

/** What is known of a schema before it runs. */
export interface SchemaShape {
  /** True when a reference leads back to itself further down in the value. */
  readonly isRecursive: boolean
  /** True when it holds `unevaluatedProperties` or `unevaluatedItems`, which cost every `anyOf` its short cut. */
  readonly hasUnevaluated: boolean
}

/** Bounds a core document. */
export function measureShape(root: CoreSchema, refuse: RefuseSchema): SchemaShape {
  if (!isObjectSchema(root)) return { isRecursive: false, hasUnevaluated: false }
  const definitions = (root['$defs'] ?? {}) as Definitions
  const nodes = allSubschemas(root)
  for (const node of nodes) assertNarrow(node, refuse)
  new PathCounter(definitions, refuse).check(nodes)
  return {
    isRecursive: isRecursive(root, definitions),
    hasUnevaluated: nodes.some(
      (node) => node['unevaluatedProperties'] !== undefined || node['unevaluatedItems'] !== undefined,
    ),
  }
}

const BRANCHING = ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'patternProperties', 'dependentSchemas']

function assertNarrow(node: CoreObject, refuse: RefuseSchema): void {
  for (const keyword of BRANCHING) {
    const count = Object.keys((node[keyword] ?? {}) as object).length
    if (count > MAX_BRANCHES) refuse('#', `has ${count} members in one ${keyword}; ${MAX_BRANCHES} are the limit`)
  }
}

interface Paths {
  /** Subschemas tried at one place, the schema itself included. */
  readonly count: number
  /** The longest way through them. */
  readonly length: number
}

/** Counts the subschemas that one place of a value is tried against. */
class PathCounter {
  readonly #definitions: Definitions
  readonly #refuse: RefuseSchema
  readonly #known = new Map<CoreObject, Paths>()
  readonly #open = new Set<CoreObject>()

  constructor(definitions: Definitions, refuse: RefuseSchema) {
    this.#definitions = definitions
    this.#refuse = refuse
  }

  check(nodes: readonly CoreObject[]): void {
    for (const node of nodes) this.#count(node)
  }

  /** Recurses along one path, whose length is bounded as it goes. */
  #count(node: CoreObject): Paths {
    const known = this.#known.get(node)
    if (known !== undefined) return known
    if (this.#open.has(node))
      this.#refuse('#', 'holds references that lead in a circle, with nothing to check on the way')
    if (this.#open.size >= MAX_PATH_LENGTH) this.#refuseLength()
    this.#open.add(node)
    let count = 1
    let length = 0
    for (const next of this.#inPlace(node)) {
      const paths = this.#count(next)
      count += paths.count
      length = Math.max(length, paths.length)
      if (count > MAX_PATHS) {
        this.#refuse(
          '#',
          `expands to more than ${MAX_PATHS} subschemas for one place of a value: it cannot be checked safely`,
        )
      }
    }
    if (++length > MAX_PATH_LENGTH) this.#refuseLength()
    this.#open.delete(node)
    const paths = { count, length }
    this.#known.set(node, paths)
    return paths
  }

  *#inPlace(node: CoreObject): Generator<CoreObject> {
    for (const [keyword, schema] of subschemasOfCore(node)) if (IN_PLACE.has(keyword)) yield schema
    const target = targetOf(node, this.#definitions)
    if (target !== undefined) yield target
  }

  #refuseLength(): never {
    return this.#refuse(
      '#',
      `chains more than ${MAX_PATH_LENGTH} references and applicators without a step into the value`,
    )
  }
}

/** True when some definition is reached again from itself. Kahn's order: what is left over stands in a circle. */
function isRecursive(root: CoreObject, definitions: Definitions): boolean {
  const references = new Map<CoreObject, CoreObject[]>()
  const { $defs: _, ...rootAlone } = root
  for (const unit of [root, ...Object.values(definitions).filter(isObjectSchema)]) {
    const nodes = allSubschemas(unit === root ? rootAlone : unit)
    references.set(unit, nodes.map((node) => targetOf(node, definitions)).filter(isObjectSchema))
  }
  const incoming = new Map<CoreObject, number>()
  for (const target of [...references.values()].flat()) incoming.set(target, (incoming.get(target) ?? 0) + 1)
  const free = [...references.keys()].filter((unit) => !incoming.has(unit))
  let settled = 0
  for (let unit = free.pop(); unit !== undefined; unit = free.pop()) {
    settled++
    for (const target of references.get(unit) ?? []) {
      const left = (incoming.get(target) ?? 0) - 1
      incoming.set(target, left)
      if (left === 0) free.push(target)
    }
  }
  return settled < references.size
}

function targetOf(node: CoreObject, definitions: Definitions): CoreObject | undefined {
  const reference = node['$ref']
  if (typeof reference !== 'string') return undefined
  const target = definitions[nameIn(reference)]
  return isObjectSchema(target) ? target : undefined
}
