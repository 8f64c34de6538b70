// Bounded texts: whatever a guest sends as a message is clipped here first. A second copy of what src/errors/describe-thrown.ts
// and src/json/path.ts do on the host, on captured intrinsics; tests hold both to the same words.
import { charCodeAt, fromCharCode, sliceText, stringifyJson } from './intrinsics.ts'

/** Longest property name that a path spells out, in UTF-16 units; as on the host. */
export const MAX_PATH_NAME = 64
/** Longest path that a message spells out, in steps: the first and the last ones stay, the middle is counted. */
const MAX_PATH_STEPS = 32

/** Cuts a text to `max` UTF-16 units, saying how much is gone, without splitting a surrogate pair. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text
  const last = charCodeAt(text, max - 1)
  const end = last >= 0xd800 && last <= 0xdbff ? max - 1 : max
  return `${sliceText(text, 0, end)}… (${text.length - end} more characters)`
}

/** Steps into a value, outermost first: property names and indexes. */
export interface PathStep {
  readonly name: string | number
  readonly next: PathStep | undefined
}

/** The path as a model reads it: `args.items[3].when`. Long ones keep both ends. */
export function formatPath(root: string, steps: PathStep | undefined): string {
  let count = 0
  for (let step = steps; step !== undefined; step = step.next) count++
  const kept = count <= MAX_PATH_STEPS ? count : MAX_PATH_STEPS / 2
  let path = root
  let index = 0
  for (let step = steps; step !== undefined; step = step.next, index++) {
    if (index < kept || index >= count - kept) path += formatStep(step.name)
    else if (index === kept) path += `…(${count - 2 * kept} more levels)…`
  }
  return path
}

/** One step of a path: `.when`, `[3]`, `["odd name"]`. */
export function formatStep(name: string | number): string {
  if (typeof name === 'number') return `[${name}]`
  if (name.length <= MAX_PATH_NAME && isIdentifier(name)) return `.${name}`
  return `[${stringifyJson(clip(name, MAX_PATH_NAME))}]`
}

/** True for an ASCII identifier. */
export function isIdentifier(name: string): boolean {
  if (name.length === 0) return false
  for (let index = 0; index < name.length; index++) {
    const code = charCodeAt(name, index)
    const letter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 36
    if (!letter && (index === 0 || code < 48 || code > 57)) return false
  }
  return true
}

/** Length that small pieces grow to before they are made one flat text. */
const CHUNK = 4_096

/** Builds a long text from small pieces. Adding to a text makes V8 keep a tree of the pieces, at 32 bytes each, until it is read. */
export class TextBuilder {
  #text = ''
  #chunk = ''

  addText(piece: string): void {
    this.#chunk += piece
    if (this.#chunk.length >= CHUNK) this.#flush()
  }

  add(unit: number): void {
    this.addText(fromCharCode(unit))
  }

  addCodePoint(codePoint: number): void {
    if (codePoint < 0x1_0000) this.add(codePoint)
    else {
      this.add(0xd800 + ((codePoint - 0x1_0000) >> 10))
      this.add(0xdc00 + (codePoint & 0x3ff))
    }
  }

  finish(): string {
    this.#flush()
    return this.#text
  }

  #flush(): void {
    // Reading one unit flattens the tree.
    if (this.#chunk !== '') charCodeAt(this.#chunk, 0)
    this.#text += this.#chunk
    this.#chunk = ''
  }
}
