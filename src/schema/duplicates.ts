// `uniqueItems` in linear time: Ajv's own compares every item with every other. Equal values get equal numbers, from the leaves up, so
// that one walk finds whether two items are the same. No recursion; shared by engine.ts and violations.ts.
import type { JsonArray, JsonObject, JsonValue } from '../json/json-value.ts'

/** The first two equal items of a list, or `undefined`. `spend` is charged for what is looked at. */
export function findDuplicate(
  items: JsonArray,
  numbers: ValueNumbers,
  spend?: (steps: number) => void,
): readonly [first: number, second: number] | undefined {
  spend?.(items.length)
  const seen = new Map<number, number>()
  for (let index = 0; index < items.length; index++) {
    const number = numbers.of(items[index] as JsonValue, spend)
    const first = seen.get(number)
    if (first !== undefined) return [first, index]
    seen.set(number, index)
  }
  return undefined
}

interface Numbering {
  readonly container: JsonArray | JsonObject
  readonly keys: readonly string[] | undefined
  readonly parts: number[]
}

/** Numbers values so that equal ones, and only those, share a number. Remembers containers, so that nested lists stay linear. */
export class ValueNumbers {
  /** Scalars by themselves, containers by the numbers of what they hold. */
  readonly #scalars = new Map<JsonValue, number>()
  readonly #containers = new Map<string, number>()
  readonly #known = new Map<JsonArray | JsonObject, number>()
  #next = 0

  /** The number of a value. */
  of(value: JsonValue, spend?: (steps: number) => void): number {
    const atOnce = this.#lookUp(value)
    if (atOnce !== undefined) return atOnce
    const open: Numbering[] = [begin(value as JsonArray | JsonObject)]
    for (;;) {
      const frame = open[open.length - 1] as Numbering
      const child = nextChild(frame)
      if (child !== undefined) {
        const number = this.#lookUp(child)
        if (number === undefined) open.push(begin(child as JsonArray | JsonObject))
        else frame.parts.push(number)
        continue
      }
      spend?.(frame.parts.length + 1)
      const number = this.#numberOf(frame)
      open.pop()
      const parent = open[open.length - 1]
      if (parent === undefined) return number
      parent.parts.push(number)
    }
  }

  #lookUp(value: JsonValue): number | undefined {
    if (typeof value === 'object' && value !== null) return this.#known.get(value as JsonArray | JsonObject)
    return this.#enter(this.#scalars, value)
  }

  #numberOf({ container, keys, parts }: Numbering): number {
    const names = keys?.map((key) => this.#enter(this.#scalars, key))
    const text = names === undefined ? `[${parts}` : `{${names.map((name, index) => `${name}:${parts[index]}`)}`
    const number = this.#enter(this.#containers, text)
    this.#known.set(container, number)
    return number
  }

  #enter<K>(table: Map<K, number>, key: K): number {
    const known = table.get(key)
    if (known !== undefined) return known
    const number = this.#next++
    table.set(key, number)
    return number
  }
}

function begin(container: JsonArray | JsonObject): Numbering {
  const keys = Array.isArray(container) ? undefined : Object.keys(container).sort()
  return { container, keys, parts: [] }
}

function nextChild({ container, keys, parts }: Numbering): JsonValue | undefined {
  if (keys === undefined) return (container as JsonArray)[parts.length]
  const key = keys[parts.length]
  return key === undefined ? undefined : (container as JsonObject)[key]
}
