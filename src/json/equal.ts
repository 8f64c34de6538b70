// Deep equality of JSON values, for `enum`, `const` and whoever compares what two sides said. No recursion.
import type { JsonObject, JsonValue } from './json-value.ts'

/** True when both are the same JSON; the order of properties does not matter. */
export function jsonEqual(left: JsonValue, right: JsonValue): boolean {
  const pairs: [JsonValue, JsonValue][] = [[left, right]]
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [a, b] = pair
    if (a === b) continue
    if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
    if (Array.isArray(a) !== Array.isArray(b)) return false
    const isSame = Array.isArray(a)
      ? pairItems(a, b as readonly JsonValue[], pairs)
      : pairMembers(a as JsonObject, b as JsonObject, pairs)
    if (!isSame) return false
  }
  return true
}

function pairItems(a: readonly JsonValue[], b: readonly JsonValue[], pairs: [JsonValue, JsonValue][]): boolean {
  if (a.length !== b.length) return false
  a.forEach((item, index) => {
    pairs.push([item, b[index] as JsonValue])
  })
  return true
}

function pairMembers(a: JsonObject, b: JsonObject, pairs: [JsonValue, JsonValue][]): boolean {
  const keys = Object.keys(a)
  if (keys.length !== Object.keys(b).length) return false
  for (const key of keys) {
    if (!Object.hasOwn(b, key)) return false
    pairs.push([a[key] as JsonValue, b[key] as JsonValue])
  }
  return true
}
