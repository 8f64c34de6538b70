// What a schema says beyond its type, as short notes: ranges, lengths, formats, defaults, and the rules that no static
// type has (`not`, `if`, dependencies). Nothing a caller could need is dropped; what is long is cut and shows it by `…`.
import type { JsonValue } from '../../src/json/json-value.ts'
import { cut, jsonText } from './json-text.ts'
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
import type { Doc } from './type-tree.ts'

/** Longest texts of a note, in UTF-16 units. */
const MAX_VALUE = 120
const MAX_PATTERN = 160
const MAX_RULE = 300
const MAX_EXAMPLES = 3

/** Formats whose usual patterns, which generators write out beside them, say nothing more. */
const SELF_EVIDENT_FORMATS = new Set([
  'date-time',
  'date',
  'time',
  'duration',
  'email',
  'idn-email',
  'uuid',
  'ipv4',
  'ipv6',
  'uri',
  'url',
])

/** Bounds that `integer` implies where numbers are doubles; generators write them out. */
const SAFE = Number.MAX_SAFE_INTEGER

/** Description, title and notes of a schema. */
export function docOf(schema: SchemaObject): Doc {
  const description = readText(schema, 'description')
  const title = readText(schema, 'title')
  return {
    notes: notesOf(schema, description ?? ''),
    ...(description === undefined ? {} : { description }),
    ...(title === undefined ? {} : { title }),
  }
}

function notesOf(schema: SchemaObject, description: string): string[] {
  return [
    ...(read(schema, 'deprecated') === true ? ['deprecated'] : []),
    ...(read(schema, 'readOnly') === true ? ['read-only'] : []),
    ...(read(schema, 'writeOnly') === true ? ['write-only'] : []),
    ...formatNotes(schema),
    ...numberNotes(schema),
    ...countNotes(schema, 'minLength', 'maxLength', 'chars'),
    ...(isTuple(schema) ? [] : countNotes(schema, 'minItems', 'maxItems', 'items')),
    ...(read(schema, 'uniqueItems') === true ? ['unique items'] : []),
    ...countNotes(schema, 'minProperties', 'maxProperties', 'keys'),
    ...ruleNotes(schema),
    ...valueNotes(schema, description),
  ]
}

function formatNotes(schema: SchemaObject): string[] {
  const format = readText(schema, 'format')
  const pattern = readText(schema, 'pattern')
  const encoding = readText(schema, 'contentEncoding')
  const media = readText(schema, 'contentMediaType')
  const implied = format !== undefined && SELF_EVIDENT_FORMATS.has(format)
  return [
    ...(format === undefined ? [] : [format]),
    ...(pattern === undefined || implied ? [] : [`/${cut(pattern, MAX_PATTERN)}/`]),
    ...(encoding === undefined ? [] : [encoding]),
    ...(media === undefined ? [] : [media]),
  ]
}

function numberNotes(schema: SchemaObject): string[] {
  const isInteger = read(schema, 'type') === 'integer'
  const bound = (keyword: string): number | undefined => {
    const value = readNumber(schema, keyword)
    return value !== undefined && isInteger && Math.abs(value) === SAFE ? undefined : value
  }
  // Draft-04 says `exclusiveMinimum: true` beside `minimum`.
  const draft04 = (keyword: string): boolean => read(schema, keyword) === true
  let low = bound('minimum')
  let high = bound('maximum')
  let above = bound('exclusiveMinimum')
  let below = bound('exclusiveMaximum')
  if (draft04('exclusiveMinimum')) [above, low] = [low, undefined]
  if (draft04('exclusiveMaximum')) [below, high] = [high, undefined]
  const multiple = readNumber(schema, 'multipleOf')
  return [
    ...(low !== undefined && high !== undefined ? [`${low}..${high}`] : []),
    ...(low !== undefined && high === undefined ? [`>= ${low}`] : []),
    ...(low === undefined && high !== undefined ? [`<= ${high}`] : []),
    ...(above === undefined ? [] : [`> ${above}`]),
    ...(below === undefined ? [] : [`< ${below}`]),
    ...(multiple === undefined ? [] : [`multiple of ${multiple}`]),
  ]
}

function countNotes(schema: SchemaObject, least: string, most: string, unit: string): string[] {
  const low = readNumber(schema, least) ?? 0
  const high = readNumber(schema, most)
  if (high !== undefined) return [low === high ? `${low} ${unit}` : `${low}..${high} ${unit}`]
  if (low <= 0) return []
  return [low === 1 && unit !== 'keys' ? 'not empty' : `>= ${low} ${unit}`]
}

/** A tuple's type tells how many items there are. */
function isTuple(schema: SchemaObject): boolean {
  return [readList(schema, 'prefixItems'), readList(schema, 'items')].some(
    (items) => items !== undefined && items.length > 0,
  )
}

function ruleNotes(schema: SchemaObject): string[] {
  const notes: string[] = []
  for (const keyword of ['not', 'if', 'contains', 'contentSchema']) {
    const rule = read(schema, keyword)
    if (!isObject(rule) && typeof rule !== 'boolean') continue
    const clauses = [[keyword, rule] as const, ...(keyword === 'if' ? thenAndElse(schema) : [])]
    notes.push(clauses.map(([name, clause]) => `${name} ${jsonText(clause, MAX_RULE)}`).join(' '))
  }
  for (const [keyword, unit] of [
    ['minContains', 'at least'],
    ['maxContains', 'at most'],
  ] as const) {
    const count = readNumber(schema, keyword)
    if (count !== undefined) notes.push(`contains ${unit} ${count}`)
  }
  for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
    for (const [name, need] of Object.entries(readObject(schema, keyword) ?? {})) {
      const names = readNames({ need }, 'need')
      notes.push(`${name} needs ${names.length > 0 ? cut(names.join(', '), MAX_RULE) : jsonText(need, MAX_RULE)}`)
    }
  }
  return notes
}

function thenAndElse(schema: SchemaObject): (readonly [string, JsonValue])[] {
  return ['then', 'else'].flatMap((name) => {
    const clause = read(schema, name)
    return clause === undefined ? [] : [[name, clause] as const]
  })
}

function valueNotes(schema: SchemaObject, description: string): string[] {
  const value = read(schema, 'default')
  const examples = [...(readList(schema, 'examples') ?? []), ...('example' in schema ? [read(schema, 'example')] : [])]
  const shown = examples.filter((example) => example !== undefined).slice(0, MAX_EXAMPLES)
  return [
    ...(value === undefined || tellsDefault(description, value) ? [] : [`default ${jsonText(value, MAX_VALUE)}`]),
    ...(shown.length === 0 ? [] : [`e.g. ${shown.map((example) => jsonText(example, MAX_VALUE)).join(', ')}`]),
  ]
}

/** True when the prose says the default already: "… (default: 10)". */
function tellsDefault(description: string, value: JsonValue): boolean {
  if (typeof value === 'object' && value !== null) return false
  const text = String(value)
  if (text === '' || text.length > MAX_VALUE) return false
  const place = description.search(/default/i)
  if (place < 0) return false
  const tail = description.slice(place, place + 'defaults to the value of '.length + text.length + 16)
  const found = tail.indexOf(text)
  return found >= 0 && !/[\w.-]/.test(tail[found - 1] ?? '') && !/^[\w-]|^\.\w/.test(tail.slice(found + text.length))
}

/**
 * "requires one of: title | body + state", for a union whose branches only say what is required; undefined for any other.
 * Types could say it, at the cost of every property once a branch.
 */
export function requirementNote(schema: SchemaObject, keyword: 'anyOf' | 'oneOf'): string | undefined {
  const branches = readList(schema, keyword) ?? []
  const wanted: string[] = []
  for (const branch of branches) {
    if (!isObject(branch) || !Object.keys(branch).every((key) => REQUIREMENT_KEYS.has(key))) return undefined
    const type = read(branch, 'type')
    if (type !== undefined && type !== 'object') return undefined
    const names = readNames(branch, 'required')
    if (names.length > 0) wanted.push(names.join(' + '))
  }
  if (wanted.length === 0) return undefined
  if (wanted.length < branches.length) return `${keyword} ${jsonText(branches, MAX_RULE)}`
  return `requires ${keyword === 'oneOf' ? 'exactly ' : ''}one of: ${cut(wanted.join(' | '), MAX_RULE)}`
}

const REQUIREMENT_KEYS = new Set(['required', 'type', 'not', 'description', 'title'])
