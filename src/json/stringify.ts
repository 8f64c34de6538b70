// JSON text, both ways. `JSON.stringify` recurses and overflows the stack near 5 000 levels (fewer on a deep stack), so a value that is
// nested deeper goes an iterative way. `JSON.parse` keeps a stack of its own and needs no help.
import { describeThrown } from '../errors/describe-thrown.ts'
import type { JsonObject, JsonValue } from './json-value.ts'
import { JsonRefusedError } from './refusals.ts'
import { sealParsed } from './snapshot.ts'

/** JSON text of a value, whatever its depth. Throws a RangeError only where the text would be longer than a string can be. */
export function stringify(value: JsonValue): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return stringifyDeep(value)
  }
}

/**
 * The value of a JSON text: deeply frozen, and known to `isSnapshot`. `root` names the value in messages.
 * Throws JsonRefusedError for text that is no JSON, and for a depth, a size or a number that is no lossless JSON.
 */
export function parseJson(text: string, root = 'value'): JsonValue {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    throw new JsonRefusedError(root, `is not JSON text: ${describeThrown(error).message}`)
  }
  return sealParsed(parsed, root)
}

interface Writing {
  readonly keys: readonly string[] | undefined
  readonly container: readonly JsonValue[] | JsonObject
  index: number
}

function stringifyDeep(value: JsonValue): string {
  const parts: string[] = []
  const open: Writing[] = []
  let next: JsonValue | undefined = value
  for (;;) {
    if (next !== undefined) {
      if (typeof next === 'object' && next !== null) {
        const keys = Array.isArray(next) ? undefined : Object.keys(next)
        open.push({ container: next as Writing['container'], keys, index: 0 })
        parts.push(keys === undefined ? '[' : '{')
      } else parts.push(JSON.stringify(next))
    }
    const frame = open.at(-1)
    if (frame === undefined) return parts.join('')
    next = write(frame, parts)
    if (next === undefined) {
      parts.push(frame.keys === undefined ? ']' : '}')
      open.pop()
    }
  }
}

/** Writes the comma and the key of the next member and returns it; `undefined` when there is none. */
function write(frame: Writing, parts: string[]): JsonValue | undefined {
  const { container, keys } = frame
  const index = frame.index++
  if (keys === undefined) {
    const items = container as readonly JsonValue[]
    if (index >= items.length) return undefined
    if (index > 0) parts.push(',')
    return items[index]
  }
  const key = keys[index]
  if (key === undefined) return undefined
  parts.push(index > 0 ? ',' : '', JSON.stringify(key), ':')
  return (container as JsonObject)[key]
}
