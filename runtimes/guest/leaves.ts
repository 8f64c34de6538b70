// How values without contents are rendered: scalars, texts in quotes, and objects that are shown by the one value inside them.
// Called by inspect.ts.
import {
  bigintValueOf,
  booleanValueOf,
  dateGetTime,
  dateToISOString,
  includesText,
  isFiniteNumber,
  numberValueOf,
  regExpFlags,
  regExpSource,
  sameValue,
  stringifyJson,
  stringValueOf,
  symbolToString,
  symbolValueOf,
} from './intrinsics.ts'
import type { Kind } from './kinds.ts'
import { clip } from './text.ts'

/** A scalar other than a text. */
export function renderScalar(value: unknown): string {
  switch (typeof value) {
    case 'bigint':
      return `${clip(`${value}`, 1_000)}n`
    case 'number':
      return sameValue(value, -0) ? '-0' : `${value}`
    case 'symbol':
      return clip(symbolToString(value), 128)
    default:
      return `${value as null | undefined | boolean}`
  }
}

/** Objects that are shown by a value inside them. */
export function renderLeaf(kind: Kind | undefined, value: object): string | undefined {
  switch (kind) {
    case 'Date': {
      const time = dateGetTime(value as Date)
      return isFiniteNumber(time) ? dateToISOString(value as Date) : 'Invalid Date'
    }
    case 'RegExp':
      return clip(`/${regExpSource(value)}/${regExpFlags(value)}`, 1_000)
    case 'String':
      return `[String: ${quote(clip(stringValueOf(value), 1_000))}]`
    case 'Number':
      return `[Number: ${renderScalar(numberValueOf(value))}]`
    case 'Boolean':
      return `[Boolean: ${booleanValueOf(value)}]`
    case 'BigInt':
      return `[BigInt: ${renderScalar(bigintValueOf(value))}]`
    case 'Symbol':
      return `[Symbol: ${renderScalar(symbolValueOf(value))}]`
    default:
      return undefined
  }
}

/** Single quotes where nothing needs an escape, else JSON's form. */
export function quote(text: string): string {
  const json = stringifyJson(text)
  return json.length === text.length + 2 && !includesText(text, "'") ? `'${text}'` : json
}
