// One total walk over any JSON Schema to the tree of types (type-tree.ts). Called once a schema document by catalog.ts.
// Keywords are read as 2020-12 with what older drafts and OpenAPI left behind; a wrong kind counts as absent. What it
// cannot express becomes `any`, or a note. Where a guess is needed it is what the author plainly meant, or wider.
// It leaves to others: what references point at (references.ts), notes (notes.ts), names and sharing (catalog.ts).
import type { JsonSchema } from '../../src/tools/definition.ts'
import { intersect, intersectAll, mergeDocs, unionOf } from './combine.ts'
import { arrayType, hasConditionalProperties, keyNotes, objectType } from './containers.ts'
import { jsonText } from './json-text.ts'
import { literalType } from './literals.ts'
import { docOf, requirementNote } from './notes.ts'
import { References, referenceOf, type Target } from './references.ts'
import { isObject, read, readList, readText, type SchemaObject } from './schema-reading.ts'
import {
  ANY,
  type Definition,
  type Doc,
  NEVER,
  type ScalarName,
  type Slot,
  scalar,
  slot,
  type TypeNode,
  UNKNOWN,
} from './type-tree.ts'

/** Levels of schemas inside each other that are walked; what is deeper is `any`. Keeps every later recursion shallow. */
export const MAX_SCHEMA_DEPTH = 256

const MAX_TYPE_TEXT = 60
const TYPE_NAMES = new Set(['string', 'number', 'integer', 'boolean', 'null', 'array', 'object'])

/** Keywords that tell the type where `type` is missing. */
const TELLING_KEYWORDS: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  ['object', ['properties', 'required', 'additionalProperties', 'patternProperties', 'propertyNames', 'minProperties']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains']],
  ['string', ['pattern', 'minLength', 'maxLength', 'format', 'contentEncoding', 'contentMediaType']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
]

/** The types of one schema document and of the definitions that it refers to. */
export class SchemaWalk {
  /** The type of the document. */
  readonly root: Slot
  readonly #references: References
  readonly #rootHint: string
  /** Drafts up to 7 ignore what stands beside a `$ref`. */
  readonly #ignoresSiblings: boolean
  readonly #definitions = new Map<SchemaObject, Definition>()
  readonly #unwalked: [SchemaObject, Definition][] = []

  /** `rootHint` names the document where it refers to itself. */
  constructor(schema: JsonSchema, rootHint: string) {
    this.#references = new References(schema)
    this.#rootHint = rootHint
    this.#ignoresSiblings = isObject(schema) && /draft-0[3-7]/.test(readText(schema, '$schema') ?? '')
    this.root = this.#slot(schema, 0)
    // Definitions are walked one after the other, never inside each other: recursion ends, and depth is that of one.
    for (let next = this.#unwalked.pop(); next !== undefined; next = this.#unwalked.pop()) {
      next[1].body = this.#body(next[0], 0)
    }
  }

  /** The type of a schema that stands alone, as a property or an item does. */
  #slot(schema: unknown, depth: number): Slot {
    const { type, doc } = this.#part(schema, depth)
    return { type: settle(type), doc }
  }

  /** The type of a schema that may be one part of an intersection. */
  #part(schema: unknown, depth: number): Slot {
    if (schema === false) return slot(NEVER)
    if (!isObject(schema)) return slot(ANY)
    const target = this.#references.asTarget(schema)
    return target === undefined ? this.#body(schema, depth) : this.#targetSlot(target, depth)
  }

  #body(schema: SchemaObject, depth: number): Slot {
    if (depth > MAX_SCHEMA_DEPTH) return slot(ANY, { notes: [`nested deeper than ${MAX_SCHEMA_DEPTH} levels`] })
    const doc = docOf(schema)
    const reference = referenceOf(schema)
    const own =
      reference !== undefined && this.#ignoresSiblings ? slot(UNKNOWN, doc) : this.#combined(schema, doc, depth)
    if (reference === undefined) return nullable(schema, own)
    const target = this.#references.resolve(schema)
    const referred =
      target === undefined ? slot(ANY, { notes: [`no schema at ${reference}`] }) : this.#targetSlot(target, depth)
    const type = own.type.kind === 'any' ? referred.type : intersectAll([referred.type, own.type])
    return nullable(schema, { type, doc: mergeDocs(own.doc, referred.doc) })
  }

  /**
   * A definition is a named type. A scalar that is no entry of `$defs` (generators point at the first use of a shape
   * that they meet again) is repeated instead: a name would say less than its type.
   */
  #targetSlot(target: Target, depth: number): Slot {
    if (!isObject(target.schema)) return slot(target.schema ? ANY : NEVER)
    if (!target.named && isScalarSchema(target.schema)) return this.#body(target.schema, depth)
    return slot({ kind: 'ref', target: this.#definition(target.schema, target.hint) })
  }

  #definition(schema: SchemaObject, hint: string): Definition {
    const known = this.#definitions.get(schema)
    if (known !== undefined) return known
    const definition = { hint: hint === '' ? this.#rootHint : hint, body: slot(ANY) }
    this.#definitions.set(schema, definition)
    this.#unwalked.push([schema, definition])
    return definition
  }

  /** A schema's own keywords together with its `allOf`, `anyOf` and `oneOf`. */
  #combined(schema: SchemaObject, ownDoc: Doc, depth: number): Slot {
    const explicit = explicitTypes(schema)
    const parts = [this.#own(schema, explicit, depth)]
    let doc = withNotes(ownDoc, [
      explicit === 'unknown' ? `type ${jsonText(read(schema, 'type') ?? null, MAX_TYPE_TEXT)}` : undefined,
    ])
    for (const branch of readList(schema, 'allOf') ?? []) {
      const part = this.#part(branch, depth + 1)
      parts.push(part.type)
      doc = mergeDocs(doc, part.doc)
    }
    let type = intersectAll(parts)
    for (const keyword of ['anyOf', 'oneOf'] as const) {
      const branches = readList(schema, keyword) ?? []
      if (branches.length === 0) continue
      const requirement = requirementNote(schema, keyword)
      doc = withNotes(doc, [requirement])
      if (requirement !== undefined) continue
      const union = hoistDoc(unionOf(branches.map((branch) => this.#part(branch, depth + 1))))
      doc = mergeDocs(doc, union.doc)
      type = Array.isArray(explicit) ? intersect(type, union.type) : intersectImplied(type, union)
    }
    return { type, doc: withNotes(doc, keyNotes(schema)) }
  }

  #own(schema: SchemaObject, explicit: readonly string[] | 'unknown' | undefined, depth: number): TypeNode {
    const literal = literalType(schema, Array.isArray(explicit) ? explicit : undefined)
    if (literal !== undefined) return literal
    const types = explicit === undefined ? impliedTypes(schema) : explicit
    if (types === 'unknown' || types.length === 0) return ANY
    return unionOf(types.map((name) => slot(this.#typed(name, schema, depth)))).type
  }

  #typed(name: string, schema: SchemaObject, depth: number): TypeNode {
    const slotOf = (inner: unknown): Slot => this.#slot(inner, depth + 1)
    if (name === 'object') return objectType(schema, slotOf)
    if (name === 'array') return arrayType(schema, slotOf)
    return scalar(name as ScalarName)
  }
}

/** The names in `type`; `unknown` where it is written and names no type. */
function explicitTypes(schema: SchemaObject): readonly string[] | 'unknown' | undefined {
  const type = read(schema, 'type')
  if (type === undefined) return undefined
  const names = (Array.isArray(type) ? type : [type]).filter((name) => TYPE_NAMES.has(name as string)) as string[]
  return names.length === 0 ? 'unknown' : names
}

/**
 * The types that a schema without `type` means. Beside a composition only an object's keywords count: scalars' apply to
 * the branches that they fit, and forbid no other.
 */
function impliedTypes(schema: SchemaObject): readonly string[] {
  const isComposed = ['$ref', 'anyOf', 'oneOf', 'allOf'].some((keyword) => read(schema, keyword) !== undefined)
  const implied = TELLING_KEYWORDS.filter(([, keywords]) =>
    keywords.some((keyword) => read(schema, keyword) !== undefined),
  )
  const names = implied.map(([name]) => name)
  if (!names.includes('object') && hasConditionalProperties(schema)) names.unshift('object')
  return isComposed ? names.filter((name) => name === 'object') : names
}

/** Joins a union to a type that was only implied, and which therefore says nothing about members of other types. */
function intersectImplied(type: TypeNode, union: Slot): TypeNode {
  if (type.kind !== 'object' || union.type.kind !== 'union') return intersect(type, union.type)
  const isOther = ({ type: { kind } }: Slot): boolean =>
    ['scalar', 'literal', 'array', 'tuple', 'elided'].includes(kind)
  const concerned = unionOf(union.type.members.filter((member) => !isOther(member)))
  return unionOf([slot(intersect(type, concerned.type)), ...union.type.members.filter(isOther)]).type
}

/** "A string or null" has one thing to say, and says it of the whole. */
function hoistDoc(union: Slot): Slot {
  if (union.type.kind !== 'union') return union
  const isNull = ({ type }: Slot): boolean => type.kind === 'scalar' && type.name === 'null'
  const [main, ...others] = union.type.members.filter((member) => !isNull(member))
  if (main === undefined || others.length > 0) return union
  const members = union.type.members.map((member) => (member === main ? slot(main.type) : member))
  return { type: { kind: 'union', members }, doc: mergeDocs(main.doc, union.doc) }
}

/** OpenAPI 3.0's `nullable`, also beside an `enum` without null and beside a `$ref`: what its writers mean by it. */
function nullable(schema: SchemaObject, own: Slot): Slot {
  if (read(schema, 'nullable') !== true || own.type.kind === 'any') return own
  return { type: unionOf([slot(own.type), slot(scalar('null'))]).type, doc: own.doc }
}

/** A required property that no part of an intersection has typed can be anything. */
function settle(type: TypeNode): TypeNode {
  if (type.kind === 'unknown') return ANY
  if (type.kind === 'union') {
    return { kind: 'union', members: type.members.map((member) => ({ ...member, type: settle(member.type) })) }
  }
  if (type.kind !== 'object' || !type.properties.some((property) => property.type.kind === 'unknown')) return type
  const properties = type.properties.map((property) =>
    property.type.kind === 'unknown' ? { ...property, type: ANY } : property,
  )
  return { ...type, properties }
}

function isScalarSchema(schema: SchemaObject): boolean {
  const types = explicitTypes(schema)
  if (!Array.isArray(types) || types.includes('object') || types.includes('array')) return false
  return !['$ref', 'anyOf', 'oneOf', 'allOf'].some((keyword) => read(schema, keyword) !== undefined)
}

function withNotes(doc: Doc, notes: readonly (string | undefined)[]): Doc {
  const added = notes.filter((note) => note !== undefined)
  return added.length === 0 ? doc : { ...doc, notes: [...doc.notes, ...added] }
}
