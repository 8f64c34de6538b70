// `enum` and `const` as types: scalars stand for themselves, containers are spelled out, and an enumeration that is too
// long to print is cut, saying so.
import type { JsonValue } from '../../src/json/json-value.ts'
import { unionOf } from './combine.ts'
import { isObject, read, readList, type SchemaObject } from './schema-reading.ts'
import { ANY, type LiteralNode, NEVER, type ScalarName, scalar, slot, type TypeNode } from './type-tree.ts'

/** Longest enumeration that is printed whole. The longest in some 4 800 published tools has 95 values. */
export const MAX_ENUM = 100
/** Values that are shown of a longer one. */
const SHOWN = 20
/** Levels of a container that are spelled out. */
const MAX_DEPTH = 16

/**
 * The type of a schema's `const` or `enum`, or undefined where it has neither. Values that do not fit the `type` beside
 * them can never be given; where none fits, the type is the mistake, and they stay.
 */
export function literalType(schema: SchemaObject, types: readonly string[] | undefined): TypeNode | undefined {
  const constant = read(schema, 'const')
  const values = constant !== undefined ? [constant] : readList(schema, 'enum')
  if (values === undefined) return undefined
  if (values.length === 0) return NEVER
  const fitting = types === undefined ? values : values.filter((value) => types.some((type) => isOfType(value, type)))
  const kept = fitting.length === 0 ? values : fitting
  if (kept.length > MAX_ENUM) return elided(kept)
  return unionOf(kept.map((value) => slot(typeOfValue(value, 0)))).type
}

function elided(values: readonly JsonValue[]): TypeNode {
  const scalars = values.map((value) => typeOfValue(value, 0)).filter((type) => type.kind === 'literal')
  const isWhole = scalars.length === values.length
  const names = [...new Set(scalars.map((type) => scalarName(type)))]
  const base = isWhole ? unionOf(names.map((name) => slot(scalar(name)))).type : ANY
  return { kind: 'elided', base, shown: scalars.slice(0, SHOWN), total: values.length }
}

function scalarName({ value }: LiteralNode): ScalarName {
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number'
  return value === null ? 'null' : (typeof value as 'string' | 'boolean')
}

function typeOfValue(value: JsonValue, depth: number): TypeNode {
  if (value === null) return scalar('null')
  if (typeof value === 'number' && !Number.isFinite(value)) return scalar('number')
  if (typeof value !== 'object') return { kind: 'literal', value }
  if (depth >= MAX_DEPTH) return ANY
  if (Array.isArray(value)) {
    const items = (value as readonly JsonValue[]).map((item) => slot(typeOfValue(item, depth + 1)))
    return { kind: 'tuple', items, required: items.length }
  }
  const properties = Object.entries(value).map(([name, item]) => ({
    name,
    required: true,
    ...slot(typeOfValue(item, depth + 1)),
  }))
  return { kind: 'object', properties }
}

function isOfType(value: JsonValue, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}
