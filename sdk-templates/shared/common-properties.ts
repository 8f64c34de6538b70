// Arguments that many tools of a catalog repeat word for word (`owner` and `repo`, five options for retries) become one
// named type that their tools extend. In some published catalogs they are half of the text.
import { TypeTable } from './type-table.ts'
import type { Definition, ObjectNode, Property, Slot, TypeNode } from './type-tree.ts'

/** Tools that share a group at least, and properties that it has at least. */
const LEAST_TOOLS = 4
const LEAST_PROPERTIES = 2
/** Characters that a group has to save: each sends the reader to another place. */
const WORTH_A_GROUP = 800
/** Characters that naming a group costs at each use. */
const NAME_COST = 24
const MAX_GROUPS = 20
/** Groups that one tool extends at most. */
const MAX_GROUPS_EACH = 2

/** Arguments of one tool while groups are taken out of them. */
interface Remainder {
  readonly index: number
  readonly properties: Map<string, Property>
  readonly groups: Definition[]
}

/** The same places, with what they have in common taken out. Deterministic for the same places in the same order. */
export function shareProperties(places: readonly Slot[], definitionKey: (definition: Definition) => number): Slot[] {
  const table = new TypeTable(definitionKey)
  const keyOf = ({ name, required, type, doc }: Property): string =>
    JSON.stringify([name, required, table.numberOf(type), doc.description, doc.title, doc.notes])
  const remainders = places.flatMap(({ type }, index): Remainder[] => {
    if (type.kind !== 'object' || type.rest !== undefined || type.bare === true) return []
    return [{ index, properties: new Map(type.properties.map((property) => [keyOf(property), property])), groups: [] }]
  })
  for (let count = 0; count < MAX_GROUPS; count += 1) {
    const group = bestGroup(remainders.filter(({ groups }) => groups.length < MAX_GROUPS_EACH))
    if (group === undefined) break
    extract(group)
  }
  const shared = [...places]
  for (const { index, properties, groups } of remainders) {
    if (groups.length > 0) shared[index] = { type: extend(groups, [...properties.values()]), doc: places[index]!.doc }
  }
  return shared
}

interface Group {
  readonly keys: readonly string[]
  readonly members: readonly Remainder[]
  readonly saving: number
}

/** Of the groups that always occur together, the one that saves most. */
function bestGroup(remainders: readonly Remainder[]): Group | undefined {
  const holders = new Map<string, Remainder[]>()
  for (const remainder of remainders) {
    for (const key of remainder.properties.keys()) {
      const known = holders.get(key)
      if (known === undefined) holders.set(key, [remainder])
      else known.push(remainder)
    }
  }
  // Properties that the same tools have lead to the same group: each set of tools is looked at once.
  const sets = new Map([...holders.values()].map((members) => [members.map(({ index }) => index).join(), members]))
  let best: Group | undefined
  for (const members of sets.values()) {
    if (members.length < LEAST_TOOLS) continue
    const first = members[0]!.properties
    const keys = [...first.keys()].filter((key) => members.every(({ properties }) => properties.has(key)))
    if (keys.length < LEAST_PROPERTIES) continue
    const size = keys.reduce((sum, key) => sum + sizeOf(first.get(key)!), 0)
    const saving = (members.length - 1) * size - members.length * NAME_COST
    if (saving >= WORTH_A_GROUP && saving > (best?.saving ?? 0)) best = { keys, members, saving }
  }
  return best
}

/** About how many characters a property takes. */
function sizeOf({ name, doc }: Property): number {
  return name.length + (doc.description?.length ?? 0) + doc.notes.join(', ').length + 16
}

function extract({ keys, members }: Group): void {
  const properties = keys.map((key) => members[0]!.properties.get(key)!)
  const names = properties.map(({ name }) => name)
  const definition: Definition = {
    hint: `${names.slice(0, 2).join(' ')} args`,
    general: true,
    body: { type: { kind: 'object', properties }, doc: { notes: [] } },
  }
  for (const member of members) {
    for (const key of keys) member.properties.delete(key)
    member.groups.push(definition)
  }
}

function extend(groups: readonly Definition[], properties: readonly Property[]): TypeNode {
  const own: ObjectNode[] = properties.length === 0 ? [] : [{ kind: 'object', properties }]
  const members: TypeNode[] = [...groups.map((target): TypeNode => ({ kind: 'ref', target })), ...own]
  return members.length === 1 ? members[0]! : { kind: 'intersection', members }
}
