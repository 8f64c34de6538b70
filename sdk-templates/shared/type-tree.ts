// The small tree of types that every schema is turned into (walk.ts) and that every language prints.
// It knows no language: nothing here is rendered, named or made harmless. Prose hangs on the places of a type
// (a property, an item, a member), never on the type itself, so that equal shapes are equal whatever is said about them.

/** What is said about one place of a type. The texts are raw: printers make them harmless (prose.ts). */
export interface Doc {
  readonly description?: string
  readonly title?: string
  /** What the type cannot express, a short phrase each: `1..100`, `default 10`, `(date-time)`. */
  readonly notes: readonly string[]
}

/** A type at one place, and what is said there. */
export interface Slot {
  readonly type: TypeNode
  readonly doc: Doc
}

/** One property of an object, in the order of the schema. */
export interface Property extends Slot {
  readonly name: string
  readonly required: boolean
}

/** A scalar type. `integer` is a number without a fraction. */
export type ScalarName = 'string' | 'number' | 'integer' | 'boolean' | 'null'

/** A scalar that stands for itself. */
export interface LiteralNode {
  readonly kind: 'literal'
  readonly value: null | boolean | number | string
}

/** An object. Closed unless `rest` or `bare` is there. */
export interface ObjectNode {
  readonly kind: 'object'
  readonly properties: readonly Property[]
  /** Type of every other key. */
  readonly rest?: Slot
  /** True where a schema declares no properties: any other key is welcome, until an intersection tells which there are. */
  readonly bare?: true
}

/** A definition that several places may refer to; named when it is printed. */
export interface RefNode {
  readonly kind: 'ref'
  readonly target: Definition
}

/** A type. */
export type TypeNode =
  /** Any JSON value; swallows what it meets in a union. */
  | { readonly kind: 'any' }
  /** A value whose type another part of an intersection gives. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'never' }
  | { readonly kind: 'scalar'; readonly name: ScalarName }
  | LiteralNode
  | { readonly kind: 'array'; readonly item: Slot }
  /** `items` beyond `required` may be absent; `rest` types what follows. */
  | { readonly kind: 'tuple'; readonly items: readonly Slot[]; readonly required: number; readonly rest?: Slot }
  | ObjectNode
  | { readonly kind: 'union'; readonly members: readonly Slot[] }
  | { readonly kind: 'intersection'; readonly members: readonly TypeNode[] }
  /** An enumeration too long to print: its type, some of its values, and how many there are. */
  | { readonly kind: 'elided'; readonly base: TypeNode; readonly shown: readonly LiteralNode[]; readonly total: number }
  | RefNode

/** A schema that references point at. `body` is filled in once its schema has been walked. */
export interface Definition {
  /** What it could be called: a name out of the schema, not yet an identifier. */
  readonly hint: string
  /** True for one that belongs to no tool more than to another: its name does not mention any. */
  readonly general?: true
  body: Slot
}

export const NO_DOC: Doc = { notes: [] }
export const ANY: TypeNode = { kind: 'any' }
export const UNKNOWN: TypeNode = { kind: 'unknown' }
export const NEVER: TypeNode = { kind: 'never' }

/** A scalar type. */
export function scalar(name: ScalarName): TypeNode {
  return { kind: 'scalar', name }
}

/** A type about which nothing is said. */
export function slot(type: TypeNode, doc: Doc = NO_DOC): Slot {
  return { type, doc }
}

/** True when something is said. */
export function isDocumented(doc: Doc): boolean {
  return doc.description !== undefined || doc.title !== undefined || doc.notes.length > 0
}

/** Every place directly inside a type. Intersections have members without prose. */
export function childSlots(type: TypeNode): readonly Slot[] {
  switch (type.kind) {
    case 'array':
      return [type.item]
    case 'tuple':
      return type.rest === undefined ? type.items : [...type.items, type.rest]
    case 'object':
      return type.rest === undefined ? type.properties : [...type.properties, type.rest]
    case 'union':
      return type.members
    case 'intersection':
      return type.members.map((member) => slot(member))
    case 'elided':
      return [slot(type.base)]
    default:
      return []
  }
}
