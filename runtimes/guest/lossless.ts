// The guest's own lossless JSON check (contract A1, H4): checks a value and writes its JSON text in one walk, so that each
// slot is read once and nothing can change between check and text. Called by the bridge for arguments and for the result.
// The host's snapshot is the authority; this one gives the program its message before anything is sent, and is held to the
// same values (src/testkit/hostile-values.ts) by tests/unit/runtimes/guest/lossless.test.ts.
//
// The walk keeps its own stack of frames, because JSON.stringify overflows near 5 000 levels (contract A3), and uses captured
// intrinsics only: a `toJSON` on a prototype is never looked up.
import { describeThrown } from './describe.ts'
import {
  arrayPrototype,
  getOwnPropertyDescriptor,
  getOwnPropertyNames,
  getOwnPropertySymbols,
  getPrototypeOf,
  hasOwn,
  isArray,
  isFiniteNumber,
  mapGet,
  mapSet,
  mapSize,
  NativeMap,
  NativeSet,
  objectPrototype,
  ownData,
  sameValue,
  setAdd,
  setDelete,
  setHas,
  stringifyJson,
  trunc,
} from './intrinsics.ts'
import {
  cycleProblem,
  disguisedProblem,
  instanceProblem,
  PROBLEMS,
  scalarProblem,
  symbolKeyProblem,
  unreadableProblem,
} from './refusals.ts'
import { formatPath, formatStep, type PathStep, TextBuilder } from './text.ts'

/** As the host's limits (src/json/limits.ts); a test holds them equal. */
export const MAX_DEPTH = 10_000
export const MAX_VALUES = 16_777_216

/** Up to this depth ancestors are compared one by one, which is faster than a set. */
const SHALLOW = 16
/** Property names that one walk remembers in quotes. */
const MAX_QUOTED_KEYS = 1_000

/** JSON text, or why there is none: `args.items[3].when is a Date: …`. Both fields are own: `in` would ask a prototype. */
export type Serialized =
  | { readonly text: string; readonly refusal: undefined }
  | { readonly text: undefined; readonly refusal: string }

/** Writes a value as JSON text. `root` names it in the refusal. Never throws. */
export function serialize(value: unknown, root: string): Serialized {
  const writer = new Writer(root)
  try {
    return { text: writer.run(value), refusal: undefined }
  } catch (thrown) {
    // What is not our own refusal was thrown by a trap of a proxy, or there is no stack left to read a slot with.
    const problem = thrown === writer.refused ? writer.problem : unreadableProblem(describeThrown(thrown).message)
    return { text: undefined, refusal: `${writer.path()}${writer.extra} ${problem}` }
  }
}

/** A container that is being written. */
interface Frame {
  readonly parent: Frame | undefined
  readonly source: object
  /** Property names; `undefined` for an array. */
  readonly keys: readonly string[] | undefined
  readonly length: number
  readonly depth: number
  /** The slot that is being read. */
  index: number
}

class Writer {
  /** Thrown by a refusal; an object that no program can have. */
  readonly refused = {}
  problem = ''
  /** One more step than the frames have, for a property that is no slot. */
  extra = ''
  readonly #root: string
  readonly #text = new TextBuilder()
  readonly #quotedKeys = new NativeMap<string, string>()
  #top: Frame | undefined
  #ancestors: Set<object> | undefined
  #values = 1

  constructor(root: string) {
    this.#root = root
  }

  run(root: unknown): string {
    if (typeof root !== 'object' || root === null) return this.#scalar(root)
    let frame: Frame | undefined = this.#open(root)
    while (frame !== undefined) {
      const child = this.#fill(frame)
      frame = child === undefined ? this.#close(frame) : this.#open(child)
    }
    return this.#text.finish()
  }

  /** Path of the slot that is being read. */
  path(): string {
    return this.#pathTo(this.#top)
  }

  #pathTo(inner: Frame | undefined): string {
    let steps: PathStep | undefined
    for (let frame = inner; frame !== undefined; frame = frame.parent) {
      const { keys, index } = frame
      // A frame that was just opened has no slot yet: the path is its own.
      if (index >= 0) steps = { name: keys === undefined ? index : (keys[index] as string), next: steps }
    }
    return formatPath(this.#root, steps)
  }

  #scalar(value: unknown): string {
    switch (typeof value) {
      case 'string':
        return stringifyJson(value)
      case 'number':
        if (!isFiniteNumber(value) || sameValue(value, -0)) this.#refuse(scalarProblem(value))
        return `${value}`
      case 'boolean':
        return value ? 'true' : 'false'
      default:
        if (value === null) return 'null'
        return this.#refuse(scalarProblem(value))
    }
  }

  /** Writes slots until one holds a container, which is returned; `undefined` when the frame is complete. */
  #fill(frame: Frame): object | undefined {
    const { source, keys, length } = frame
    while (++frame.index < length) {
      const { index } = frame
      const key = keys === undefined ? index : (keys[index] as string)
      const slot = getOwnPropertyDescriptor(source, key)
      if (slot === undefined) this.#refuse(keys === undefined ? PROBLEMS.hole : PROBLEMS.changed)
      if (!hasOwn(slot, 'value')) this.#refuse(PROBLEMS.accessor)
      if (slot.enumerable !== true) this.#refuse(PROBLEMS.hidden)
      const comma = index > 0 ? ',' : ''
      const before = keys === undefined ? comma : comma + this.#quotedKey(key as string)
      const value: unknown = slot.value
      if (typeof value === 'object' && value !== null) {
        this.#text.addText(before)
        return value
      }
      this.#text.addText(before + this.#scalar(value))
    }
    return undefined
  }

  /** The same keys come with every row of a table. */
  #quotedKey(key: string): string {
    const known = mapGet(this.#quotedKeys, key)
    if (known !== undefined) return known
    const quoted = `${stringifyJson(key)}:`
    if (mapSize(this.#quotedKeys) < MAX_QUOTED_KEYS) mapSet(this.#quotedKeys, key, quoted)
    return quoted
  }

  #open(source: object): Frame {
    const parent = this.#top
    const depth = parent === undefined ? 1 : parent.depth + 1
    if (depth > MAX_DEPTH) this.#refuse(PROBLEMS.depth)
    this.#refuseCycle(source)
    const array = isArray(source)
    const names = getOwnPropertyNames(source)
    this.#refuseSymbols(source)
    const length = array ? this.#checkArray(source, names) : this.#checkObject(source, names)
    this.#values += length
    if (this.#values > MAX_VALUES) this.#refuse(PROBLEMS.size)
    const frame: Frame = { parent, source, keys: array ? undefined : names, length, depth, index: -1 }
    this.#top = frame
    this.#text.addText(array ? '[' : '{')
    if (this.#ancestors !== undefined) setAdd(this.#ancestors, source)
    else if (depth > SHALLOW) {
      this.#ancestors = new NativeSet<object>()
      for (let each: Frame | undefined = frame; each !== undefined; each = each.parent)
        setAdd(this.#ancestors, each.source)
    }
    return frame
  }

  #checkObject(source: object, names: readonly string[]): number {
    const prototype = getPrototypeOf(source)
    if (prototype !== objectPrototype && prototype !== null) this.#refuse(instanceProblem(source))
    if (names.length === 0) {
      const problem = disguisedProblem(source)
      if (problem !== undefined) this.#refuse(problem)
    }
    return names.length
  }

  #checkArray(source: object, names: readonly string[]): number {
    if (getPrototypeOf(source) !== arrayPrototype) this.#refuse(instanceProblem(source))
    const length = ownData(source, 'length') as number
    // One name more than items is `length`; another number means something beside the items, or a hole, which the walk finds.
    for (let at = 0; names.length !== length + 1 && at < names.length; at++) {
      const name = names[at] as string
      if (name === 'length' || isIndexBelow(name, length)) continue
      this.extra = formatStep(name)
      this.#refuse(PROBLEMS.extra)
    }
    return length
  }

  #close(frame: Frame): Frame | undefined {
    this.#text.addText(frame.keys === undefined ? ']' : '}')
    if (this.#ancestors !== undefined) setDelete(this.#ancestors, frame.source)
    this.#top = frame.parent
    return frame.parent
  }

  #refuseCycle(source: object): void {
    if (this.#ancestors !== undefined && !setHas(this.#ancestors, source)) return
    for (let frame = this.#top; frame !== undefined; frame = frame.parent) {
      if (frame.source === source) this.#refuse(cycleProblem(this.#pathTo(frame.parent)))
    }
  }

  #refuseSymbols(source: object): void {
    const symbols = getOwnPropertySymbols(source)
    if (symbols.length > 0) this.#refuse(symbolKeyProblem(symbols[0] as symbol))
  }

  #refuse(problem: string): never {
    this.problem = problem
    throw this.refused
  }
}

/** True for the canonical text of an index below `length`. */
function isIndexBelow(name: string, length: number): boolean {
  const index = +name
  return index >= 0 && index < length && trunc(index) === index && `${index}` === name
}
