// The exact global surface of a TypeScript program. This copy is the reference: a change of V8, or of surface.ts, is seen here first.
import { describe, expect, it } from 'vitest'
import { runInEngine } from '../support/engine.ts'

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
]
const WEB = [
  'TextDecoder',
  'TextEncoder',
  'atob',
  'btoa',
  'clearInterval',
  'clearTimeout',
  'console',
  'queueMicrotask',
  'setInterval',
  'setTimeout',
  'structuredClone',
]
/** The global object of an isolate has a prototype of its own with this one property: an empty constructor. */
const INHERITED = ['constructor']
const BINDINGS = ['ToolCallError', 'tools']

/** Names that a program could hope for: of Node, of browsers, of V8, of isolated-vm, and of what stands behind this isolate. */
const ABSENT = [
  'Atomics',
  'Buffer',
  'SharedArrayBuffer',
  'WebAssembly',
  'XMLHttpRequest',
  'WebSocket',
  'Worker',
  '__dirname',
  '__filename',
  '_ivm',
  'clearImmediate',
  'exports',
  'fetch',
  'gc',
  'global',
  'guest',
  'importScripts',
  'install',
  'ivm',
  'load',
  'module',
  'navigator',
  'performance',
  'print',
  'process',
  'prelude_exports',
  'quit',
  'read',
  'require',
  'self',
  'setImmediate',
  'window',
]

describe('globals', () => {
  it('[L6] [L3] are exactly these, own and inherited', () => {
    const { value } = runInEngine(
      `const names = new Set()
      for (let o = globalThis; o !== Object.prototype && o !== null; o = Object.getPrototypeOf(o)) for (const key of Reflect.ownKeys(o)) names.add(String(key))
      return [...names].sort()`,
    )
    expect(value).toEqual([...ECMASCRIPT, ...WEB, ...INHERITED, ...BINDINGS].sort())
  })

  it.each(ABSENT)('[K1] [L6] %s is not there, however it is asked for', (name) => {
    const { value } = runInEngine(
      `const asks = [() => eval('typeof ' + ${JSON.stringify(name)}), () => new Function('return typeof ' + ${JSON.stringify(name)})(),
        () => typeof globalThis[${JSON.stringify(name)}], () => (0, eval)('typeof ' + ${JSON.stringify(name)})]
      return asks.map((ask) => ask())`,
    )
    expect(value).toEqual(['undefined', 'undefined', 'undefined', 'undefined'])
  })

  it('[L6] shared memory cannot be made by a detour', () => {
    const { value } = runInEngine(
      `const kinds = new Set()
      for (const C of [Int8Array, Uint8Array, Float64Array, BigInt64Array, DataView]) kinds.add(Object.prototype.toString.call(new C(C === DataView ? new ArrayBuffer(8) : 8).buffer))
      return [[...kinds], typeof new ArrayBuffer(8).constructor, Object.getOwnPropertyNames(ArrayBuffer.prototype).includes('grow')]`,
    )
    expect(value).toEqual([['[object ArrayBuffer]'], 'function', false])
  })

  it('[L3] what this runtime adds is hidden from enumeration; namespaces and their classes are not', () => {
    expect(runInEngine('return Object.keys(globalThis)').value).toEqual(['ToolCallError', 'tools'].sort())
  })

  it('[J4] a program starts with the same globals, whatever the one before it did', () => {
    const before = runInEngine(
      'return [Reflect.ownKeys(globalThis).map(String), Reflect.ownKeys(Object.prototype).map(String), JSON.stringify({})]',
    ).value
    runInEngine(
      'globalThis.left = 1; Object.prototype.left = 1; JSON.stringify = () => "left"; Array.prototype.map = null; delete globalThis.Map; var leak = 1',
    )
    const after = runInEngine(
      'return [Reflect.ownKeys(globalThis).map(String), Reflect.ownKeys(Object.prototype).map(String), JSON.stringify({})]',
    ).value
    expect(after).toEqual(before)
  })
})
