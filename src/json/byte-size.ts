// The size of a value as JSON text, in UTF-8 bytes, without building the text: budgets of calls and output are counted in it.
import type { JsonObject, JsonValue } from './json-value.ts'

/** Characters that stand for themselves, one byte each. */
const PLAIN = /^[ !#-[\]-~]*$/

/** UTF-8 bytes of what `stringify` would give. */
export function byteSize(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return scalarSize(value)
  const waiting: (readonly JsonValue[] | JsonObject)[] = [value]
  let bytes = 0
  for (let container = waiting.pop(); container !== undefined; container = waiting.pop()) {
    const isArray = Array.isArray(container)
    const keys = isArray ? undefined : Object.keys(container)
    const count = keys === undefined ? (container as readonly JsonValue[]).length : keys.length
    // Two brackets, and a comma between neighbours.
    bytes += 2 + Math.max(0, count - 1)
    for (let index = 0; index < count; index++) {
      const key = keys?.[index]
      if (key !== undefined) bytes += stringSize(key) + 1
      const child = (
        key === undefined ? (container as JsonValue[])[index] : (container as JsonObject)[key]
      ) as JsonValue
      if (typeof child === 'object' && child !== null) waiting.push(child as JsonObject)
      else bytes += scalarSize(child)
    }
  }
  return bytes
}

function scalarSize(value: null | boolean | number | string): number {
  return typeof value === 'string' ? stringSize(value) : String(value).length
}

function stringSize(text: string): number {
  if (PLAIN.test(text)) return text.length + 2
  let bytes = 2
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit < 0x20) bytes += isShortEscape(unit) ? 2 : 6
    else if (unit === 0x22 || unit === 0x5c) bytes += 2
    else if (unit < 0x80) bytes += 1
    else if (unit < 0x800) bytes += 2
    else if (unit < 0xd800 || unit > 0xdfff) bytes += 3
    else if (unit < 0xdc00 && isLowSurrogate(text.charCodeAt(index + 1))) {
      bytes += 4
      index++
    } else bytes += 6 // A lone surrogate is written as an escape.
  }
  return bytes
}

/** \b \t \n \f \r; other control characters take six bytes. */
function isShortEscape(unit: number): boolean {
  return unit === 8 || unit === 9 || unit === 10 || unit === 12 || unit === 13
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
