// Generators and helpers for tests over JSON values.
import fc from 'fast-check'
import type { JsonValue } from '../../src/json/json-value.ts'

const ODD_KEYS = ['__proto__', 'constructor', 'toString', 'toJSON', 'then', 'length', '', '0', 'a b', '\ud800']

/** Arbitrary lossless JSON, with keys and strings that cause trouble. */
export function anyJson(): fc.Arbitrary<JsonValue> {
  const key = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom(...ODD_KEYS))
  const scalar = fc.oneof(
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(...ODD_KEYS, '\u2028', '"\\\b\t\n\f\r\u0001\u007f', '😀'),
  )
  const { value } = fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      scalar,
      fc.array(tie('value'), { maxLength: 5 }),
      fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
    ),
  }))
  return value
}

/** All arrays and objects of a value. */
export function containersOf(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(containersOf)]
}
