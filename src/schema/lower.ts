// Turns what authors write (dsl.ts) into JSON Schema, which models, renderers and Ajv read (contract G1). Forged forms, those that got past the
// compiler, are refused here with the place: JavaScript authors and `as any` have no other guard.
import { HarnessError } from '../errors/harness-error.ts'
import type { JsonObject, JsonValue } from '../json/json-value.ts'
import { formatSegment } from '../json/path.ts'
import { snapshot } from '../json/snapshot.ts'
import type { JsonSchema } from './dialects.ts'
import type { ParameterSchemaSpec, ValueSchemaSpec } from './dsl.ts'
import { listOf, nearestName, show } from './wording.ts'

/** Levels of a spec; types are inferred for sixteen. */
const MAX_LEVELS = 64

/**
 * JSON Schema of a value spec, deeply frozen. `place` names the spec in messages.
 * Throws HarnessError INVALID_SCHEMA naming the place of a wrong form, and NOT_LOSSLESS_JSON for what is no data.
 */
export function valueSchemaSpecToJsonSchema(spec: ValueSchemaSpec, place = 'schema'): JsonSchema {
  return snapshot(lowerValue(snapshot(spec, place), place, 1), place) as JsonSchema
}

/**
 * JSON Schema of a tool's parameters, deeply frozen: an object that is open at its root, so that unknown arguments pass.
 * Throws as {@link valueSchemaSpecToJsonSchema} does.
 */
export function parameterSchemaSpecToJsonSchema(spec: ParameterSchemaSpec, place = 'parameters'): JsonSchema {
  const properties = needObject(snapshot(spec, place), place, 'an object of properties')
  return snapshot({ type: 'object', ...lowerProperties(properties, place, 1) }, place) as JsonSchema
}

type Check = (value: JsonValue, type: string) => string | undefined

const isCount: Check = (value) =>
  Number.isInteger(value) && (value as number) >= 0 ? undefined : 'a whole number, 0 or more'
const isText: Check = (value) => (typeof value === 'string' ? undefined : 'a string')
const isFlag: Check = (value) => (typeof value === 'boolean' ? undefined : 'true or false')
const isNumber: Check = (value) => (typeof value === 'number' ? undefined : 'a number')
const isDivisor: Check = (value, type) =>
  typeof value !== 'number' || value <= 0 ? 'a number above 0' : fits(value, type) ? undefined : 'a whole number'
const isConstant: Check = (value, type) => (fits(value, type) ? undefined : `of the type ${type}`)
const isChoice: Check = (value, type) => {
  const isList = Array.isArray(value) && value.length > 0 && new Set(value).size === value.length
  return isList && value.every((each) => fits(each, type))
    ? undefined
    : `a list of different values of the type ${type}`
}

const NUMBER_KEYWORDS: readonly (readonly [string, Check])[] = [
  ['minimum', isNumber],
  ['maximum', isNumber],
  ['exclusiveMinimum', isNumber],
  ['exclusiveMaximum', isNumber],
  ['multipleOf', isDivisor],
  ['enum', isChoice],
  ['const', isConstant],
]

/** Keywords that are copied as they are, by type, in the order in which they are written. */
const KEYWORDS: ReadonlyMap<string, ReadonlyMap<string, Check>> = new Map(
  Object.entries({
    string: [
      ['minLength', isCount],
      ['maxLength', isCount],
      ['pattern', isText],
      ['format', isText],
      ['enum', isChoice],
      ['const', isConstant],
    ],
    number: NUMBER_KEYWORDS,
    integer: NUMBER_KEYWORDS,
    boolean: [
      ['enum', isChoice],
      ['const', isConstant],
    ],
    null: [],
    array: [
      ['minItems', isCount],
      ['maxItems', isCount],
      ['uniqueItems', isFlag],
    ],
    object: [],
    json: [],
  } satisfies Record<string, readonly (readonly [string, Check])[]>).map(([type, keywords]) => [
    type,
    new Map(keywords),
  ]),
)

/** Keywords that hold specs, by type. */
const STRUCTURE: ReadonlyMap<string, readonly string[]> = new Map([
  ['array', ['items']],
  ['object', ['properties', 'additionalProperties']],
])

function lowerValue(value: JsonValue, place: string, level: number, isProperty = false): JsonObject {
  const spec = needObject(value, place, 'a schema')
  if (level > MAX_LEVELS) refuse(place, `is nested more than ${MAX_LEVELS} levels deep`)
  const description = own(spec, 'description')
  if (description !== undefined && typeof description !== 'string') refuse(`${place}.description`, 'must be a string')
  const rest = description === undefined ? {} : { description }
  if (own(spec, 'oneOf') !== undefined) {
    refuseUnknown(spec, place, ['oneOf'], isProperty)
    return { ...rest, oneOf: lowerBranches(own(spec, 'oneOf') as JsonValue, `${place}.oneOf`, level) }
  }
  const type = own(spec, 'type')
  const keywords = typeof type === 'string' ? KEYWORDS.get(type) : undefined
  if (typeof type !== 'string' || keywords === undefined) {
    return refuse(
      `${place}.type`,
      `must be ${listOf([...KEYWORDS.keys()].map(show), 'or')}, or the schema a { oneOf: […] }`,
    )
  }
  const structure = STRUCTURE.get(type) ?? []
  refuseUnknown(spec, place, ['type', ...keywords.keys(), ...structure], isProperty)
  return {
    ...(type === 'json' ? {} : { type }),
    ...rest,
    ...lowerKeywords(spec, type, keywords, place),
    ...lowerStructure(spec, type, place, level),
  }
}

function lowerKeywords(
  spec: JsonObject,
  type: string,
  keywords: ReadonlyMap<string, Check>,
  place: string,
): JsonObject {
  if (own(spec, 'enum') !== undefined && own(spec, 'const') !== undefined)
    refuse(place, 'must have `enum` or `const`, not both')
  const lowered: [string, JsonValue][] = []
  for (const [keyword, check] of keywords) {
    const value = own(spec, keyword)
    if (value === undefined) continue
    const wanted = check(value, type)
    if (wanted !== undefined) refuse(`${place}.${keyword}`, `must be ${wanted}, got ${show(value)}`)
    lowered.push([keyword, value])
  }
  return Object.fromEntries(lowered)
}

function lowerStructure(spec: JsonObject, type: string, place: string, level: number): JsonObject {
  if (type === 'array') {
    const items = own(spec, 'items')
    if (items === undefined) refuse(place, 'must say what its `items` are; for any JSON use { type: "json" }')
    return { items: lowerValue(items, `${place}.items`, level + 1) }
  }
  if (type !== 'object') return {}
  const properties = own(spec, 'properties')
  if (properties === undefined) refuse(place, 'must have `properties`; for any JSON use { type: "json" }')
  const additionalProperties = own(spec, 'additionalProperties')
  if (typeof additionalProperties !== 'boolean') refuse(place, 'must say `additionalProperties: true` or `false`')
  const members = needObject(properties, `${place}.properties`, 'an object of properties')
  return { ...lowerProperties(members, `${place}.properties`, level), additionalProperties }
}

function lowerProperties(properties: JsonObject, place: string, level: number): JsonObject {
  const names = Object.keys(properties)
  const required = names.filter((name) => {
    const spec = needObject(properties[name] as JsonValue, place + formatSegment(name), 'a schema')
    const flag = own(spec, 'required')
    if (flag !== undefined && typeof flag !== 'boolean')
      refuse(`${place}${formatSegment(name)}.required`, 'must be true, or left out')
    return flag === true
  })
  const lowered = names.map(
    (name) => [name, lowerValue(properties[name] as JsonValue, place + formatSegment(name), level + 1, true)] as const,
  )
  return { properties: Object.fromEntries(lowered), ...(required.length === 0 ? {} : { required }) }
}

function lowerBranches(branches: JsonValue, place: string, level: number): JsonValue {
  if (!Array.isArray(branches) || branches.length === 0) return refuse(place, 'must be a list of at least one schema')
  return branches.map((branch: JsonValue, index) => lowerValue(branch, `${place}[${index}]`, level + 1))
}

function refuseUnknown(spec: JsonObject, place: string, known: readonly string[], isProperty: boolean): void {
  const allowed = ['description', ...known, ...(isProperty ? ['required'] : [])]
  const unknown = Object.keys(spec).find((key) => !allowed.includes(key))
  if (unknown === undefined) return
  if (unknown === 'required') refuse(place, 'cannot be `required`: only properties can, each by `required: true`')
  const nearest = nearestName(unknown, allowed)
  const advice = nearest === undefined ? `known are ${allowed.join(', ')}` : `did you mean ${show(nearest)}?`
  refuse(place, `has the unknown keyword ${show(unknown)}: ${advice}`)
}

function fits(value: JsonValue, type: string): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeof value === type
}

function needObject(value: JsonValue, place: string, wanted: string): JsonObject {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return isObject ? (value as JsonObject) : refuse(place, `must be ${wanted}, got ${show(value)}`)
}

function own(holder: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(holder, key) ? holder[key] : undefined
}

function refuse(place: string, problem: string): never {
  throw new HarnessError('INVALID_SCHEMA', `${place} ${problem}.`)
}
