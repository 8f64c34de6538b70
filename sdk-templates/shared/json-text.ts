// JSON texts for documentation: short, total, and bounded whatever the value (a default may be megabytes deep).
import type { JsonValue } from '../../src/json/json-value.ts'

/** Levels of containers that are written out; what is deeper shows as `…`. */
const MAX_DEPTH = 8

/** Compact JSON of a value, cut to about `limit` UTF-16 units with `…` for what is left out. */
export function jsonText(value: JsonValue, limit: number): string {
  const writer = new Writer(limit)
  writer.write(value, 0)
  return writer.text
}

/** Cuts a text to `limit` UTF-16 units, ending in `…`, without splitting a surrogate pair. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  const last = text.charCodeAt(limit - 2)
  return `${text.slice(0, last >= 0xd800 && last <= 0xdbff ? limit - 2 : limit - 1)}…`
}

class Writer {
  text = ''
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  write(value: JsonValue, depth: number): void {
    if (typeof value === 'string') this.text += JSON.stringify(cut(value, Math.max(2, this.#limit - this.text.length)))
    else if (value === null || typeof value !== 'object') this.text += String(value)
    else if (depth >= MAX_DEPTH) this.text += '…'
    else if (Array.isArray(value))
      this.#list('[', value as readonly JsonValue[], ']', (item) => this.write(item, depth + 1))
    else {
      this.#list('{', Object.entries(value), '}', ([key, item]) => {
        this.text += `${JSON.stringify(cut(key, this.#limit))}: `
        this.write(item, depth + 1)
      })
    }
  }

  #list<T>(open: string, items: readonly T[], close: string, each: (item: T) => void): void {
    this.text += open
    for (const [index, item] of items.entries()) {
      if (index > 0) this.text += ', '
      if (this.text.length >= this.#limit) {
        this.text += '…'
        break
      }
      each(item)
    }
    this.text += close
  }
}
