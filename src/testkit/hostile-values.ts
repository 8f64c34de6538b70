// The zoo: values that are not lossless JSON, each with the path that the refusal must name (contract A1). Every implementation of
// the check is held to it, and to lossless-values.ts: the host's `snapshot`, the guest's own, and that of any new runtime.
// ECMAScript only, and nothing imported: the file can be bundled and evaluated inside an isolate.

/** One value that must be refused. */
export interface HostileValue {
  readonly name: string
  /** A fresh value each time. It may count on never being called, and throws if it is. */
  make(): unknown
  /** Where the refusal points, behind the name of the root: `.items[3].when`; empty for the root itself. */
  readonly path: string
}

function mustNotRun(): never {
  throw new Error('code of the value was run')
}

class Point {
  x = 1
}

class Items extends Array<number> {}

function argumentsOf(..._given: unknown[]): object {
  // biome-ignore lint/complexity/noArguments: the exotic object itself is what is wanted.
  return arguments
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

function nest(levels: number, innermost: unknown): unknown {
  let value = innermost
  for (let level = 0; level < levels; level++) value = [value]
  return value
}

/** Scalars and functions, refused wherever they stand. */
const SCALARS: readonly (readonly [name: string, make: () => unknown])[] = [
  ['undefined', () => undefined],
  ['a bigint', () => 10n],
  ['NaN', () => Number.NaN],
  ['Infinity', () => Number.POSITIVE_INFINITY],
  ['-Infinity', () => Number.NEGATIVE_INFINITY],
  ['-0', () => -0],
  ['a symbol', () => Symbol('s')],
  ['a registered symbol', () => Symbol.for('s')],
  ['a function', () => mustNotRun],
  ['a class', () => Point],
]

/** Objects that are no plain containers. */
const INSTANCES: readonly (readonly [name: string, make: () => unknown])[] = [
  ['a Date', () => new Date(0)],
  ['a Map', () => new Map([['a', 1]])],
  ['a Set', () => new Set([1])],
  ['a WeakMap', () => new WeakMap()],
  ['a RegExp', () => /a/g],
  ['an Error', () => new Error('no')],
  ['a Promise', () => Promise.resolve(1)],
  ['a typed array', () => new Uint8Array(2)],
  ['an ArrayBuffer', () => new ArrayBuffer(2)],
  ['a boxed string', () => Object('s')],
  ['a boxed number', () => Object(1)],
  ['a boxed boolean', () => Object(true)],
  ['a boxed bigint', () => Object(1n)],
  ['an instance of a class', () => new Point()],
  ['an object that inherits from a plain one', () => Object.create({ a: 1 })],
  ['an object that inherits from a null-prototype one', () => Object.create(Object.create(null))],
  ['an array of a subclass', () => Items.of(1, 2)],
  ['an array without a prototype', () => Object.setPrototypeOf([1], null)],
  ['an array with another array for prototype', () => Object.setPrototypeOf([1], [])],
  ['a generator', () => (function* () {})()],
  ['a Date with the prototype of a plain object', () => Object.setPrototypeOf(new Date(0), Object.prototype)],
  ['arguments', () => argumentsOf(1, 2)],
]

/** Containers with something in them that JSON text would lose, or that would run code. */
const CONTAINERS: readonly HostileValue[] = [
  {
    name: 'a getter',
    make: () => ({
      a: 1,
      get when() {
        return mustNotRun()
      },
    }),
    path: '.when',
  },
  {
    name: 'a setter alone',
    make: () => ({
      set when(_value: unknown) {
        mustNotRun()
      },
    }),
    path: '.when',
  },
  {
    name: 'a getter among items',
    make: () => Object.defineProperty([1, 2], 1, { get: mustNotRun, enumerable: true }),
    path: '[1]',
  },
  { name: 'a key that is a symbol', make: () => ({ inner: { [Symbol('s')]: 1 } }), path: '.inner' },
  {
    name: 'a key that is a symbol, not enumerable',
    make: () => Object.defineProperty({}, Symbol('s'), { value: 1 }),
    path: '',
  },
  { name: 'a symbol key of an array', make: () => Object.assign([1], { [Symbol.iterator]: mustNotRun }), path: '' },
  {
    name: 'a property that is not enumerable',
    make: () => Object.defineProperty({ a: 1 }, 'b', { value: 2 }),
    path: '.b',
  },
  {
    name: 'an item that is not enumerable',
    make: () => Object.defineProperty([1, 2], 1, { enumerable: false }),
    path: '[1]',
  },
  { name: 'a hole at the start', make: () => Object.assign(new Array(2), { 1: 'b' }), path: '[0]' },
  {
    name: 'a hole at the end',
    make: () => {
      const items = [1]
      items.length = 2
      return { items }
    },
    path: '.items[1]',
  },
  { name: 'an array of nothing but holes', make: () => new Array(1_000), path: '[0]' },
  {
    name: 'an array with a named property',
    make: () => ({ items: Object.assign([1], { total: 1 }) }),
    path: '.items.total',
  },
  {
    name: 'a named property that makes up for a hole',
    make: () => {
      const items = Object.assign([1], { total: 1 })
      items.length = 2
      return items
    },
    path: '[1]',
  },
  { name: 'an array with a negative index', make: () => Object.assign([1], { '-1': 0 }), path: '["-1"]' },
  {
    name: 'an array with a hidden property',
    make: () => Object.defineProperty([1], 'raw', { value: 1 }),
    path: '.raw',
  },
  {
    name: 'an object that holds itself',
    make: () => {
      const self: Record<string, unknown> = {}
      self['me'] = self
      return self
    },
    path: '.me',
  },
  {
    name: 'an array that holds itself',
    make: () => {
      const self: unknown[] = [1]
      self.push(self)
      return self
    },
    path: '[1]',
  },
  {
    name: 'a cycle far down',
    make: () => {
      const top: Record<string, unknown> = {}
      top['a'] = nest(40, top)
      return top
    },
    path: `.a${'[0]'.repeat(15)}…(9 more levels)…${'[0]'.repeat(16)}`,
  },
  { name: 'an own toJSON method', make: () => ({ toJSON: mustNotRun }), path: '.toJSON' },
  { name: 'something odd behind an odd key', make: () => ({ 'a b': [{ '': undefined }] }), path: '["a b"][0][""]' },
  {
    name: 'something odd behind __proto__',
    make: () => JSON.parse('{"__proto__":{"constructor":[-0]}}'),
    path: '.__proto__.constructor[0]',
  },
  {
    name: 'one level too many',
    make: () => nest(10_000, []),
    path: `${'[0]'.repeat(16)}…(9968 more levels)…${'[0]'.repeat(16)}`,
  },
]

/** Proxies that throw, or that say two things. */
const PROXIES: readonly HostileValue[] = [
  { name: 'a revoked proxy', make: () => ({ a: revoked() }), path: '.a' },
  {
    name: 'a proxy whose prototype cannot be read',
    make: () => ({ a: new Proxy({}, { getPrototypeOf: mustNotRun }) }),
    path: '.a',
  },
  {
    name: 'a proxy whose keys cannot be read',
    make: () => ({ a: new Proxy({}, { ownKeys: mustNotRun }) }),
    path: '.a',
  },
  {
    name: 'a proxy whose slots cannot be read',
    make: () => ({ a: new Proxy({ b: 1 }, { getOwnPropertyDescriptor: mustNotRun }) }),
    path: '.a.b',
  },
  {
    name: 'a proxy that names a key it does not have',
    make: () => new Proxy({}, { ownKeys: () => ['ghost'] }),
    path: '.ghost',
  },
  {
    name: 'a proxy that throws something hostile',
    make: () =>
      new Proxy(
        {},
        {
          ownKeys() {
            throw revoked()
          },
        },
      ),
    path: '',
  },
  { name: 'a proxy of a function', make: () => new Proxy(mustNotRun, {}), path: '' },
  { name: 'a proxy of a class instance', make: () => new Proxy(new Point(), {}), path: '' },
]

function inPlaces([name, make]: readonly [string, () => unknown]): HostileValue[] {
  return [
    { name, make, path: '' },
    { name: `${name} in an object`, make: () => ({ a: 1, items: { when: make() } }), path: '.items.when' },
    { name: `${name} in an array`, make: () => ({ items: [0, 1, 2, { when: make() }] }), path: '.items[3].when' },
  ]
}

/** Values that must be refused, with the place. */
export const HOSTILE_VALUES: readonly HostileValue[] = [
  ...SCALARS.flatMap(inPlaces),
  ...INSTANCES.flatMap(inPlaces),
  ...CONTAINERS,
  ...PROXIES,
]
