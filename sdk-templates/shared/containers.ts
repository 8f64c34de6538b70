// Objects and arrays: the two types whose schemas hold schemas.
import { unionOf } from './combine.ts'
import { cut } from './json-text.ts'
import {
  isObject,
  read,
  readList,
  readNames,
  readNumber,
  readObject,
  readText,
  type SchemaObject,
} from './schema-reading.ts'
import { ANY, type ObjectNode, type Property, type Slot, slot, type TypeNode, UNKNOWN } from './type-tree.ts'

/** Walks a schema one level further down. */
export type SlotOf = (schema: unknown) => Slot

/** Names of `propertyNames` that are written out as properties; beyond, the names are a note. */
const MAX_KEY_NAMES = 100
const MAX_PATTERN = 160

/**
 * The object that a schema describes. Closed unless it is written to be open: most schemas leave `additionalProperties`
 * out, and an open object would hide every misspelled argument. One that declares no property at all is open: it has no
 * name that could be misspelled, and closed it could not be used.
 */
export function objectType(schema: SchemaObject, slotOf: SlotOf): ObjectNode {
  const properties = new Map<string, Property>()
  const required = new Set(readNames(schema, 'required'))
  const add = (name: string, type: Slot, isRequired: boolean): void => {
    if (!properties.has(name)) properties.set(name, { name, required: isRequired, type: type.type, doc: type.doc })
  }
  const declared = Object.entries(readObject(schema, 'properties') ?? {})
  for (const [name, property] of declared) add(name, slotOf(property), required.has(name))
  for (const name of required) add(name, slot(UNKNOWN), true)
  const conditional = conditionalProperties(schema)
  for (const [name, property] of conditional) add(name, slotOf(property), false)
  const rest = restOf(schema, slotOf)
  const names = rest === undefined ? undefined : keyNames(schema)
  if (rest !== undefined && names !== undefined) {
    for (const name of names) add(name, rest, false)
    return { kind: 'object', properties: [...properties.values()] }
  }
  const bare = declared.length === 0 && conditional.length === 0 && rest === undefined && !isClosed(schema)
  return {
    kind: 'object',
    properties: [...properties.values()],
    ...(rest === undefined ? {} : { rest }),
    ...(bare ? { bare } : {}),
  }
}

/** True when a conditional clause of the schema declares properties, which makes it an object's schema. */
export function hasConditionalProperties(schema: SchemaObject): boolean {
  return conditionalProperties(schema).length > 0
}

/** Properties that only `then`, `else` or a dependency declares. They may be there, so a closed object has to know them. */
function conditionalProperties(schema: SchemaObject): [string, unknown][] {
  const dependent = ['dependentSchemas', 'dependencies'].flatMap((key) => Object.values(readObject(schema, key) ?? {}))
  const clauses = [read(schema, 'then'), read(schema, 'else'), ...dependent]
  return clauses.flatMap((clause) => (isObject(clause) ? Object.entries(readObject(clause, 'properties') ?? {}) : []))
}

function isClosed(schema: SchemaObject): boolean {
  return read(schema, 'additionalProperties') === false || read(schema, 'unevaluatedProperties') === false
}

/** The type of keys that are not declared: what `additionalProperties` and `patternProperties` say, where they are written. */
function restOf(schema: SchemaObject, slotOf: SlotOf): Slot | undefined {
  const patterns = Object.entries(readObject(schema, 'patternProperties') ?? {})
  const others = [read(schema, 'additionalProperties'), read(schema, 'unevaluatedProperties')]
  const other = others.find((value) => value === true || isObject(value))
  const parts = patterns.map(([, value]) => slotOf(value))
  if (other !== undefined) parts.push(slotOf(other))
  if (parts.length <= 1) return parts[0]
  return unionOf(parts.map(({ type }) => slot(type)))
}

function keyNames(schema: SchemaObject): readonly string[] | undefined {
  const rule = readObject(schema, 'propertyNames')
  const names = rule === undefined ? [] : readNames(rule, 'enum')
  return names.length === 0 || names.length > MAX_KEY_NAMES ? undefined : names
}

/** What an object's keys have to look like: `keys /^X-/`, by `patternProperties` or `propertyNames`. */
export function keyNotes(schema: SchemaObject): string[] {
  const rule = readObject(schema, 'propertyNames')
  const named = rule === undefined ? undefined : (readText(rule, 'pattern') ?? readText(rule, 'format'))
  const patterns = [
    ...Object.keys(readObject(schema, 'patternProperties') ?? {}),
    ...(named === undefined ? [] : [named]),
  ]
  const telling = patterns.filter((pattern) => !/^(\^?\.[*+]\$?|\^?)$/.test(pattern))
  return telling.length === 0 ? [] : [`keys ${telling.map((pattern) => `/${cut(pattern, MAX_PATTERN)}/`).join(' or ')}`]
}

/** The array or tuple that a schema describes, in the words of 2020-12 (`prefixItems`) or of older drafts (`items: []`). */
export function arrayType(schema: SchemaObject, slotOf: SlotOf): TypeNode {
  const items = read(schema, 'items')
  const prefix = readList(schema, 'prefixItems') ?? (Array.isArray(items) ? items : undefined)
  if (prefix === undefined || prefix.length === 0) {
    return { kind: 'array', item: isObject(items) || items === false ? slotOf(items) : slot(ANY) }
  }
  const tail = readList(schema, 'prefixItems') === undefined ? read(schema, 'additionalItems') : items
  const most = readNumber(schema, 'maxItems') ?? Number.POSITIVE_INFINITY
  const ends = tail === false || most <= prefix.length
  return {
    kind: 'tuple',
    items: prefix.map(slotOf),
    required: Math.min(prefix.length, Math.max(0, readNumber(schema, 'minItems') ?? 0)),
    ...(ends ? {} : { rest: isObject(tail) ? slotOf(tail) : slot(ANY) }),
  }
}
