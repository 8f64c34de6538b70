// The core: the small part of JSON Schema that Ajv is given. intake.ts builds it from whatever was written; graph.ts bounds it.

/** An object schema of the core, while it is built. */
export interface CoreObject {
  [keyword: string]: unknown
}

/** A schema of the core. */
export type CoreSchema = CoreObject | boolean

/** Keywords that hold one subschema, a list, or a map of them, in the core. */
export const CORE_SUBSCHEMAS = {
  one: [
    'items',
    'contains',
    'unevaluatedItems',
    'additionalProperties',
    'propertyNames',
    'unevaluatedProperties',
    'not',
    'if',
    'then',
    'else',
  ],
  list: ['prefixItems', 'allOf', 'anyOf', 'oneOf'],
  map: ['properties', 'patternProperties', 'dependentSchemas', '$defs'],
} as const

/** The object subschemas of a schema, each with the keyword that holds it. */
export function* subschemasOfCore(core: CoreObject): Generator<readonly [keyword: string, schema: CoreObject]> {
  for (const keyword of CORE_SUBSCHEMAS.one) {
    const schema = core[keyword]
    if (isObjectSchema(schema)) yield [keyword, schema]
  }
  for (const keyword of CORE_SUBSCHEMAS.list) {
    for (const schema of (core[keyword] ?? []) as readonly CoreSchema[])
      if (isObjectSchema(schema)) yield [keyword, schema]
  }
  for (const keyword of CORE_SUBSCHEMAS.map) {
    for (const schema of Object.values((core[keyword] ?? {}) as CoreObject))
      if (isObjectSchema(schema)) yield [keyword, schema]
  }
}

/** A schema and every object schema in it, references not followed. */
export function allSubschemas(root: CoreObject): CoreObject[] {
  const schemas = [root]
  // The list grows while it is walked.
  for (const schema of schemas) for (const [, child] of subschemasOfCore(schema)) schemas.push(child)
  return schemas
}

/** A shallow copy whose subschemas, `$defs` apart, went through `change`, in the order of the vocabulary. */
export function mapSubschemas(core: CoreObject, change: (schema: CoreSchema) => CoreSchema): CoreObject {
  const copy: CoreObject = { ...core }
  for (const keyword of CORE_SUBSCHEMAS.one) {
    if (copy[keyword] !== undefined) copy[keyword] = change(copy[keyword] as CoreSchema)
  }
  for (const keyword of CORE_SUBSCHEMAS.list) {
    if (copy[keyword] !== undefined) copy[keyword] = (copy[keyword] as readonly CoreSchema[]).map(change)
  }
  for (const keyword of CORE_SUBSCHEMAS.map) {
    if (copy[keyword] === undefined || keyword === '$defs') continue
    const entries = Object.entries(copy[keyword] as { readonly [name: string]: CoreSchema })
    copy[keyword] = fromEntries(entries.map(([name, schema]) => [name, change(schema)]))
  }
  return copy
}

/** Adds a reference, or what stands for it; a second one goes into `allOf`, since all of them count. */
export function addReference(core: CoreObject, target: CoreSchema): void {
  if (isObjectSchema(target) && typeof target['$ref'] === 'string' && core['$ref'] === undefined)
    core['$ref'] = target['$ref']
  else core['allOf'] = [...((core['allOf'] ?? []) as readonly CoreSchema[]), target]
}

/** Takes away what would refuse more because a part of it now accepts more. */
export function loosen(core: CoreObject): void {
  for (const keyword of ['not', 'if', 'then', 'else', 'maxContains', 'unevaluatedItems', 'unevaluatedProperties'])
    delete core[keyword]
  const { oneOf } = core
  if (oneOf === undefined) return
  delete core['oneOf']
  if (core['anyOf'] === undefined) core['anyOf'] = oneOf
  else core['allOf'] = [...((core['allOf'] ?? []) as readonly CoreSchema[]), { anyOf: oneOf }]
}

const BESIDE_TYPE = ['enum', 'const', '$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if']

/** Reads OpenAPI 3.0's `nullable`, which is no keyword of the core: with `true`, null is accepted as well, whatever stands beside it. */
export function withNull({ nullable, ...core }: CoreObject): CoreObject {
  if (nullable !== true) return core
  if (BESIDE_TYPE.some((keyword) => core[keyword] !== undefined)) return { anyOf: [core, { type: ['null'] }] }
  if (core['type'] === undefined) return core
  return { ...core, type: [...new Set([...(core['type'] as readonly string[]), 'null'])] }
}

/** The pointer to a definition, as a `$ref` has it. */
export function definitionPointer(name: string): string {
  return `${DEFINITIONS}${name}`
}

/** The name that {@link definitionPointer} was made of. */
export function nameIn(pointer: string): string {
  return pointer.slice(DEFINITIONS.length)
}

const DEFINITIONS = '#/$defs/'

/** An object from entries whose names are data, `__proto__` included. */
export function fromEntries(entries: Iterable<readonly [string, unknown]>): CoreObject {
  return Object.fromEntries(entries) as CoreObject
}

/** An own property of a schema; what a prototype might offer is no keyword. */
export function own<T>(holder: { readonly [key: string]: T }, key: string): T | undefined {
  return Object.hasOwn(holder, key) ? holder[key] : undefined
}

/** True for a schema that is not `true` or `false`. */
export function isObjectSchema(schema: unknown): schema is CoreObject {
  return typeof schema === 'object' && schema !== null
}
