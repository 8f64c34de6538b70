// What an object is, told by its internal slots and by own data descriptors: never by `toString`, Symbol.toStringTag or instanceof,
// which a program can answer as it likes. Called by refusals.ts, inspect.ts and web/clone.ts. Traps of a proxy may run, and throw.
import {
  bigintValueOf,
  booleanValueOf,
  bufferByteLength,
  dateGetTime,
  getPrototypeOf,
  isArray,
  isError,
  mapGet,
  mapSet,
  mapSize,
  NativeMap,
  nativePrototypes,
  numberValueOf,
  ownData,
  regExpSource,
  setSize,
  stringValueOf,
  symbolValueOf,
  typedName,
  viewByteLength,
  weakMapHas,
  weakSetHas,
} from './intrinsics.ts'
import { clip, MAX_PATH_NAME } from './text.ts'

/** A built-in kind of object that guest code treats apart. */
export type Kind =
  | 'Array'
  | 'ArrayBuffer'
  | 'BigInt'
  | 'Boolean'
  | 'DataView'
  | 'Date'
  | 'Error'
  | 'Map'
  | 'Number'
  | 'Promise'
  | 'RegExp'
  | 'Set'
  | 'String'
  | 'Symbol'
  | 'TypedArray'
  | 'WeakMap'
  | 'WeakSet'

type Probe = (self: unknown) => unknown

/** A method that needs the internal slot of each kind, and reads nothing else. */
const PROBES = new NativeMap<Kind, Probe>()
/** Kinds by the prototype that makes an object a candidate for them. */
const CANDIDATES = new NativeMap<object, Kind>()

function probe(kind: Kind, method: unknown): void {
  mapSet(PROBES, kind, method as Probe)
  const prototype = nativePrototypes[kind]
  if (prototype !== undefined) mapSet(CANDIDATES, prototype, kind)
}

const anyKey = {}
probe('ArrayBuffer', bufferByteLength)
probe('BigInt', bigintValueOf)
probe('Boolean', booleanValueOf)
probe('DataView', viewByteLength)
probe('Date', dateGetTime)
probe('Map', mapSize)
probe('Number', numberValueOf)
probe('Promise', undefined)
probe('RegExp', regExpSource)
probe('Set', setSize)
probe('String', stringValueOf)
probe('Symbol', symbolValueOf)
probe('WeakMap', (self: unknown) => weakMapHas(self as WeakMap<WeakKey, unknown>, anyKey))
probe('WeakSet', (self: unknown) => weakSetHas(self as WeakSet<WeakKey>, anyKey))

/** The built-in kind of an object, subclasses included; `undefined` for plain objects and everything else. */
export function kindOf(value: object): Kind | undefined {
  if (isArray(value)) return 'Array'
  if (isError(value)) return 'Error'
  if (typedName(value) !== undefined) return 'TypedArray'
  // Probing for each kind would throw for each; the prototypes say which one is worth a try.
  let prototype = getPrototypeOf(value)
  for (let steps = 0; prototype !== null && steps < 8; steps++) {
    const kind = mapGet(CANDIDATES, prototype)
    if (kind !== undefined) return hasSlotOf(kind, value) ? kind : undefined
    prototype = getPrototypeOf(prototype)
  }
  return undefined
}

/** True if an object has the internal slot of a kind, whatever its prototype. Slow when it has not. */
export function hasSlotOf(kind: Kind, value: object): boolean {
  const method = mapGet(PROBES, kind)
  // No method of a promise tells it apart without reading what a program can replace.
  if (method === undefined) return kind === 'Promise'
  try {
    method(value)
    return true
  } catch {
    return false
  }
}

/** Name of the nearest class on the prototype chain, from own data descriptors only. */
export function classNameOf(value: object): string | undefined {
  let prototype = getPrototypeOf(value)
  for (let steps = 0; prototype !== null && steps < 8; steps++) {
    const owner = ownData(prototype, 'constructor')
    const name = typeof owner === 'function' ? ownData(owner, 'name') : undefined
    if (typeof name === 'string' && name !== '' && name !== 'Object') return clip(name, MAX_PATH_NAME)
    prototype = getPrototypeOf(prototype)
  }
  return undefined
}
