// Renders values for the console much as Node does, within bounds of depth, entries and length.
// Called by console.ts, and by describe.ts for thrown things that are no errors.
//
// Values are the program's own, so nothing of them is trusted to behave: getters are named, never called; what a thing is comes from
// its internal slots and its own data descriptors (kinds.ts). Traps of a proxy do run; what they throw ends the rendering of that
// object alone.
import {
  asyncFunctionPrototype,
  bufferByteLength,
  functionToString,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  hasOwn,
  mapForEach,
  mapSize,
  ownData,
  ownKeys,
  setForEach,
  setSize,
  startsWith,
  symbolToString,
  typedLength,
  typedName,
} from './intrinsics.ts'
import { classNameOf, type Kind, kindOf } from './kinds.ts'
import { add, addHoles, assemble, braces, brackets, indentLines, more, type Parts } from './layout.ts'
import { quote, renderLeaf, renderScalar } from './leaves.ts'
import { programStack, readText } from './stacks.ts'
import { clip, isIdentifier } from './text.ts'

/** Containers nested deeper are named, not shown. */
const MAX_DEPTH = 5
/** Items of one array, map, set or object; the rest is counted. */
const MAX_ENTRIES = 100
/** Slots of one array that are looked at: holes cost time as well. */
const MAX_SCANNED = 1_000
/** Items no longer than this share lines. */
const MAX_DENSE = 12
/** Length of a text inside a container. */
const MAX_TEXT = 10_000
/** Length of everything that one call renders. */
const MAX_TOTAL = 200_000

/** Renders a value; never throws but for want of stack. */
export function inspect(value: unknown): string {
  return new Inspector().render(value, undefined, 0)
}

/** An object that is being rendered, and those around it. */
interface Around {
  readonly value: object
  readonly depth: number
  readonly outer: Around | undefined
}

class Inspector {
  #left = MAX_TOTAL

  render(value: unknown, around: Around | undefined, indent: number): string {
    if (this.#left <= 0) return '…'
    const text = this.#renderAny(value, around, indent)
    this.#left -= text.length
    return text
  }

  #renderAny(value: unknown, around: Around | undefined, indent: number): string {
    if (typeof value === 'string') return quote(clip(value, MAX_TEXT))
    if ((typeof value !== 'object' || value === null) && typeof value !== 'function') return renderScalar(value)
    for (let outer = around; outer !== undefined; outer = outer.outer) if (outer.value === value) return '[Circular]'
    try {
      const here = { value, depth: around === undefined ? 0 : around.depth + 1, outer: around }
      return typeof value === 'function' ? this.#renderFunction(here, indent) : this.#renderObject(here, indent)
    } catch (thrown) {
      const why = typeof thrown === 'object' && thrown !== null ? readText(thrown, 'message') : undefined
      return `[unreadable${why === undefined ? '' : `: ${clip(why, 100)}`}]`
    }
  }

  #renderFunction(here: Around, indent: number): string {
    const fn = here.value
    const name = ownData(fn, 'name')
    const named = typeof name === 'string' && name !== '' ? clip(name, 128) : undefined
    const head = startsWith(functionToString(fn as () => void), 'class')
      ? `[class ${named ?? '(anonymous)'}]`
      : `[${getPrototypeOf(fn) === asyncFunctionPrototype ? 'AsyncFunction' : 'Function'}${named === undefined ? ' (anonymous)' : `: ${named}`}]`
    const parts = braces(head)
    this.#addProperties(here, indent, parts, 'none')
    return parts.entries.length === 0 ? head : assemble(parts, indent)
  }

  #renderObject(here: Around, indent: number): string {
    const { value } = here
    const kind = kindOf(value)
    const boxed = renderLeaf(kind, value)
    const name = labelOf(value, kind)
    if (here.depth > MAX_DEPTH && boxed === undefined && kind !== 'Error')
      return `[${name === '' ? (kind ?? 'Object') : name}]`
    const head = boxed ?? (kind === 'Error' ? renderError(value, indent) : undefined)
    const parts: Parts = kind === 'Array' || kind === 'TypedArray' ? brackets(name) : braces(head ?? name)
    if (kind === 'Array') this.#addItems(here, indent, parts)
    else if (kind === 'TypedArray') this.#addNumbers(value, parts)
    else if (kind === 'Map') this.#addMap(here, indent, parts)
    else if (kind === 'Set') this.#addSet(here, indent, parts)
    else if (kind === 'ArrayBuffer') parts.entries[0] = `byteLength: ${bufferByteLength(value)}`
    this.#addProperties(here, indent, parts, kind === 'String' || kind === 'TypedArray' ? 'indexed' : kind)
    if (head !== undefined && parts.entries.length === 0) return head
    return assemble(parts, indent)
  }

  #addItems(here: Around, indent: number, parts: Parts): void {
    const length = ownData(here.value, 'length') as number
    let holes = 0
    let scanned = 0
    parts.dense = length > 6
    while (scanned < length && scanned < MAX_SCANNED && parts.entries.length < MAX_ENTRIES && this.#left > 0) {
      const slot = getOwnPropertyDescriptor(here.value, scanned++)
      if (slot === undefined) {
        holes++
        continue
      }
      holes = addHoles(parts, holes)
      const text = this.#renderSlot(slot, here, indent)
      if (text.length > MAX_DENSE || isContainer(slot)) parts.dense = false
      add(parts, text)
    }
    addHoles(parts, holes)
    if (scanned < length) add(parts, more(length - scanned, 'item'))
  }

  #addNumbers(value: object, parts: Parts): void {
    const length = typedLength(value)
    parts.dense = length > 6
    // Elements of a typed array are its own, whatever its prototype is made to say.
    for (let index = 0; index < length && index < MAX_ENTRIES; index++) {
      add(parts, renderScalar((value as unknown as readonly number[])[index]))
    }
    if (length > MAX_ENTRIES) add(parts, more(length - MAX_ENTRIES, 'item'))
  }

  #addMap(here: Around, indent: number, parts: Parts): void {
    const map = here.value as Map<unknown, unknown>
    stoppable((stop) =>
      mapForEach(map, (value, key) => {
        if (parts.entries.length >= MAX_ENTRIES || this.#left <= 0) throw stop
        add(parts, `${this.render(key, here, indent + 2)} => ${this.render(value, here, indent + 2)}`)
      }),
    )
    const rest = mapSize(map) - parts.entries.length
    if (rest > 0) add(parts, more(rest, 'item'))
  }

  #addSet(here: Around, indent: number, parts: Parts): void {
    const set = here.value as Set<unknown>
    stoppable((stop) =>
      setForEach(set, (value) => {
        if (parts.entries.length >= MAX_ENTRIES || this.#left <= 0) throw stop
        add(parts, this.render(value, here, indent + 2))
      }),
    )
    const rest = setSize(set) - parts.entries.length
    if (rest > 0) add(parts, more(rest, 'item'))
  }

  /** Adds enumerable properties, and the causes of an error. */
  #addProperties(here: Around, indent: number, parts: Parts, kind: Kind | 'indexed' | 'none' | undefined): void {
    // Listing the keys of a long array makes a text of each index.
    if (kind === 'Array' && (ownData(here.value, 'length') as number) > MAX_SCANNED) return
    if (kind === 'indexed' && typedName(here.value) !== undefined && typedLength(here.value) > MAX_SCANNED) return
    const keys = ownKeys(here.value)
    const limit = parts.entries.length + MAX_ENTRIES
    for (let index = 0; index < keys.length && this.#left > 0; index++) {
      const key = keys[index] as string | symbol
      if ((kind === 'Array' || kind === 'indexed') && isIndex(key)) continue
      if (kind === 'Error' && (key === 'name' || key === 'message' || key === 'stack')) continue
      const slot = getOwnPropertyDescriptor(here.value, key)
      if (slot === undefined) continue
      const cause = kind === 'Error' && (key === 'cause' || key === 'errors')
      if (slot.enumerable !== true && !cause) continue
      if (parts.entries.length >= limit) {
        add(parts, more(keys.length - index, 'property'))
        return
      }
      const name = cause && slot.enumerable !== true ? `[${key as string}]` : renderKey(key)
      add(parts, `${name}: ${this.#renderSlot(slot, here, indent)}`)
    }
  }

  #renderSlot(slot: PropertyDescriptor, here: Around, indent: number): string {
    if (hasOwn(slot, 'value')) return this.render(slot.value, here, indent + 2)
    if (slot.get === undefined) return '[Setter]'
    return slot.set === undefined ? '[Getter]' : '[Getter/Setter]'
  }
}

/** `Name: message` and the program's frames. */
function renderError(error: object, indent: number): string {
  const name = clip(readText(error, 'name') ?? 'Error', 128)
  const message = clip(readText(error, 'message') ?? '', MAX_TEXT)
  const frames = programStack(error)
  const head = message === '' ? name : `${name}: ${message}`
  return frames === '' ? (indent === 0 ? head : `[${head}]`) : indentLines(`${head}\n${frames}`, indent)
}

/** Class name, and the size of what has one; empty for a plain object or array. */
function labelOf(value: object, kind: Kind | undefined): string {
  const name = classNameOf(value)
  switch (kind) {
    case 'Array':
      return name === 'Array' ? '' : `${name ?? 'Array'}(${ownData(value, 'length') as number})`
    case 'TypedArray':
      return `${name ?? typedName(value)}(${typedLength(value)})`
    case 'Map':
      return `${name ?? kind}(${mapSize(value)})`
    case 'Set':
      return `${name ?? kind}(${setSize(value)})`
    default: {
      if (name !== undefined) return name
      const prototype = getPrototypeOf(value)
      return prototype === null ? '[Object: null prototype]' : ''
    }
  }
}

function isContainer(slot: PropertyDescriptor): boolean {
  return hasOwn(slot, 'value') && typeof slot.value === 'object' && slot.value !== null
}

function renderKey(key: string | symbol): string {
  if (typeof key === 'symbol') return `[${clip(symbolToString(key), 128)}]`
  return isIdentifier(key) ? key : quote(clip(key, 1_000))
}

function isIndex(key: string | symbol): boolean {
  if (typeof key === 'symbol') return false
  const index = +key
  return index >= 0 && index < 4_294_967_295 && `${index}` === key
}

/** Runs a `forEach` that the visitor can leave by throwing what it is given. */
function stoppable(visit: (stop: object) => void): void {
  const stop = {}
  try {
    visit(stop)
  } catch (thrown) {
    if (thrown !== stop) throw thrown
  }
}
