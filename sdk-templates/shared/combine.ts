// Unions and intersections of types, simplified as far as that is certain. Where it is not, the result is wider than the
// truth: a type that is too wide costs an error at run time, one that is too narrow makes a valid call impossible.
import {
  ANY,
  type Doc,
  isDocumented,
  type LiteralNode,
  NEVER,
  type ObjectNode,
  type Property,
  type Slot,
  scalar,
  slot,
  type TypeNode,
  UNKNOWN,
} from './type-tree.ts'

/** Pairs of union members that are multiplied out when two unions meet; beyond, the printer gets the intersection as it is. */
const MAX_PAIRS = 100

/** All that is said by either, once. */
export function mergeDocs(first: Doc, second: Doc): Doc {
  if (!isDocumented(second)) return first
  if (!isDocumented(first)) return second
  const description = joinTexts(first.description, second.description)
  const title = first.title ?? second.title
  return {
    notes: [...new Set([...first.notes, ...second.notes])],
    ...(description === undefined ? {} : { description }),
    ...(title === undefined ? {} : { title }),
  }
}

function joinTexts(first: string | undefined, second: string | undefined): string | undefined {
  if (first === undefined || second === undefined) return first ?? second
  return first.includes(second) ? first : second.includes(first) ? second : `${first}\n${second}`
}

/** The union of some places. Says `never` for none, and gives the one that is left with its prose. */
export function unionOf(members: readonly Slot[]): Slot {
  const kept: Slot[] = []
  const seen = new Set<unknown>()
  for (const member of flatten(members)) {
    if (member.type.kind === 'never') continue
    if (member.type.kind === 'any') return slot(ANY, member.doc)
    const key = identity(member.type)
    if (key !== undefined && seen.has(key) && !isDocumented(member.doc)) continue
    seen.add(key)
    kept.push(member)
  }
  const folded = foldBooleans(kept, seen).filter(
    (member) => !(identity(member.type) === 'integer' && seen.has('number') && !isDocumented(member.doc)),
  )
  if (folded.length === 0) return slot(NEVER)
  return folded.length === 1 ? folded[0]! : slot({ kind: 'union', members: folded })
}

/** The type of what fits both. */
export function intersect(first: TypeNode, second: TypeNode): TypeNode {
  if (first === second || second.kind === 'unknown') return first
  if (first.kind === 'unknown' || first.kind === 'any') return second
  if (second.kind === 'any') return first
  if (first.kind === 'never' || second.kind === 'never') return NEVER
  if (first.kind === 'union') return intersectUnion(first.members, second, false)
  if (second.kind === 'union') return intersectUnion(second.members, first, true)
  if (first.kind === 'elided') return intersect(first.base, second).kind === 'never' ? NEVER : first
  if (second.kind === 'elided') return intersect(first, second.base).kind === 'never' ? NEVER : second
  if (isOpaque(first) || isOpaque(second)) return intersectOpaque(first, second)
  if (first.kind === 'literal') return fits(first, second) ? first : NEVER
  if (second.kind === 'literal') return fits(second, first) ? second : NEVER
  if (first.kind === 'scalar' && second.kind === 'scalar') return intersectScalars(first, second)
  if (first.kind === 'object' && second.kind === 'object') return mergeObjects([first, second])
  if (first.kind === 'tuple' && (second.kind === 'array' || second.kind === 'tuple')) return first
  if (second.kind === 'tuple' && first.kind === 'array') return second
  if (first.kind === 'array' && second.kind === 'array') {
    return { kind: 'array', item: intersectSlots(first.item, second.item) }
  }
  return NEVER
}

/** The type of what fits all of them. Objects are merged in one go: a hostile `allOf` has thousands. */
export function intersectAll(types: readonly TypeNode[]): TypeNode {
  const objects = types.filter(isObjectNode)
  const first = types.findIndex(isObjectNode)
  const parts: TypeNode[] = types.filter((type, index) => !isObjectNode(type) || index === first)
  return parts.map((type) => (isObjectNode(type) ? mergeObjects(objects) : type)).reduce(intersect, UNKNOWN)
}

/** Both types, and what is said at both places. */
export function intersectSlots(first: Slot, second: Slot): Slot {
  return { type: intersect(first.type, second.type), doc: mergeDocs(first.doc, second.doc) }
}

function flatten(members: readonly Slot[]): Slot[] {
  return members.flatMap((member) =>
    member.type.kind === 'union' && !isDocumented(member.doc) ? [...member.type.members] : [member],
  )
}

/** Equal for equal simple types; undefined for what is not compared. */
function identity(type: TypeNode): unknown {
  switch (type.kind) {
    case 'scalar':
      return type.name
    case 'literal':
      return typeof type.value === 'string' ? `"${type.value}` : type.value === null ? 'null' : type.value
    case 'ref':
      return type.target
    default:
      return undefined
  }
}

/** `true | false` is boolean, and either beside boolean says nothing. */
function foldBooleans(members: readonly Slot[], seen: ReadonlySet<unknown>): readonly Slot[] {
  const isFoldable = ({ type, doc }: Slot): boolean =>
    type.kind === 'literal' && typeof type.value === 'boolean' && !isDocumented(doc)
  const covered = seen.has('boolean')
  if (!covered && members.filter(isFoldable).length < 2) return members
  const first = covered ? -1 : members.findIndex(isFoldable)
  return members.flatMap((member, index) => {
    if (!isFoldable(member)) return [member]
    return index === first ? [slot(scalar('boolean'))] : []
  })
}

function intersectUnion(members: readonly Slot[], other: TypeNode, otherFirst: boolean): TypeNode {
  // An object beside a union of objects stays beside it: multiplying it out would print its properties once a member.
  const keepsApart = other.kind === 'object' && !saysNothing(other)
  if (keepsApart || (other.kind === 'union' && members.length * other.members.length > MAX_PAIRS)) {
    const able = members.filter((member) => intersect(other, member.type).kind !== 'never')
    const union = unionOf(able).type
    if (union.kind !== 'union') return intersect(other, union)
    return otherFirst ? intersectOpaque(other, union) : intersectOpaque(union, other)
  }
  return unionOf(members.map((member) => ({ type: intersect(member.type, other), doc: member.doc }))).type
}

function isOpaque(type: TypeNode): boolean {
  return type.kind === 'ref' || type.kind === 'intersection' || type.kind === 'union'
}

/** An intersection that the language has to work out. A bare scalar or container beside a reference only repeats it. */
function intersectOpaque(first: TypeNode, second: TypeNode): TypeNode {
  if (!isOpaque(first) && repeats(first)) return second
  if (!isOpaque(second) && repeats(second)) return first
  const members: TypeNode[] = []
  for (const part of [first, second].flatMap((type) => (type.kind === 'intersection' ? type.members : [type]))) {
    const key = identity(part)
    const place = members.findIndex((member) =>
      part.kind === 'object' ? member.kind === 'object' : key !== undefined && identity(member) === key,
    )
    if (place < 0) members.push(part)
    else if (part.kind === 'object') members[place] = intersect(members[place]!, part)
  }
  if (members.length === 1) return members[0]!
  // Required names alone say nothing of other keys, once the other parts tell which there are.
  const parts = members.map((member) =>
    member.kind === 'object' && member.bare === true ? { kind: member.kind, properties: member.properties } : member,
  )
  return { kind: 'intersection', members: parts }
}

function repeats(type: TypeNode): boolean {
  return type.kind === 'scalar' || type.kind === 'array' || (type.kind === 'object' && saysNothing(type))
}

function saysNothing(type: ObjectNode): boolean {
  return type.bare === true && type.properties.length === 0
}

function isObjectNode(type: TypeNode): type is ObjectNode {
  return type.kind === 'object'
}

function fits(literal: LiteralNode, type: TypeNode): boolean {
  if (type.kind === 'literal') return literal.value === type.value
  if (type.kind !== 'scalar') return false
  if (literal.value === null) return type.name === 'null'
  if (typeof literal.value === 'number') {
    return type.name === 'number' || (type.name === 'integer' && Number.isInteger(literal.value))
  }
  return typeof literal.value === type.name
}

function intersectScalars(first: TypeNode & { kind: 'scalar' }, second: TypeNode & { kind: 'scalar' }): TypeNode {
  if (first.name === second.name) return first
  if (first.name === 'integer' && second.name === 'number') return first
  if (second.name === 'integer' && first.name === 'number') return second
  return NEVER
}

/** One object with the properties of all. It is open where one says that it is: closed is the guess, open is written. */
function mergeObjects(objects: readonly ObjectNode[]): ObjectNode {
  const properties = new Map<string, Property>()
  let rest: Slot | undefined
  for (const object of objects) {
    for (const property of object.properties) {
      const known = properties.get(property.name)
      const required = property.required || known?.required === true
      const merged = known === undefined ? property : intersectSlots(known, property)
      properties.set(property.name, { name: property.name, required, type: merged.type, doc: merged.doc })
    }
    if (object.rest !== undefined && object.bare !== true)
      rest = rest === undefined ? object.rest : intersectSlots(rest, object.rest)
  }
  const bare = objects.every((object) => object.bare === true)
  return {
    kind: 'object',
    properties: [...properties.values()],
    ...(rest === undefined ? {} : { rest }),
    ...(bare ? { bare } : {}),
  }
}
