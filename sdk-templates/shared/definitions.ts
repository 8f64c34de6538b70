// Definitions of a whole catalog: equal ones become one, and those that are nothing but each other are cut.
import { unionOf } from './combine.ts'
import { ANY, childSlots, type Definition, type RefNode, type Slot, type TypeNode } from './type-tree.ts'

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
  new CycleCutter(standsFor).run(definitions)
}

class CycleCutter {
  readonly #standsFor: Representatives
  readonly #state = new Map<Definition, 'open' | 'done'>()

  constructor(standsFor: Representatives) {
    this.#standsFor = standsFor
  }

  run(definitions: readonly Definition[]): void {
    for (const definition of definitions) if (!this.#state.has(definition)) this.#visit(definition, 0)
  }

  #visit(definition: Definition, depth: number): void {
    this.#state.set(definition, 'open')
    definition.body = { type: this.#cut(definition.body.type, definition, depth), doc: definition.body.doc }
    this.#state.set(definition, 'done')
  }

  /** The type without what it needs to know before it is itself known: everything down to the next object or array. */
  #cut(type: TypeNode, owner: Definition, depth: number): TypeNode {
    switch (type.kind) {
      case 'ref':
        return this.#cutRef(type, depth)
      case 'union': {
        const others = type.members.filter((member) => !this.#isSelf(member.type, owner))
        return unionOf(others.map((member) => ({ ...member, type: this.#cut(member.type, owner, depth) }))).type
      }
      case 'intersection': {
        const others = type.members.filter((member) => !this.#isSelf(member, owner))
        const members = others.map((member) => this.#cut(member, owner, depth))
        return members.length > 1 ? { kind: 'intersection', members } : (members[0] ?? ANY)
      }
      case 'tuple': {
        // TypeScript looks at once into items that may be absent: it adds `undefined` to them.
        const items = type.items.map((item, index) =>
          index < type.required ? item : { ...item, type: this.#cutInside(item.type, depth) },
        )
        return { ...type, items }
      }
      default:
        return type
    }
  }

  /** The same inside a tuple, where a reference to the owner is no idle one. */
  #cutInside(type: TypeNode, depth: number): TypeNode {
    const cutSlot = (place: Slot): Slot => ({ ...place, type: this.#cutInside(place.type, depth) })
    switch (type.kind) {
      case 'ref':
        return this.#cutRef(type, depth)
      case 'array':
        return { kind: 'array', item: cutSlot(type.item) }
      case 'tuple':
        return {
          ...type,
          items: type.items.map(cutSlot),
          ...(type.rest === undefined ? {} : { rest: cutSlot(type.rest) }),
        }
      case 'union':
        return unionOf(type.members.map(cutSlot)).type
      case 'intersection':
        return { kind: 'intersection', members: type.members.map((member) => this.#cutInside(member, depth)) }
      default:
        return type
    }
  }

  #cutRef(type: RefNode, depth: number): TypeNode {
    const target = this.#representative(type.target)
    const state = this.#state.get(target)
    if (state === 'open' || (state === undefined && depth >= MAX_ALIASES)) return ANY
    if (state === undefined) this.#visit(target, depth + 1)
    return type
  }

  #isSelf(type: TypeNode, owner: Definition): boolean {
    return type.kind === 'ref' && this.#representative(type.target) === owner
  }

  #representative(definition: Definition): Definition {
    return this.#standsFor.get(definition) ?? definition
  }
}

function isRef(value: unknown): value is RefNode {
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
