// Words for values, types and names in messages about schemas. Whatever is shown was somebody's data: it is quoted and cut.
import { nearestNames } from '../errors/nearest.ts'
import type { JsonArray, JsonValue } from '../json/json-value.ts'

const MAX_SHOWN = 60
const MAX_SHOWN_VALUES = 20
const MAX_COMPARED_NAMES = 200

const TYPE_LABELS: ReadonlyMap<string, string> = new Map([
  ['null', 'null'],
  ['boolean', 'true or false'],
  ['integer', 'an integer'],
  ['number', 'a number'],
  ['string', 'a string'],
  ['array', 'an array'],
  ['object', 'an object'],
])

/** A value in a few words: scalars as JSON, containers by their kind. */
export function show(value: JsonValue): string {
  if (Array.isArray(value)) return value.length === 1 ? 'an array of 1 item' : `an array of ${value.length} items`
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, MAX_SHOWN + 1) : value)
  return typeof value === 'string' && value.length > MAX_SHOWN
    ? `${text.slice(0, MAX_SHOWN)}…" (${value.length} characters)`
    : text
}

/** Values to choose from. */
export function showValues(values: JsonArray): string {
  const shown = values.slice(0, MAX_SHOWN_VALUES).map(show)
  if (values.length > MAX_SHOWN_VALUES) return `one of ${shown.join(', ')} and ${values.length - MAX_SHOWN_VALUES} more`
  return shown.length === 1 ? (shown[0] as string) : `one of ${shown.join(', ')}`
}

/** `a string`, `an integer or null`. */
export function labelOfTypes(types: string | readonly string[]): string {
  const list = typeof types === 'string' ? [types] : types
  return listOf(
    list.map((type) => TYPE_LABELS.get(type) ?? type),
    'or',
  )
}

/** `a`, `a or b`, `a, b or c`. */
export function listOf(parts: readonly string[], conjunction: string): string {
  if (parts.length <= 1) return parts[0] ?? ''
  return `${parts.slice(0, -1).join(', ')} ${conjunction} ${parts.at(-1)}`
}

/** The known name that was probably meant. Not looked for among very many: messages of hostile calls must stay cheap. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  return known.length > MAX_COMPARED_NAMES ? undefined : nearestNames(name, known)[0]
}
