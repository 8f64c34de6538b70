// A namespace of host functions as the program sees it (contract H2, H14): one own async function a member, whatever its name, and
// a reading of anything else that says what is there. Called by the prelude once a namespace.
//
// The functions are made when they are first asked for: a program sees a hundred members, and calls three.

import type { Bridge } from './bridge.ts'
import type { MakeError } from './errors.ts'
import {
  bareArray,
  charCodeAt,
  createObject,
  dataDescriptor,
  defineProperty,
  includesText,
  infinity,
  mapGet,
  mapSet,
  max,
  min,
  NativeMap,
  NativeProxy,
  NativeTypeError,
  sliceText,
  toLowerCase,
} from './intrinsics.ts'
import { formatStep } from './text.ts'

const MAX_SUGGESTIONS = 3
/** Longest name that is compared letter by letter; the work is the product of two lengths. */
const MAX_COMPARED = 80

/** What a namespace is made of. */
export interface NamespaceOptions {
  /** Its index, by which calls name it. */
  readonly index: number
  readonly global: string
  readonly members: readonly string[]
  readonly makeError: MakeError
}

/** The namespace object: without a prototype, and nobody can change it. */
export function createNamespace(bridge: Bridge, { index, global, members, makeError }: NamespaceOptions): object {
  const places = new NativeMap<unknown, number>()
  for (let place = 0; place < members.length; place++) mapSet(places, members[place], place)
  const made = bareArray<(...args: unknown[]) => Promise<unknown>>()
  const memberAt = (place: number): ((...args: unknown[]) => Promise<unknown>) => {
    const known = made[place]
    if (known !== undefined) return known
    const name = members[place] as string
    const label = `${global}${formatStep(name)}`
    const call = bridge.member({ namespace: index, member: place, label, name, makeError })
    defineProperty(call, 'name', dataDescriptor(name, false, true))
    // Rest parameters have no length; a member takes one argument.
    defineProperty(call, 'length', dataDescriptor(1, false, true))
    made[place] = call
    return call
  }
  const refuse = (): boolean => false
  // The target stays empty and extensible, so that a proxy may say of it what the traps say.
  return new NativeProxy(
    createObject(null) as object,
    {
      __proto__: null,
      get(_target: object, key: string | symbol): unknown {
        const place = mapGet(places, key)
        if (place !== undefined) return memberAt(place)
        // Read by `await`, JSON.stringify and inspectors of every kind: not a misspelled name.
        if (typeof key === 'symbol' || key === 'then' || key === 'toJSON') return undefined
        throw new NativeTypeError(unknownMember(global, key, members))
      },
      has: (_target: object, key: string | symbol) => mapGet(places, key) !== undefined,
      ownKeys: () => members,
      getOwnPropertyDescriptor(_target: object, key: string | symbol) {
        const place = mapGet(places, key)
        if (place === undefined) return undefined
        return { __proto__: null, value: memberAt(place), enumerable: true, configurable: true, writable: false }
      },
      set: refuse,
      defineProperty: refuse,
      deleteProperty: refuse,
      setPrototypeOf: refuse,
      preventExtensions: refuse,
    } as unknown as ProxyHandler<object>,
  )
}

/** `tools.raed_file does not exist. Nearest: tools.read_file, …` */
function unknownMember(global: string, key: string, members: readonly string[]): string {
  const said = `${global}${formatStep(key)} does not exist`
  if (members.length === 0) return `${said}: ${global} has no members.`
  const wanted = comparable(key)
  // Distances, made unique by the place in the list, so that the next best is the least above the last one.
  const ranks = bareArray<number>()
  for (let place = 0; place < members.length; place++) {
    ranks[place] = distance(wanted, comparable(members[place] as string)) * members.length + place
  }
  let nearest = ''
  let last = -1
  for (let count = 0; count < MAX_SUGGESTIONS && count < members.length; count++) {
    let best = infinity
    for (let place = 0; place < members.length; place++) {
      const rank = ranks[place] as number
      if (rank > last && rank < best) best = rank
    }
    last = best
    nearest += `${count === 0 ? '' : ', '}${global}${formatStep(members[best % members.length] as string)}`
  }
  const all = `${members.length} ${members.length === 1 ? 'member' : 'members'}; Object.keys(${global}) lists them`
  return `${said}. Nearest: ${nearest} (${all}).`
}

function comparable(name: string): string {
  return toLowerCase(sliceText(name, 0, MAX_COMPARED))
}

/** Edits from one name to another; a name that holds the other counts as close. */
function distance(from: string, to: string): number {
  if (from === to) return 0
  if (from !== '' && (includesText(to, from) || includesText(from, to))) return 1
  const row = bareArray<number>()
  for (let column = 0; column <= to.length; column++) row[column] = column
  for (let line = 1; line <= from.length; line++) {
    let corner = row[0] as number
    row[0] = line
    for (let column = 1; column <= to.length; column++) {
      const same = charCodeAt(from, line - 1) === charCodeAt(to, column - 1)
      const above = row[column] as number
      row[column] = min(corner + (same ? 0 : 1), min(above, row[column - 1] as number) + 1)
      corner = above
    }
  }
  return max(2, row[to.length] as number)
}
