// The JSON boundary (contract A1–A4): one walk that checks that a value is lossless JSON, copies it and freezes the copy.
// Called for whatever enters or leaves a call. What it accepts is data from then on: detached, deeply frozen, free of surprises.
//
//   anything ──▶ snapshot ──▶ frozen JsonValue, known to isSnapshot
//   JSON text ──▶ parseJson (stringify.ts) ──▶ sealParsed ──▶ the same
//
// Threat: values come from tools and listeners, and may be proxies, hold getters, be cyclic or nested without end. The walk keeps its own
// stack, takes each slot once by its own data descriptor and calls nothing; traps of a proxy may throw, and their error becomes a
// refusal. A proxy that answers like plain data is plain data: only what it said is kept. Held to src/testkit/hostile-values.ts,
// as is the guest's own check.
//
// Decided here: an own property that is not enumerable is refused (a copy would lose it), an array's `length` apart; an array
// needs the Array.prototype of some realm; a frozen, sealed or read-only container is as good as any.
import { describeThrown } from '../errors/describe-thrown.ts'
import type { JsonValue } from './json-value.ts'
import { MAX_DEPTH, MAX_VALUES } from './limits.ts'
import { formatPath, type PathSegment } from './path.ts'
import { isArrayPrototype, isObjectPrototype } from './realms.ts'
import {
  cycleProblem,
  disguisedProblem,
  instanceProblem,
  JsonRefusedError,
  PROBLEMS,
  scalarProblem,
  symbolKeyProblem,
  unreadableProblem,
} from './refusals.ts'

const { freeze, getOwnPropertyDescriptor, getOwnPropertyNames, getOwnPropertySymbols, getPrototypeOf, hasOwn } = Object

/** Up to this depth ancestors are compared one by one, which is faster than a set. */
const SHALLOW = 16

/** Roots that this module made. A brand, not a cache: it lets trusted code skip a second walk, and only frozen values are in it. */
const SNAPSHOTS = new WeakSet<object>()

/**
 * A detached, deeply frozen copy of a lossless JSON value. A value that is a snapshot already is returned as it is.
 * `root` names the value in messages. Throws {@link JsonRefusedError} naming the path.
 */
export function snapshot(value: unknown, root = 'value'): JsonValue {
  if (typeof value === 'object' && value !== null && SNAPSHOTS.has(value)) return value as JsonValue
  return walk(value, root, refuseLoudly)
}

/** True for what {@link snapshot} or `parseJson` returned, and for every JSON scalar: it needs no second check. */
export function isSnapshot(value: unknown): value is JsonValue {
  return typeof value === 'object' && value !== null ? SNAPSHOTS.has(value) : isJsonScalar(value)
}

/** The same check as {@link snapshot}, as a question. Never throws. */
export function isLosslessJson(value: unknown): value is JsonValue {
  if (isSnapshot(value)) return true
  try {
    walk(value, '', refuseQuietly)
    return true
  } catch {
    return false
  }
}

/** True for null, booleans, strings, and finite numbers other than -0. */
export function isJsonScalar(value: unknown): value is null | boolean | number | string {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return true
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0)
    default:
      return value === null
  }
}

/**
 * Checks and freezes, in place, what `JSON.parse` just made: nothing else has it yet, and it is plain by construction.
 * Throws {@link JsonRefusedError} for a depth, a size or a number (-0, 1e999) that is no lossless JSON.
 */
export function sealParsed(parsed: unknown, root: string): JsonValue {
  if (typeof parsed !== 'object' || parsed === null) return walk(parsed, root, refuseLoudly)
  const containers: object[] = [parsed]
  const depths: number[] = [1]
  let values = 1
  for (let container = containers.pop(); container !== undefined; container = containers.pop()) {
    const depth = depths.pop() as number
    const children: unknown[] = Array.isArray(container) ? container : Object.values(container)
    values += children.length
    // The slow walk refuses it again, and knows the path.
    if (depth > MAX_DEPTH || values > MAX_VALUES) return walk(parsed, root, refuseLoudly)
    for (const child of children) {
      if (typeof child === 'object' && child !== null) {
        containers.push(child)
        depths.push(depth + 1)
      } else if (!isJsonScalar(child)) return walk(parsed, root, refuseLoudly)
    }
    freeze(container)
  }
  SNAPSHOTS.add(parsed)
  return parsed as JsonValue
}

/** What a refusal does: throws. `path` is computed only by those who want it. */
type Rejector = (path: () => string, problem: string) => never

const refuseLoudly: Rejector = (path, problem) => {
  throw new JsonRefusedError(path(), problem)
}

const refuseQuietly: Rejector = () => {
  throw undefined
}

function walk(value: unknown, root: string, reject: Rejector): JsonValue {
  const walker = new Walker(root, reject)
  try {
    return walker.run(value)
  } catch (thrown) {
    // Our own refusal passes; anything else was thrown by a trap while a slot was read, and may be hostile itself.
    if (walker.hasRefused) throw thrown
    return reject(() => walker.path(), unreadableProblem(describeThrown(thrown).message))
  }
}

/** A container under construction. */
interface Frame {
  readonly source: object
  readonly copy: unknown[] | Record<string, unknown>
  /** Property names; `undefined` for an array. */
  readonly keys: readonly string[] | undefined
  readonly length: number
  /** The slot that is being read. */
  index: number
}

class Walker {
  hasRefused = false
  readonly #root: string
  readonly #reject: Rejector
  readonly #frames: Frame[] = []
  /** Sources of all frames; kept once the walk is deeper than {@link SHALLOW}. */
  #ancestors: Set<object> | undefined
  #values = 1

  constructor(root: string, reject: Rejector) {
    this.#root = root
    this.#reject = reject
  }

  run(value: unknown): JsonValue {
    if (isJsonScalar(value)) return value
    if (typeof value !== 'object' || value === null) return this.#refuse(scalarProblem(value))
    let frame = this.#open(value)
    for (;;) {
      const child = this.#fill(frame)
      if (child !== undefined) {
        frame = this.#open(child)
        continue
      }
      const copy = freeze(frame.copy) as JsonValue
      const parent = this.#close()
      if (parent === undefined) {
        SNAPSHOTS.add(copy as object)
        return copy
      }
      put(parent, copy)
      parent.index++
      frame = parent
    }
  }

  /** Path of the slot that is being read. */
  path(depth = this.#frames.length): string {
    const segments: PathSegment[] = this.#frames
      .slice(0, depth)
      .map(({ keys, index }) => (keys === undefined ? index : (keys[index] ?? '')))
    return formatPath(this.#root, segments)
  }

  /** Copies slots until one holds a container, which is returned; `undefined` when the frame is complete. */
  #fill(frame: Frame): object | undefined {
    const { source, keys, length } = frame
    for (; frame.index < length; frame.index++) {
      const slot = getOwnPropertyDescriptor(
        source,
        keys === undefined ? String(frame.index) : (keys[frame.index] as string),
      )
      if (slot === undefined) this.#refuse(keys === undefined ? PROBLEMS.hole : PROBLEMS.changed)
      if (!hasOwn(slot, 'value')) this.#refuse(PROBLEMS.accessor)
      if (slot.enumerable !== true) this.#refuse(PROBLEMS.hidden)
      const value: unknown = slot.value
      if (isJsonScalar(value)) put(frame, value)
      else if (typeof value === 'object' && value !== null) return value
      else this.#refuse(scalarProblem(value))
    }
    return undefined
  }

  #open(source: object): Frame {
    // The path of every refusal here is that of the container itself: its frame is not on the stack yet.
    if (this.#frames.length >= MAX_DEPTH) this.#refuse(PROBLEMS.depth)
    this.#refuseCycle(source)
    const frame = Array.isArray(source) ? this.#openArray(source) : this.#openObject(source)
    this.#frames.push(frame)
    if (this.#ancestors !== undefined) this.#ancestors.add(source)
    else if (this.#frames.length > SHALLOW) this.#ancestors = new Set(this.#frames.map((each) => each.source))
    return frame
  }

  #openObject(source: object): Frame {
    const prototype: unknown = getPrototypeOf(source)
    if (prototype !== Object.prototype && prototype !== null && !isObjectPrototype(prototype as object)) {
      this.#refuse(instanceProblem(source))
    }
    const keys = getOwnPropertyNames(source)
    this.#refuseSymbols(source)
    if (keys.length === 0) {
      const problem = disguisedProblem(source)
      if (problem !== undefined) this.#refuse(problem)
    }
    this.#count(keys.length)
    return { source, copy: {}, keys, length: keys.length, index: 0 }
  }

  #openArray(source: object): Frame {
    const prototype: unknown = getPrototypeOf(source)
    if (prototype !== Array.prototype && !isArrayPrototype(prototype)) this.#refuse(instanceProblem(source))
    const length = getOwnPropertyDescriptor(source, 'length')?.value as number
    // Before its names are listed: a sparse array may claim four billion items.
    this.#count(length)
    const keys = getOwnPropertyNames(source)
    this.#refuseSymbols(source)
    if (keys.length !== length + 1) {
      const extra = keys.find((key) => key !== 'length' && !isIndexBelow(key, length))
      if (extra !== undefined) this.#refuseAt(extra, PROBLEMS.extra)
      let hole = 0
      while (hasOwn(source, hole)) hole++
      this.#refuseAt(hole, PROBLEMS.hole)
    }
    return { source, copy: [], keys: undefined, length, index: 0 }
  }

  #count(slots: number): void {
    this.#values += slots
    if (this.#values > MAX_VALUES) this.#refuse(PROBLEMS.size)
  }

  #close(): Frame | undefined {
    const closed = this.#frames.pop() as Frame
    this.#ancestors?.delete(closed.source)
    return this.#frames[this.#frames.length - 1]
  }

  #refuseCycle(source: object): void {
    if (this.#ancestors !== undefined && !this.#ancestors.has(source)) return
    for (let depth = 0; depth < this.#frames.length; depth++) {
      if (this.#frames[depth]?.source === source) this.#refuse(cycleProblem(this.path(depth)))
    }
  }

  #refuseSymbols(source: object): void {
    const symbols = getOwnPropertySymbols(source)
    if (symbols.length > 0) this.#refuse(symbolKeyProblem(symbols[0] as symbol))
  }

  #refuse(problem: string): never {
    this.hasRefused = true
    return this.#reject(() => this.path(), problem)
  }

  #refuseAt(slot: PathSegment, problem: string): never {
    this.hasRefused = true
    return this.#reject(() => this.path() + formatPath('', [slot]), problem)
  }
}

function put(frame: Frame, value: unknown): void {
  const { copy, keys, index } = frame
  if (keys === undefined) {
    ;(copy as unknown[]).push(value)
    return
  }
  const key = keys[index] as string
  // An assignment would call the setter of Object.prototype and lose the key.
  if (key === '__proto__')
    Object.defineProperty(copy, key, { value, writable: true, enumerable: true, configurable: true })
  else (copy as Record<string, unknown>)[key] = value
}

function isIndexBelow(key: string, length: number): boolean {
  const index = Number(key)
  return Number.isInteger(index) && index >= 0 && index < length && String(index) === key
}
