// Why a value is not lossless JSON, in the words of the host (src/json/refusals.ts), on captured intrinsics. Called by lossless.ts.
// A value is read only through own data descriptors; traps of a proxy may run, and their throw is the caller's.
import { isArray, isError, objectToString, sameValue, sliceText, symbolDescription } from './intrinsics.ts'
import { classNameOf, hasSlotOf } from './kinds.ts'
import { clip, MAX_PATH_NAME } from './text.ts'

/** Problems that do not depend on the value. */
export const PROBLEMS = {
  hole: 'is a hole in a sparse array: fill it, with null where there is nothing',
  accessor: 'is a getter or a setter, which is never called: pass its value, for example with { ...object }',
  hidden: 'is a property that is not enumerable, and would be lost: pass a plain object with ordinary properties',
  extra: 'is a property of an array beside its items, and would be lost: pass an object instead',
  changed: 'disappeared while it was read: pass a plain value, not a proxy',
  depth: 'is nested more than 10 000 levels deep, which is the limit: pass a flatter value, or a string',
  size: 'brings the whole to more than 16 777 216 values, which is the limit: pass less, or a string',
} as const

/** A value that belongs to no JSON type at all: a scalar, or a function. */
export function scalarProblem(value: unknown): string {
  switch (typeof value) {
    case 'undefined':
      return 'is undefined: leave it out, or use null'
    case 'bigint':
      return 'is a bigint: send a number, or its digits as a string'
    case 'function':
      return 'is a function: send data; call it first if you meant its result'
    case 'symbol':
      return 'is a symbol: send a string'
    case 'number':
      return sameValue(value, -0)
        ? 'is -0, which JSON text does not keep: send 0'
        : `is ${value}, which JSON has no number for: send null or a string`
    default:
      return 'is not JSON'
  }
}

/** A container that has its like in an ancestor. `ancestor` is the path of that ancestor. */
export function cycleProblem(ancestor: string): string {
  return `is ${ancestor} again, a cycle: send each value once, and refer to it by an id`
}

/** A property whose key is a symbol. */
export function symbolKeyProblem(key: symbol): string {
  return `has a symbol for a key, Symbol(${clip(symbolDescription(key) ?? '', MAX_PATH_NAME)}): use string keys`
}

/** A trap of a proxy threw, or the stack was full. `message` is what was thrown, in words. */
export function unreadableProblem(message: string): string {
  return `could not be read (${clip(message, 200)}): pass a plain value, not a proxy`
}

/** What to send instead of an instance, by the name of its class. Without a prototype, so any name may be looked up. */
const ADVICE = {
  __proto__: null,
  Date: 'send value.toISOString()',
  Map: 'send Object.fromEntries(value), or an array of its entries',
  Set: 'send [...value]',
  Promise: 'await it first',
  RegExp: 'send value.source',
  Error: 'send value.message',
  URL: 'send value.href',
  Buffer: "send value.toString('base64')",
  Uint8Array: 'send it as base64 text',
  ArrayBuffer: 'send it as base64 text',
  String: 'send the primitive',
  Number: 'send the primitive',
  Boolean: 'send the primitive',
} as unknown as { readonly [name: string]: string | undefined }

const PLAIN = 'send a plain object ({ ...value })'

/** An instance of a class, or another object that is no plain container. */
export function instanceProblem(value: object): string {
  const name = classNameOf(value)
  if (name === undefined) return `is an object with a prototype of its own: ${PLAIN}`
  if (isArray(value)) return `is an array of the class ${name}: send Array.from(value)`
  const kind = sliceText(name, -5) === 'Error' ? 'Error' : name
  return `is an instance of ${name}: ${ADVICE[kind] ?? PLAIN}`
}

/** An object without properties whose plain prototype hides what it is, else `undefined`. */
export function disguisedProblem(value: object): string | undefined {
  const kind = disguisedKind(value)
  return kind === undefined
    ? undefined
    : `is a ${kind} with another prototype: ${ADVICE[kind] ?? 'send a plain object'}`
}

function disguisedKind(value: object): string | undefined {
  // Says more only for a disguise, or where a program gave Object.prototype a tag; the probes are slow, and exact.
  if (objectToString(value) === '[object Object]') return undefined
  if (isError(value)) return 'Error'
  if (hasSlotOf('Date', value)) return 'Date'
  if (hasSlotOf('Number', value)) return 'Number'
  if (hasSlotOf('String', value)) return 'String'
  if (hasSlotOf('Boolean', value)) return 'Boolean'
  return undefined
}
