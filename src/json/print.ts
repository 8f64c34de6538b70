// JSON for people and models (contract H8): two spaces a level, like `JSON.stringify(value, null, 2)`, but without recursion, and
// with indentation that stops growing at MAX_INDENTED_LEVELS, so that deep values cost no more than their size.
import type { JsonObject, JsonValue } from './json-value.ts'
import { MAX_INDENTED_LEVELS } from './limits.ts'

const INDENTS: readonly string[] = Array.from(
  { length: MAX_INDENTED_LEVELS + 1 },
  (_, level) => `\n${'  '.repeat(level)}`,
)

interface Printing {
  readonly container: readonly JsonValue[] | JsonObject
  readonly keys: readonly string[] | undefined
  readonly length: number
  index: number
}

/** Pretty-printed JSON text, whatever the depth of the value. */
export function prettyPrint(value: JsonValue): string {
  const parts: string[] = []
  const open: Printing[] = []
  begin(value, open, parts)
  for (let frame = open.at(-1); frame !== undefined; frame = open.at(-1)) {
    const { container, keys, length } = frame
    if (frame.index === length) {
      open.pop()
      parts.push(lineAt(open.length), keys === undefined ? ']' : '}')
      continue
    }
    if (frame.index > 0) parts.push(',')
    parts.push(lineAt(open.length))
    const key = keys?.[frame.index]
    if (key !== undefined) parts.push(JSON.stringify(key), ': ')
    const child = key === undefined ? (container as readonly JsonValue[])[frame.index] : (container as JsonObject)[key]
    frame.index++
    begin(child as JsonValue, open, parts)
  }
  return parts.join('')
}

/** Prints a scalar or an empty container, or opens one that has members. */
function begin(value: JsonValue, open: Printing[], parts: string[]): void {
  if (typeof value !== 'object' || value === null) {
    parts.push(JSON.stringify(value))
    return
  }
  const keys = Array.isArray(value) ? undefined : Object.keys(value)
  const length = keys === undefined ? (value as readonly JsonValue[]).length : keys.length
  if (length === 0) parts.push(keys === undefined ? '[]' : '{}')
  else {
    parts.push(keys === undefined ? '[' : '{')
    open.push({ container: value as Printing['container'], keys, length, index: 0 })
  }
}

function lineAt(level: number): string {
  return INDENTS[Math.min(level, MAX_INDENTED_LEVELS)] as string
}
