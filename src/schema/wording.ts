// Words for values, types and names in messages about schemas. Whatever is shown was somebody's data: it is quoted and cut.
import type { JsonArray, JsonValue } from '../json/json-value.ts'

const MAX_SHOWN = 60
const MAX_SHOWN_VALUES = 20

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

/** The known name that was probably meant: the same but for case and separators, or within two edits. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_SHOWN || known.length > 1_000) return undefined
  const plain = (text: string): string => text.toLowerCase().replace(/[-_ ]/g, '')
  const same = known.find((each) => plain(each) === plain(name))
  if (same !== undefined) return same
  const allowed = Math.min(2, Math.floor(name.length / 3))
  const near = known
    .filter((each) => Math.abs(each.length - name.length) <= allowed)
    .map((each) => ({ each, distance: editDistance(name, each) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance)
  return near[0]?.each
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(replaced, (previous[j] as number) + 1, (row[j - 1] as number) + 1))
    }
    previous = row
  }
  return previous[b.length] as number
}
