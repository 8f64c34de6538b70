// The form of each keyword's value: what it must be, and the refusal when it is not. Used by intake.ts alone.
import type { JsonObject, JsonValue } from '../json/json-value.ts'
import { type KeywordForm, TYPE_NAMES } from './vocabulary.ts'

/** Refuses the schema. `place` is a JSON pointer, `#` for the root; `problem` a predicate. */
export type RefuseSchema = (place: string, problem: string) => never

/** Checks the forms of one schema document. */
export class FormReader {
  readonly refuse: RefuseSchema

  constructor(refuse: RefuseSchema) {
    this.refuse = refuse
  }

  /** The value of a keyword that holds no subschemas. */
  read(form: KeywordForm, value: JsonValue, place: string): unknown {
    switch (form) {
      case 'types':
        return this.#types(value, place)
      case 'names':
        return this.names(value, place)
      case 'count':
        return this.#need(Number.isInteger(value) && (value as number) >= 0, place, 'a whole number, 0 or more', value)
      case 'number':
        return this.#need(typeof value === 'number', place, 'a number', value)
      case 'positive':
        return this.#need(typeof value === 'number' && value > 0, place, 'a number above 0', value)
      case 'text':
        return this.#need(typeof value === 'string', place, 'a string', value)
      case 'flag':
        return this.#need(typeof value === 'boolean', place, 'true or false', value)
      case 'values':
        return this.#need(Array.isArray(value), place, 'a list of values', value)
      default:
        return value
    }
  }

  /** A list of names, without repetitions. */
  names(value: JsonValue, place: string): readonly string[] {
    const isNames = Array.isArray(value) && value.every((name) => typeof name === 'string')
    this.#need(isNames, place, 'a list of names', value)
    return [...new Set(value as readonly string[])]
  }

  /** A list of at least one schema. */
  list(value: JsonValue, place: string): readonly JsonValue[] {
    return this.#need(
      Array.isArray(value) && value.length > 0,
      place,
      'a list of at least one schema',
      value,
    ) as readonly JsonValue[]
  }

  /** The members of an object. */
  entries(value: JsonValue, place: string): [string, JsonValue][] {
    return Object.entries(this.#need(isObject(value), place, 'an object', value) as JsonObject)
  }

  /** A schema that is an object. */
  schema(value: JsonValue, place: string): JsonObject {
    return this.#need(isObject(value), place, 'a schema (an object, true or false)', value) as JsonObject
  }

  #types(value: JsonValue, place: string): readonly JsonValue[] {
    const types: readonly JsonValue[] = Array.isArray(value) ? value : [value]
    const isKnown = types.length > 0 && types.every((type) => typeof type === 'string' && TYPE_NAMES.has(type))
    this.#need(isKnown, place, `${[...TYPE_NAMES].join(', ')}, or a list of these`, value)
    return [...new Set(types)]
  }

  #need(isMet: boolean, place: string, wanted: string, value: JsonValue): JsonValue {
    return isMet ? value : this.refuse(place, `must be ${wanted}, not ${quote(value)}`)
  }
}

/** A pointer to a member, with names bounded. */
export function pointerTo(place: string, key: string): string {
  return `${place}/${key.slice(0, 64).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** A value for a message. */
export function quote(value: JsonValue | undefined): string {
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object'
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
