// Guarded reading of schemas, which are JSON that strangers wrote: own keys only, and a wrong kind counts as absent.
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts'

/** A schema that is an object. */
export type SchemaObject = JsonObject

/** True for a JSON object. */
export function isObject(value: unknown): value is SchemaObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The own value under a keyword. */
export function read(schema: SchemaObject, keyword: string): JsonValue | undefined {
  return Object.hasOwn(schema, keyword) ? schema[keyword] : undefined
}

/** A non-blank text. */
export function readText(schema: SchemaObject, keyword: string): string | undefined {
  const value = read(schema, keyword)
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** A finite number. */
export function readNumber(schema: SchemaObject, keyword: string): number | undefined {
  const value = read(schema, keyword)
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** An array. */
export function readList(schema: SchemaObject, keyword: string): readonly JsonValue[] | undefined {
  const value = read(schema, keyword)
  return Array.isArray(value) ? value : undefined
}

/** The strings of an array. */
export function readNames(schema: SchemaObject, keyword: string): readonly string[] {
  return (readList(schema, keyword) ?? []).filter((name) => typeof name === 'string')
}

/** An object. */
export function readObject(schema: SchemaObject, keyword: string): SchemaObject | undefined {
  const value = read(schema, keyword)
  return isObject(value) ? value : undefined
}
