// The globals of a program (contract L3, L6): the ECMAScript library less what has no place here, and what this folder adds.
// Called once by the prelude, before a program is there. Whatever V8 brings that is not on the list is removed, so that a new version
// of it adds nothing unseen; tests/security/global-surface.test.ts holds its own copy of the whole list.
//
// Not on the list: WebAssembly, SharedArrayBuffer and Atomics, whose memory the limit of an isolate does not count and which wait or
// share across threads, and V8's own console, which talks to a debugger.
import {
  dataDescriptor,
  defineProperty,
  deleteProperty,
  globalObject,
  NativeSet,
  NativeTypeError,
  ownKeys,
  setAdd,
  setHas,
} from './intrinsics.ts'

const ECMASCRIPT = [
  'AggregateError',
  'Array',
  'ArrayBuffer',
  'AsyncDisposableStack',
  'BigInt',
  'BigInt64Array',
  'BigUint64Array',
  'Boolean',
  'DataView',
  'Date',
  'DisposableStack',
  'Error',
  'EvalError',
  'FinalizationRegistry',
  'Float16Array',
  'Float32Array',
  'Float64Array',
  'Function',
  'Infinity',
  'Int16Array',
  'Int32Array',
  'Int8Array',
  'Intl',
  'Iterator',
  'JSON',
  'Map',
  'Math',
  'NaN',
  'Number',
  'Object',
  'Promise',
  'Proxy',
  'RangeError',
  'ReferenceError',
  'Reflect',
  'RegExp',
  'Set',
  'String',
  'SuppressedError',
  'Symbol',
  'SyntaxError',
  'Temporal',
  'TypeError',
  'URIError',
  'Uint16Array',
  'Uint32Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'WeakMap',
  'WeakRef',
  'WeakSet',
  'decodeURI',
  'decodeURIComponent',
  'encodeURI',
  'encodeURIComponent',
  'escape',
  'eval',
  'globalThis',
  'isFinite',
  'isNaN',
  'parseFloat',
  'parseInt',
  'undefined',
  'unescape',
] as const

/** Removes every global that is not listed above. Throws if one cannot be removed. */
export function pruneGlobals(): void {
  const kept = new NativeSet<PropertyKey>()
  for (let at = 0; at < ECMASCRIPT.length; at++) setAdd(kept, ECMASCRIPT[at] as string)
  const present = ownKeys(globalObject)
  for (let at = 0; at < present.length; at++) {
    const name = present[at] as PropertyKey
    if (setHas(kept, name) || deleteProperty(globalObject, name)) continue
    throw new NativeTypeError('a global cannot be removed')
  }
}

/** Adds a global as the language's own are: not enumerable, and the program's to replace. */
export function addGlobal(name: string, value: unknown): void {
  defineProperty(globalObject, name, dataDescriptor(value, false, true))
}

/** Adds a global that stays what it is: a namespace of host functions, or its error class. */
export function addConstant(name: string, value: unknown): void {
  defineProperty(globalObject, name, dataDescriptor(value, true, false))
}
