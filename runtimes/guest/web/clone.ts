// `structuredClone`, as browsers have it, for what exists here: scalars, plain objects, arrays, dates, regular expressions, maps, sets,
// errors, buffers and their views, boxed scalars. Called by the prelude. Objects are copied by a worklist, so depth is no limit; class
// instances become plain objects, as everywhere; functions, symbols, promises and weak collections cannot be cloned.
import {
  bareArray,
  bigintValueOf,
  booleanValueOf,
  bufferSlice,
  bufferTransfer,
  construct,
  createObject,
  dateGetTime,
  defineProperty,
  errorPrototypes,
  getOwnPropertyDescriptor,
  getProperty,
  isArray,
  mapForEach,
  mapGet,
  mapSet,
  NativeDataView,
  NativeDate,
  NativeError,
  NativeMap,
  NativeRegExp,
  NativeSet,
  NativeTypeError,
  numberValueOf,
  ownData,
  ownKeys,
  regExpFlags,
  regExpSource,
  setAdd,
  setForEach,
  setPrototypeOf,
  stringValueOf,
  toObject,
  typedArrays,
  typedBuffer,
  typedByteOffset,
  typedLength,
  typedName,
  viewBuffer,
  viewByteLength,
  viewByteOffset,
} from '../intrinsics.ts'
import { hasSlotOf, type Kind, kindOf } from '../kinds.ts'
import { readText } from '../stacks.ts'
import { namedError } from './named-error.ts'

/** Clones a value. `transfer` lists buffers that move instead of being copied. Throws a DataCloneError. */
export function structuredClone(value: unknown, options?: { readonly transfer?: unknown }): unknown {
  const moved = transferList(options?.transfer)
  const copy = new Cloner().run(value)
  for (let at = 0; at < moved.length; at++) bufferTransfer(moved[at] as ArrayBuffer)
  return copy
}

/** Buffers whose bytes leave them once everything is cloned. */
function transferList(transfer: unknown): ArrayBuffer[] {
  const list = bareArray<ArrayBuffer>()
  if (transfer === undefined) return list
  if (!isArray(transfer)) throw new NativeTypeError('structuredClone takes a list of buffers to transfer')
  for (let at = 0; at < transfer.length; at++) {
    const buffer: unknown = transfer[at]
    if (typeof buffer !== 'object' || buffer === null || !hasSlotOf('ArrayBuffer', buffer)) {
      throw namedError('DataCloneError', 'only an ArrayBuffer can be transferred')
    }
    list[at] = buffer as ArrayBuffer
  }
  return list
}

/** A copy whose contents are still to be filled in. */
interface Pending {
  readonly source: object
  readonly copy: object
  readonly kind: Kind | undefined
  readonly next: Pending | undefined
}

class Cloner {
  readonly #copies = new NativeMap<object, object>()
  #pending: Pending | undefined

  run(root: unknown): unknown {
    const copy = this.#clone(root)
    for (let item = this.#pending; item !== undefined; item = this.#pending) {
      this.#pending = item.next
      this.#fill(item)
    }
    return copy
  }

  /** The clone of a value; of a container, its empty copy, which is filled in later. */
  #clone(value: unknown): unknown {
    if (typeof value === 'symbol' || typeof value === 'function') throw uncloneable(`a ${typeof value}`)
    if (typeof value !== 'object' || value === null) return value
    const known = mapGet(this.#copies, value)
    if (known !== undefined) return known
    const kind = kindOf(value)
    const copy = this.#shell(value, kind)
    mapSet(this.#copies, value, copy)
    if (isFilled(kind)) this.#pending = { source: value, copy, kind, next: this.#pending }
    return copy
  }

  #shell(source: object, kind: Kind | undefined): object {
    switch (kind) {
      case undefined:
        return {}
      case 'Array':
        return []
      case 'Map':
        return new NativeMap()
      case 'Set':
        return new NativeSet()
      case 'Date':
        return new NativeDate(dateGetTime(source as Date))
      case 'RegExp':
        return new NativeRegExp(regExpSource(source), regExpFlags(source))
      case 'Error':
        return shellOfError(source)
      case 'ArrayBuffer':
        return bufferSlice(source as ArrayBuffer, 0)
      case 'DataView':
        return new NativeDataView(
          this.#clone(viewBuffer(source)) as ArrayBuffer,
          viewByteOffset(source),
          viewByteLength(source),
        )
      case 'TypedArray': {
        const buffer = this.#clone(typedBuffer(source))
        const Class = typedArrays[typedName(source) as string] as Uint8ArrayConstructor
        return construct(Class, [buffer, typedByteOffset(source), typedLength(source)]) as object
      }
      case 'Number':
        return toObject(numberValueOf(source)) as object
      case 'String':
        return toObject(stringValueOf(source)) as object
      case 'Boolean':
        return toObject(booleanValueOf(source)) as object
      case 'BigInt':
        return toObject(bigintValueOf(source)) as object
      default:
        throw uncloneable(`a ${kind}`)
    }
  }

  #fill({ source, copy, kind }: Pending): void {
    if (kind === 'Map') {
      mapForEach(source as Map<unknown, unknown>, (value, key) =>
        mapSet(copy as Map<unknown, unknown>, this.#clone(key), this.#clone(value)),
      )
      return
    }
    if (kind === 'Set') {
      setForEach(source as Set<unknown>, (value) => setAdd(copy as Set<unknown>, this.#clone(value)))
      return
    }
    if (kind === 'Error') {
      const cause = getOwnPropertyDescriptor(source, 'cause')
      if (cause !== undefined) define(copy, 'cause', this.#clone(getProperty(source, 'cause')), false)
      return
    }
    if (kind === 'Array') define(copy, 'length', ownData(source, 'length'), false)
    const keys = ownKeys(source)
    for (let at = 0; at < keys.length; at++) {
      const key = keys[at] as PropertyKey
      if (typeof key === 'symbol' || getOwnPropertyDescriptor(source, key)?.enumerable !== true) continue
      define(copy, key, this.#clone(getProperty(source, key)), true)
    }
  }
}

function isFilled(kind: Kind | undefined): boolean {
  return kind === undefined || kind === 'Array' || kind === 'Map' || kind === 'Set' || kind === 'Error'
}

/** An error keeps its class if that is one of the language's own, its message and its stack. */
function shellOfError(source: object): object {
  const copy = new NativeError(readText(source, 'message') ?? '')
  const prototype = errorPrototypes[readText(source, 'name') ?? 'Error']
  if (prototype !== undefined) setPrototypeOf(copy, prototype)
  const stack = readText(source, 'stack')
  if (stack !== undefined) define(copy, 'stack', stack, false)
  return copy
}

function define(target: object, key: PropertyKey, value: unknown, enumerable: boolean): void {
  // An array's length can neither be made configurable nor enumerable.
  const descriptor = createObject(null) as PropertyDescriptor
  descriptor.value = value
  if (key !== 'length' || enumerable) {
    descriptor.enumerable = enumerable
    descriptor.configurable = true
    descriptor.writable = true
  }
  defineProperty(target, key, descriptor)
}

function uncloneable(what: string): Error {
  return namedError('DataCloneError', `${what} cannot be cloned`)
}
