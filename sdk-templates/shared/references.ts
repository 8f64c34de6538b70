// Finds what the references of one schema document point at. Nothing is fetched: a reference that leaves the document,
// or leads nowhere in it, has no target.
//   '#', '#/$defs/A', '#/properties/a~1b/items', '#/$defs/A%20B'   JSON pointers, from the nearest `$id` and from the root
//   '#name'                                                        `$anchor`, `$dynamicAnchor`, or draft-07's `$id: "#name"`
//   'urn:x', 'https://host/x#/y'                                   a `$id` of the document, with or without a pointer
import type { JsonSchema } from '../../src/tools/definition.ts'
import { isObject, read, type SchemaObject } from './schema-reading.ts'

const MAX_POINTER_STEPS = 256

/** A schema that a reference points at, and a name for it. */
export interface Target {
  readonly schema: SchemaObject | boolean
  /** A name out of the reference: the last step of the pointer that says something, or the anchor. Empty for the root. */
  readonly hint: string
  /** True for a place that exists to be referred to: an entry of `$defs` or `definitions`, an anchor, a `$id`. */
  readonly named: boolean
}

/** The references of one document. */
export class References {
  readonly #root: JsonSchema
  /** Anchors and identifiers as they are written, and resolved against the root's `$id`. First come, first served. */
  readonly #names = new Map<string, SchemaObject>()
  /** The nearest `$id`-bearing schema around each schema, where there is one besides the root. */
  readonly #resources = new Map<SchemaObject, SchemaObject>()
  readonly #targets = new Map<SchemaObject, Target>()

  constructor(root: JsonSchema) {
    this.#root = root
    const referring: SchemaObject[] = []
    this.#scan(referring)
    for (const schema of referring) {
      const target = this.resolve(schema)
      if (target === undefined || !isObject(target.schema)) continue
      const known = this.#targets.get(target.schema)
      if (known === undefined || (target.named && !known.named)) this.#targets.set(target.schema, target)
    }
  }

  /** The schema as a target, when some reference of the document points at it; the most telling reference names it. */
  asTarget(schema: SchemaObject): Target | undefined {
    return this.#targets.get(schema)
  }

  /** What the `$ref`, `$dynamicRef` or `$recursiveRef` of a schema points at; undefined where there is none or it leads nowhere. */
  resolve(schema: SchemaObject): Target | undefined {
    const reference = referenceOf(schema)
    if (reference === undefined) return undefined
    const hash = reference.indexOf('#')
    const document = hash < 0 ? reference : reference.slice(0, hash)
    const fragment = hash < 0 ? '' : decodePercent(reference.slice(hash + 1))
    if (document !== '') {
      const base = this.#names.get(document) ?? this.#names.get(absolute(document, this.#base()))
      if (base === undefined) return undefined
      return fragment === '' ? { schema: base, hint: lastName(document), named: true } : follow(base, fragment)
    }
    if (fragment !== '' && !fragment.startsWith('/')) {
      const anchored = this.#names.get(`#${fragment}`)
      return anchored === undefined ? undefined : { schema: anchored, hint: fragment, named: true }
    }
    const resource = this.#resources.get(schema)
    return (resource && follow(resource, fragment)) ?? follow(this.#root, fragment)
  }

  #base(): string {
    const id = isObject(this.#root) ? read(this.#root, '$id') : undefined
    return typeof id === 'string' ? id : ''
  }

  /** One pass over every object of the document, schema or not: an entry too many is harmless here. */
  #scan(referring: SchemaObject[]): void {
    const base = this.#base()
    const open: { value: unknown; resource: SchemaObject | undefined }[] = [{ value: this.#root, resource: undefined }]
    while (open.length > 0) {
      const { value, resource } = open.pop()!
      if (typeof value !== 'object' || value === null) continue
      let inner = resource
      if (isObject(value)) {
        if (value !== this.#root && this.#register(value, base)) inner = value
        if (inner !== undefined) this.#resources.set(value, inner)
        if (referenceOf(value) !== undefined) referring.push(value)
      }
      for (const child of Object.values(value)) {
        if (typeof child === 'object' && child !== null) open.push({ value: child, resource: inner })
      }
    }
  }

  /** Files the names that a schema gives itself; true when it begins a document of its own. */
  #register(schema: SchemaObject, base: string): boolean {
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const anchor = read(schema, keyword)
      if (typeof anchor === 'string') this.#name(`#${anchor}`, schema)
    }
    const id = read(schema, '$id')
    if (typeof id !== 'string' || id === '') return false
    this.#name(id, schema)
    if (id.startsWith('#')) return false
    this.#name(absolute(id, base), schema)
    return true
  }

  #name(name: string, schema: SchemaObject): void {
    if (!this.#names.has(name)) this.#names.set(name, schema)
  }
}

/** The text of a schema's reference, whichever keyword holds it. */
export function referenceOf(schema: SchemaObject): string | undefined {
  for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
    const reference = read(schema, keyword)
    if (typeof reference === 'string') return reference
  }
  return undefined
}

function follow(root: JsonSchema, pointer: string): Target | undefined {
  const steps = pointer.split('/').slice(1).map(unescapePointer)
  if (steps.length > MAX_POINTER_STEPS) return undefined
  let place: unknown = root
  for (const step of steps) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, step)) return undefined
    place = (place as Record<string, unknown>)[step]
  }
  if (typeof place !== 'boolean' && !isObject(place)) return undefined
  const container = steps.at(-2)
  return {
    schema: place,
    hint: hintOf(steps),
    named: container === '$defs' || container === 'definitions',
  }
}

const CONTAINERS = new Set(['properties', '$defs', 'definitions', 'items', 'anyOf', 'oneOf', 'allOf', 'prefixItems'])

/** The last step that is neither an index nor a keyword; singular for what is an item of it. */
function hintOf(steps: readonly string[]): string {
  for (let index = steps.length - 1; index >= 0; index -= 1) {
    const step = steps[index]!
    const isEntry = index > 0 && ['properties', '$defs', 'definitions'].includes(steps[index - 1]!)
    if (isEntry || !(CONTAINERS.has(step) || /^\d*$/.test(step))) return step
  }
  return ''
}

function unescapePointer(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}

function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function absolute(reference: string, base: string): string {
  return URL.parse(reference, base === '' ? undefined : base)?.href ?? reference
}

function lastName(uri: string): string {
  return uri.split(/[/:#?]/).findLast((part) => part !== '') ?? ''
}
