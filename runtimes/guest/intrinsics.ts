// Captured first: every intrinsic that guest code uses, taken before a program can touch it (contract K7).
// Imported by every other guest file and importing nothing, so that it runs before them in the bundle.
//
// Threat: a program may replace, freeze or poison any global and any property of any prototype, at any time. It cannot
// reach the scope of this module. So guest code
//   - calls built-in methods only through the functions below, never as `value.method()`;
//   - never iterates with `for…of`, array destructuring or spread, which look up `Symbol.iterator`;
//   - writes new array elements only where a prototype cannot have a setter for them (`bareArray`);
//   - reads own properties only, never asks `in`, and passes descriptors without a prototype.
// Attacked in tests/security/guest-intrinsics.test.ts; the first two rules are held by tests/unit/runtimes/guest/sources.test.ts.

const { bind, call } = Function.prototype

/** A method as a function whose first parameter is its `this`. Bound functions look nothing up when they are called. */
export const uncurryThis = bind.bind(call) as unknown as <This, Args extends unknown[], Result>(
  method: (this: This, ...args: Args) => Result,
) => (self: This, ...args: Args) => Result

export const NativeDataView = DataView
export const NativeDate = Date
export const NativeError = Error
export const NativeMap = Map
export const NativePromise = Promise
export const NativeProxy = Proxy
export const NativeRangeError = RangeError
export const NativeRegExp = RegExp
export const NativeSet = Set
export const NativeTypeError = TypeError
export const NativeUint8Array = Uint8Array
export const NativeWeakMap = WeakMap

/** Boxes a scalar. */
export const toObject = Object as (value: unknown) => object

export const globalObject: object = globalThis
export const arrayPrototype: object = Array.prototype
export const datePrototype: object = Date.prototype
export const errorPrototype: object = Error.prototype
export const objectPrototype: object = Object.prototype
export const mathObject: object = Math

export const { apply, construct, defineProperty, deleteProperty, get: getProperty, ownKeys } = Reflect

// Where Reflect and Object have the same, V8 has a fast path for one of them.
export const {
  create: createObject,
  freeze,
  getOwnPropertyDescriptor,
  getOwnPropertyNames,
  getOwnPropertySymbols,
  getPrototypeOf,
  is: sameValue,
  setPrototypeOf,
} = Object as Omit<ObjectConstructor, 'getPrototypeOf'> & { getPrototypeOf(target: object): object | null }
export const hasOwn: (target: object, key: PropertyKey) => boolean = Object.hasOwn
export const { isArray } = Array
export const { isView } = ArrayBuffer
export const { isFinite: isFiniteNumber, NaN: notANumber, POSITIVE_INFINITY: infinity } = Number
export const { parse: parseJson, stringify: stringifyJson } = JSON
export const { imul, max, min, trunc } = Math
export const { now: dateNow } = Date
export const { fromCharCode } = String

/** `Error.isError`, which TypeScript's library does not declare yet: true for whatever has the error slot, and runs nothing. */
export const { isError } = Error as unknown as { isError(value: unknown): boolean }

export const charCodeAt = uncurryThis(String.prototype.charCodeAt)
export const includesText = uncurryThis(String.prototype.includes)
export const indexOfText = uncurryThis(String.prototype.indexOf)
export const repeatText = uncurryThis(String.prototype.repeat)
export const sliceText = uncurryThis(String.prototype.slice)
export const startsWith = uncurryThis(String.prototype.startsWith)
export const toLowerCase = uncurryThis(String.prototype.toLowerCase)

export const functionToString = uncurryThis(Function.prototype.toString)
export const objectToString = uncurryThis(Object.prototype.toString) as (self: unknown) => string
export const symbolToString = uncurryThis(Symbol.prototype.toString)
export const dateToISOString = uncurryThis(Date.prototype.toISOString)
export const dateToString = uncurryThis(Date.prototype.toString)
export const dateGetTime = uncurryThis(Date.prototype.getTime)
export const numberValueOf = uncurryThis(Number.prototype.valueOf) as (self: unknown) => number
export const stringValueOf = uncurryThis(String.prototype.valueOf) as (self: unknown) => string
export const booleanValueOf = uncurryThis(Boolean.prototype.valueOf) as (self: unknown) => boolean
export const bigintValueOf = uncurryThis(BigInt.prototype.valueOf) as (self: unknown) => bigint
export const symbolValueOf = uncurryThis(Symbol.prototype.valueOf) as (self: unknown) => symbol

export const mapGet = uncurryThis(Map.prototype.get) as <K, V>(map: Map<K, V>, key: K) => V | undefined
export const mapSet = uncurryThis(Map.prototype.set) as <K, V>(map: Map<K, V>, key: K, value: V) => void
export const mapDelete = uncurryThis(Map.prototype.delete) as <K, V>(map: Map<K, V>, key: K) => boolean
export const mapForEach = uncurryThis(Map.prototype.forEach) as <K, V>(
  map: Map<K, V>,
  visit: (value: V, key: K) => void,
) => void
export const setAdd = uncurryThis(Set.prototype.add) as <T>(set: Set<T>, value: T) => void
export const setHas = uncurryThis(Set.prototype.has) as <T>(set: Set<T>, value: T) => boolean
export const setDelete = uncurryThis(Set.prototype.delete) as <T>(set: Set<T>, value: T) => boolean
export const setForEach = uncurryThis(Set.prototype.forEach) as <T>(set: Set<T>, visit: (value: T) => void) => void
export const weakMapGet = uncurryThis(WeakMap.prototype.get) as <K extends WeakKey, V>(
  map: WeakMap<K, V>,
  key: K,
) => V | undefined
export const weakMapSet = uncurryThis(WeakMap.prototype.set) as <K extends WeakKey, V>(
  map: WeakMap<K, V>,
  key: K,
  value: V,
) => void
export const weakMapHas = uncurryThis(WeakMap.prototype.has) as (
  map: WeakMap<WeakKey, unknown>,
  key: WeakKey,
) => boolean
export const weakSetHas = uncurryThis(WeakSet.prototype.has) as (set: WeakSet<WeakKey>, key: WeakKey) => boolean

/** Only for promises that {@link ownPromise} has sealed: `then` consults the `constructor` of its promise. */
export const promiseThen = uncurryThis(Promise.prototype.then) as <T>(
  promise: Promise<T>,
  onValue: ((value: T) => void) | undefined,
  onError?: (error: unknown) => void,
) => Promise<void>

const typedArrayPrototype = Reflect.getPrototypeOf(Uint8Array.prototype) as object

/** The getter of an accessor property of a built-in prototype, as a function of its `this`; throws for a foreign `this`. */
function getterOf<T>(prototype: object, key: PropertyKey): (self: unknown) => T {
  const getter = getOwnPropertyDescriptor(prototype, key)?.get
  if (getter === undefined) throw new NativeTypeError('an intrinsic is missing')
  return uncurryThis(getter) as (self: unknown) => T
}

export const dateFormatPrototype: object = Intl.DateTimeFormat.prototype
export const dateFormatter = getterOf<(date: unknown) => string>(Intl.DateTimeFormat.prototype, 'format')
export const dateFormatToParts = uncurryThis(Intl.DateTimeFormat.prototype.formatToParts)
export const symbolDescription = getterOf<string | undefined>(Symbol.prototype, 'description')
export const mapSize = getterOf<number>(Map.prototype, 'size')
export const setSize = getterOf<number>(Set.prototype, 'size')
export const regExpSource = getterOf<string>(RegExp.prototype, 'source')
export const regExpFlags = getterOf<string>(RegExp.prototype, 'flags')
export const bufferByteLength = getterOf<number>(ArrayBuffer.prototype, 'byteLength')
export const viewBuffer = getterOf<ArrayBuffer>(DataView.prototype, 'buffer')
export const viewByteLength = getterOf<number>(DataView.prototype, 'byteLength')
export const viewByteOffset = getterOf<number>(DataView.prototype, 'byteOffset')
export const typedBuffer = getterOf<ArrayBuffer>(typedArrayPrototype, 'buffer')
export const typedByteLength = getterOf<number>(typedArrayPrototype, 'byteLength')
export const typedByteOffset = getterOf<number>(typedArrayPrototype, 'byteOffset')
export const typedLength = getterOf<number>(typedArrayPrototype, 'length')
export const typedName = getterOf<string | undefined>(typedArrayPrototype, Symbol.toStringTag)
export const bufferTransfer = uncurryThis(ArrayBuffer.prototype.transfer) as (buffer: ArrayBuffer) => ArrayBuffer
export const bufferSlice = uncurryThis(ArrayBuffer.prototype.slice)

export const asyncFunctionPrototype = Reflect.getPrototypeOf(async () => {}) as object

/** Prototypes of built-in classes by name; without a prototype of its own. */
export const nativePrototypes = {
  __proto__: null,
  ArrayBuffer: ArrayBuffer.prototype,
  BigInt: BigInt.prototype,
  Boolean: Boolean.prototype,
  DataView: DataView.prototype,
  Date: Date.prototype,
  Map: Map.prototype,
  Number: Number.prototype,
  Promise: Promise.prototype,
  RegExp: RegExp.prototype,
  Set: Set.prototype,
  String: String.prototype,
  Symbol: Symbol.prototype,
  WeakMap: WeakMap.prototype,
  WeakSet: WeakSet.prototype,
} as unknown as { readonly [name: string]: object | undefined }

/** Prototypes of the language's errors by name; without a prototype of its own. */
export const errorPrototypes = {
  __proto__: null,
  Error: Error.prototype,
  EvalError: EvalError.prototype,
  RangeError: RangeError.prototype,
  ReferenceError: ReferenceError.prototype,
  SyntaxError: SyntaxError.prototype,
  TypeError: TypeError.prototype,
  URIError: URIError.prototype,
} as unknown as { readonly [name: string]: object | undefined }

/** Typed array constructors by the name that {@link typedName} gives; without a prototype. */
export const typedArrays = {
  __proto__: null,
  BigInt64Array,
  BigUint64Array,
  Float32Array,
  Float64Array,
  Int16Array,
  Int32Array,
  Int8Array,
  Uint16Array,
  Uint32Array,
  Uint8Array,
  Uint8ClampedArray,
} as unknown as { readonly [name: string]: Uint8ArrayConstructor | undefined }

/** An array whose elements can be written without meeting a setter that a program put on a prototype. */
export function bareArray<T>(): T[] {
  return setPrototypeOf([], null) as T[]
}

/** A data descriptor without a prototype: an inherited `get` or `writable` would be read as part of it. */
export function dataDescriptor(value: unknown, enumerable: boolean, changeable: boolean): PropertyDescriptor {
  return {
    __proto__: null,
    value,
    enumerable,
    writable: changeable,
    configurable: changeable,
  } as PropertyDescriptor
}

/** Gives a promise its own `constructor`, so that `await` and `then` do not consult what a program can replace. */
export function ownPromise<T>(promise: Promise<T>): Promise<T> {
  defineProperty(promise, 'constructor', dataDescriptor(NativePromise, false, true))
  return promise
}

/** The own data property of an object, or `undefined`; never runs a getter. A proxy's trap may run, and throw. */
export function ownData(target: object, key: PropertyKey): unknown {
  const descriptor = getOwnPropertyDescriptor(target, key)
  return descriptor !== undefined && hasOwn(descriptor, 'value') ? descriptor.value : undefined
}
