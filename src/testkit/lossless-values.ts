// Values that look odd and are lossless JSON (contract A1, A2): every implementation of the check must accept them and give back the text.
// The counterpart of hostile-values.ts; ECMAScript only, and nothing imported.

/** One value that must be accepted. */
export interface LosslessValue {
  readonly name: string
  make(): unknown
  /** Its JSON text. */
  readonly text: string
}

/** As many levels as are allowed. */
const DEEPEST = `${'['.repeat(10_000)}${']'.repeat(10_000)}`

/** Values that look odd and must be accepted. */
export const LOSSLESS_VALUES: readonly LosslessValue[] = [
  { name: 'null', make: () => null, text: 'null' },
  { name: 'an empty string', make: () => '', text: '""' },
  { name: 'a lone surrogate', make: () => ['\ud800'], text: '["\\ud800"]' },
  { name: 'the largest number', make: () => Number.MAX_VALUE, text: '1.7976931348623157e+308' },
  { name: 'the smallest number', make: () => -Number.MIN_VALUE, text: '-5e-324' },
  { name: 'empty containers', make: () => ({ a: {}, b: [] }), text: '{"a":{},"b":[]}' },
  { name: 'an object without a prototype', make: () => Object.assign(Object.create(null), { a: 1 }), text: '{"a":1}' },
  {
    name: 'an own __proto__ key',
    make: () => JSON.parse('{"__proto__":{"a":1},"b":2}'),
    text: '{"__proto__":{"a":1},"b":2}',
  },
  {
    name: 'names of Object.prototype',
    make: () => ({ constructor: 1, hasOwnProperty: 2, toString: 3, valueOf: 4 }),
    text: '{"constructor":1,"hasOwnProperty":2,"toString":3,"valueOf":4}',
  },
  { name: 'keys that look like indices', make: () => ({ b: 1, 2: 2, 1: 1 }), text: '{"1":1,"2":2,"b":1}' },
  {
    name: 'a toJSON that is data',
    make: () => ({ toJSON: 'text', then: null, length: 3 }),
    text: '{"toJSON":"text","then":null,"length":3}',
  },
  {
    name: 'one object in two places',
    make: () => {
      const shared = { x: [1] }
      return { a: shared, b: [shared, shared] }
    },
    text: '{"a":{"x":[1]},"b":[{"x":[1]},{"x":[1]}]}',
  },
  { name: 'frozen and sealed containers', make: () => Object.freeze({ a: Object.seal([1]) }), text: '{"a":[1]}' },
  {
    name: 'properties that cannot be written',
    make: () => Object.defineProperty({}, 'a', { value: 1, enumerable: true }),
    text: '{"a":1}',
  },
  { name: 'a proxy that adds nothing', make: () => new Proxy({ a: new Proxy([1, 2], {}) }, {}), text: '{"a":[1,2]}' },
  {
    name: 'an array with a hole that was filled',
    make: () => {
      const items: unknown[] = []
      items[1] = 1
      items[0] = 0
      return items
    },
    text: '[0,1]',
  },
  {
    name: 'as many levels as are allowed',
    make: () => JSON.parse(DEEPEST),
    text: DEEPEST,
  },
]
