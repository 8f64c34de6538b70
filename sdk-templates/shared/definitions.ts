// Definitions of a whole catalog: equal ones become one, and those that are nothing but each other are cut.
import { unionOf } from './combine.ts'
import { ANY, childSlots, type Definition, type Slot, type TypeNode } from './type-tree.ts'

/** Rounds of telling definitions apart before equal ones are left as they are. Real catalogs settle within five. */
const MAX_ROUNDS = 60
/** Definitions that are nothing but a reference to the next one, in a row, before the rest is `any`. */
const MAX_ALIASES = 200

/** Which definition stands for each: the first of those that have the same name, the same body, and refer to the same. */
export type Representatives = ReadonlyMap<Definition, Definition>

/** Every definition that can be reached from these places, in the order in which they are met. */
export function reachableDefinitions(roots: readonly Slot[]): Definition[] {
  const found = new Set<Definition>()
  const collect = ({ type }: Slot): void => {
    if (type.kind === 'ref') found.add(type.target)
    else for (const child of childSlots(type)) collect(child)
  }
  for (const root of roots) collect(root)
  // A set iterates over what is added while it is iterated.
  for (const definition of found) collect(definition.body)
  return [...found]
}

/**
 * Equal definitions by partition refinement: first by name and body with the references blanked out, then by what the
 * references lead to, until nothing falls apart any more. Recursive definitions of two tools meet this way, which
 * comparing texts could not do.
 */
export function representatives(definitions: readonly Definition[]): Representatives {
  const targets = new Map<Definition, readonly Definition[]>()
  let classes = classify(definitions, (definition) => {
    const refersTo: Definition[] = []
    const text = JSON.stringify([definition.hint, definition.body], (_key, value: unknown) => {
      if (!isRef(value)) return value
      refersTo.push(value.target)
      return '$ref'
    })
    targets.set(definition, refersTo)
    return text
  })
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const before = classes
    classes = classify(definitions, (definition) =>
      [definition, ...targets.get(definition)!].map((target) => before.of.get(target)).join(),
    )
    if (classes.count === before.count) return firstOfEach(definitions, classes.of)
  }
  return new Map(definitions.map((definition) => [definition, definition]))
}

/**
 * Takes references out of definitions that would define them by themselves (`A = A | string`, `A = B` with `B = A`),
 * which no language declares. A union loses a member that adds nothing; a longer circle is cut by `any`.
 */
export function cutAliasCycles(definitions: readonly Definition[], standsFor: Representatives): void {
  const state = new Map<Definition, 'open' | 'done'>()
  const visit = (definition: Definition, depth: number): void => {
    state.set(definition, 'open')
    definition.body = { type: cut(definition.body.type, definition, depth), doc: definition.body.doc }
    state.set(definition, 'done')
  }
  const cut = (type: TypeNode, owner: Definition, depth: number): TypeNode => {
    if (type.kind === 'ref') {
      const target = standsFor.get(type.target) ?? type.target
      if (state.get(target) === 'done') return type
      if (state.get(target) === 'open' || depth >= MAX_ALIASES) return ANY
      visit(target, depth + 1)
      return type
    }
    const isSelf = (member: TypeNode): boolean =>
      member.kind === 'ref' && (standsFor.get(member.target) ?? member.target) === owner
    if (type.kind === 'union') {
      const others = type.members.filter((member) => !isSelf(member.type))
      return unionOf(others.map((member) => ({ ...member, type: cut(member.type, owner, depth) }))).type
    }
    if (type.kind === 'intersection') {
      const others = type.members.filter((member) => !isSelf(member)).map((member) => cut(member, owner, depth))
      return others.length > 1 ? { kind: 'intersection', members: others } : (others[0] ?? ANY)
    }
    return type
  }
  for (const definition of definitions) if (!state.has(definition)) visit(definition, 0)
}

function isRef(value: unknown): value is TypeNode & { kind: 'ref' } {
  return typeof value === 'object' && value !== null && (value as { kind?: unknown }).kind === 'ref'
}

interface Classes {
  readonly of: ReadonlyMap<Definition, number>
  readonly count: number
}

function classify(definitions: readonly Definition[], keyOf: (definition: Definition) => string): Classes {
  const numbers = new Map<string, number>()
  const of = new Map<Definition, number>()
  for (const definition of definitions) {
    const key = keyOf(definition)
    const number = numbers.get(key) ?? numbers.size
    numbers.set(key, number)
    of.set(definition, number)
  }
  return { of, count: numbers.size }
}

function firstOfEach(definitions: readonly Definition[], classOf: ReadonlyMap<Definition, number>): Representatives {
  const first = new Map<number, Definition>()
  return new Map(
    definitions.map((definition) => {
      const number = classOf.get(definition)!
      const known = first.get(number) ?? definition
      first.set(number, known)
      return [definition, known]
    }),
  )
}
