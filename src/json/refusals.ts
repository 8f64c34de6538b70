// Why a value is not lossless JSON: one sentence for each reason, which says what it is and what to do instead.
// Called by snapshot.ts. The value is hostile: nothing of it is read but through own data descriptors, and no getter,
// method or `toString` of it ever runs.
import { clip } from '../errors/describe-thrown.ts'
import { HarnessError } from '../errors/harness-error.ts'
import { MAX_DEPTH, MAX_PATH_NAME, MAX_VALUES } from './limits.ts'

/** A value that is not lossless JSON (contract A1). `path` names the place: `args.items[3].when`. */
export class JsonRefusedError extends HarnessError {
  readonly path: string
  /** A predicate: `is an instance of Date: send value.toISOString()`. */
  readonly problem: string

  constructor(path: string, problem: string) {
    super('NOT_LOSSLESS_JSON', `${path} ${problem}`)
    this.path = path
    this.problem = problem
  }
}

/** Problems that do not depend on the value. */
export const PROBLEMS = {
  hole: 'is a hole in a sparse array: fill it, with null where there is nothing',
  accessor: 'is a getter or a setter, which is never called: pass its value, for example with { ...object }',
  hidden: 'is a property that is not enumerable, and would be lost: pass a plain object with ordinary properties',
  extra: 'is a property of an array beside its items, and would be lost: pass an object instead',
  changed: 'disappeared while it was read: pass a plain value, not a proxy',
  depth: `is nested more than ${group(MAX_DEPTH)} levels deep, which is the limit: pass a flatter value, or a string`,
  size: `brings the whole to more than ${group(MAX_VALUES)} values, which is the limit: pass less, or a string`,
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
      return Object.is(value, -0)
        ? 'is -0, which JSON text does not keep: send 0'
        : `is ${String(value)}, which JSON has no number for: send null or a string`
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
  const name = typeof key.description === 'string' ? clip(key.description, MAX_PATH_NAME) : ''
  return `has a symbol for a key, Symbol(${name}): use string keys`
}

/** A trap of a proxy, or another exotic object, threw. `message` is what it said, bounded. */
export function unreadableProblem(message: string): string {
  return `could not be read (${clip(message, 200)}): pass a plain value, not a proxy`
}

/** What to send instead of an instance, by the name of its class or its built-in tag. */
const ADVICE: ReadonlyMap<string, string> = new Map([
  ['Date', 'send value.toISOString()'],
  ['Map', 'send Object.fromEntries(value), or an array of its entries'],
  ['Set', 'send [...value]'],
  ['Promise', 'await it first'],
  ['RegExp', 'send value.source'],
  ['Error', 'send value.message'],
  ['URL', 'send value.href'],
  ['Buffer', "send value.toString('base64')"],
  ['Uint8Array', 'send it as base64 text'],
  ['ArrayBuffer', 'send it as base64 text'],
  ['String', 'send the primitive'],
  ['Number', 'send the primitive'],
  ['Boolean', 'send the primitive'],
])

/** An instance of a class, or another object that is no plain container. */
export function instanceProblem(value: object): string {
  const name = classNameOf(value)
  if (name === undefined) return 'is an object with a prototype of its own: send a plain object ({ ...value })'
  if (Array.isArray(value)) return `is an array of the class ${name}: send Array.from(value)`
  const isError = name.endsWith('Error')
  return `is an instance of ${name}: ${ADVICE.get(isError ? 'Error' : name) ?? 'send a plain object ({ ...value })'}`
}

/** Built-in kind of an object whose prototype was changed to a plain one, where ECMAScript tells; else `undefined`. */
export function disguisedProblem(value: object): string | undefined {
  const tag = Object.prototype.toString.call(value)
  if (tag === '[object Object]') return undefined
  const kind = tag.slice('[object '.length, -1)
  return `is a ${clip(kind, MAX_PATH_NAME)} with another prototype: ${ADVICE.get(kind) ?? 'send a plain object'}`
}

/** Name of the nearest class on the prototype chain, from own data descriptors only. May run traps of a proxy. */
function classNameOf(value: object): string | undefined {
  for (let proto: object | null = Object.getPrototypeOf(value), steps = 0; proto !== null && steps < 8; steps++) {
    const owner: unknown = Object.getOwnPropertyDescriptor(proto, 'constructor')?.value
    const name: unknown =
      typeof owner === 'function' ? Object.getOwnPropertyDescriptor(owner, 'name')?.value : undefined
    if (typeof name === 'string' && name !== '' && name !== 'Object') return clip(name, MAX_PATH_NAME)
    proto = Object.getPrototypeOf(proto)
  }
  return undefined
}

function group(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ' ')
}
