// Where references lead (contract G3): `$ref` by pointer, anchor or URI, within the document alone. Nothing is ever fetched.
// Called by intake.ts, once for each schema. Names are the attacker's: they are looked up in maps and as own properties.
import type { JsonObject, JsonValue } from '../json/json-value.ts'
import type { JsonSchema } from './dialects.ts'
import { dialectOf } from './dialects.ts'
import { KEYWORDS } from './vocabulary.ts'

/** A resource without an `$id` of its own. Relative references resolve against it, and stay within the document. */
const DOCUMENT_URI = 'runcell:///document'

/** Where a reference leads: to a schema of the document, to the meta-schema (any schema at all), or nowhere. */
export type Target = { readonly schema: JsonSchema } | 'meta-schema' | undefined

/** The index of one document. */
export class References {
  /** Root of each resource, by its URI. */
  readonly #resources = new Map<string, JsonObject>()
  /** `uri#anchor` to schema; the dynamic ones are in it as well. */
  readonly #anchors = new Map<string, JsonObject>()
  /** How many schemas carry a dynamic anchor of that name. */
  readonly #dynamicAnchors = new Map<string, number>()
  readonly #baseOf = new Map<JsonObject, string>()

  constructor(document: JsonObject) {
    this.#resources.set(DOCUMENT_URI, document)
    const waiting: [schema: JsonObject, base: string][] = [[document, DOCUMENT_URI]]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [schema, inherited] = next
      const base = this.#enter(schema, inherited)
      for (const child of subschemasOf(schema)) waiting.push([child, base])
    }
  }

  /** Follows a `$ref`, or a `$dynamicRef` as if it were one, from the schema that holds it. */
  resolve(reference: string, from: JsonObject): Target {
    const base = this.#baseOf.get(from) ?? DOCUMENT_URI
    const uri = absolute(reference, base)
    if (uri === undefined) return undefined
    const hash = uri.indexOf('#')
    const resource = hash < 0 ? uri : uri.slice(0, hash)
    const fragment = decode(hash < 0 ? '' : uri.slice(hash + 1))
    const root = this.#resources.get(resource)
    if (root === undefined) return dialectOf(resource) === undefined ? undefined : 'meta-schema'
    if (fragment === '') return { schema: root }
    if (!fragment.startsWith('/')) return wrap(this.#anchors.get(`${resource}#${fragment}`))
    return wrap(follow(root, fragment))
  }

  /** True when a dynamic reference to this anchor can lead to more than one schema: that depends on the way there. */
  isAmbiguous(reference: string): boolean {
    const anchor = decode(reference.slice(reference.indexOf('#') + 1))
    return (this.#dynamicAnchors.get(anchor) ?? 0) > 1
  }

  /** Notes the names that a schema gives itself; returns the base of what is in it. */
  #enter(schema: JsonObject, inherited: string): string {
    const id = ownText(schema, '$id')
    const base = id === undefined ? inherited : (absolute(id, inherited)?.replace(/#.*$/s, '') ?? inherited)
    if (base !== inherited && !this.#resources.has(base)) this.#resources.set(base, schema)
    this.#baseOf.set(schema, base)
    const dynamic = ownText(schema, '$dynamicAnchor')
    if (dynamic !== undefined) this.#dynamicAnchors.set(dynamic, (this.#dynamicAnchors.get(dynamic) ?? 0) + 1)
    // Draft-07 writes an anchor as an `$id` that is a fragment.
    const oldAnchor = id?.startsWith('#') === true ? id.slice(1) : undefined
    for (const anchor of [ownText(schema, '$anchor'), dynamic, oldAnchor]) {
      const key = `${base}#${anchor}`
      if (anchor !== undefined && !this.#anchors.has(key)) this.#anchors.set(key, schema)
    }
    return base
  }
}

/** The subschemas of a schema, wherever the vocabulary has some; forms that are wrong are left to intake.ts. */
function* subschemasOf(schema: JsonObject): Generator<JsonObject> {
  for (const [keyword, form] of KEYWORDS) {
    const value = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined
    if (typeof value !== 'object' || value === null) continue
    if (form === 'schema' || (form === 'items' && !Array.isArray(value))) yield* objects([value])
    else if (['schemas', 'items', 'schemaMap', 'dependencies'].includes(form)) yield* objects(Object.values(value))
  }
}

function* objects(values: Iterable<JsonValue>): Generator<JsonObject> {
  for (const value of values) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) yield value as JsonObject
  }
}

function absolute(reference: string, base: string): string | undefined {
  // `urn:` and other opaque URIs cannot be a base for anything but a fragment.
  if (reference.startsWith('#')) return base + reference
  try {
    return new URL(reference, base).href
  } catch {
    return undefined
  }
}

function follow(root: JsonValue, pointer: string): JsonValue | undefined {
  let value: JsonValue | undefined = root
  for (const token of pointer.slice(1).split('/')) {
    if (typeof value !== 'object' || value === null) return undefined
    const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!Object.hasOwn(value, key)) return undefined
    value = (value as JsonObject)[key]
  }
  return value
}

function wrap(value: JsonValue | undefined): Target {
  if (typeof value === 'boolean') return { schema: value }
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { schema: value as JsonObject }
    : undefined
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}

function ownText(schema: JsonObject, key: string): string | undefined {
  const value = Object.hasOwn(schema, key) ? schema[key] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}
