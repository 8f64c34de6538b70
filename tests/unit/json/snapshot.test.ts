import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/json/json-value.ts'
import { MAX_DEPTH, MAX_VALUES } from '../../../src/json/limits.ts'
import { JsonRefusedError } from '../../../src/json/refusals.ts'
import { isLosslessJson, isSnapshot, snapshot } from '../../../src/json/snapshot.ts'
import { parseJson, stringify } from '../../../src/json/stringify.ts'
import { HOSTILE_VALUES } from '../../../src/testkit/hostile-values.ts'
import { LOSSLESS_VALUES } from '../../../src/testkit/lossless-values.ts'
import { anyJson, containersOf } from '../../support/json.ts'

function refusalOf(value: unknown, root = 'args'): JsonRefusedError {
  try {
    snapshot(value, root)
  } catch (error) {
    if (error instanceof JsonRefusedError) return error
    throw error
  }
  throw new Error('the value was accepted')
}

describe('what is refused', () => {
  it.each(HOSTILE_VALUES)('[A1] $name, with its path', ({ make, path }) => {
    const error = refusalOf(make())
    expect(error).toMatchObject({ name: 'JsonRefusedError', code: 'NOT_LOSSLESS_JSON', path: `args${path}` })
    // Path, then what it is and what to do: `args.when is a Date: send value.toISOString()`.
    expect(error.message.startsWith(`args${path} `)).toBe(true)
    expect(error.message).toMatch(/ (is|has|could|brings|disappeared) .*: ?\S/)
    expect(error.message.length).toBeLessThan(600)
    expect(isLosslessJson(make())).toBe(false)
  })

  it.each([
    [
      () => ({ items: [0, 1, 2, { when: new Date(0) }] }),
      'args.items[3].when is an instance of Date: send value.toISOString()',
    ],
    [() => ({ a: undefined }), 'args.a is undefined: leave it out, or use null'],
    [() => [Promise.resolve()], 'args[0] is an instance of Promise: await it first'],
    [() => ({ error: new TypeError('x') }), 'args.error is an instance of TypeError: send value.message'],
    [() => -0, 'args is -0, which JSON text does not keep: send 0'],
  ])('[A1] says what to do instead (%#)', (make, message) => {
    expect(refusalOf(make()).message).toBe(message)
  })

  it('[A1] names the ancestor of a cycle', () => {
    const top: { list: unknown[] } = { list: [] }
    top.list.push({ back: top.list })
    expect(refusalOf(top).message).toContain('args.list[0].back is args.list again')
  })

  it('[A1] runs no code of the value: getters, toString, toJSON, iterators', () => {
    let runs = 0
    const run = (): string => {
      runs++
      return 'ran'
    }
    const hostile = (): object => ({ toString: run, [Symbol.toPrimitive]: run, [Symbol.toStringTag]: 'x' })
    const accessor = Object.defineProperties(
      {},
      { a: { get: run, enumerable: true }, b: { set: run, enumerable: true } },
    )
    class Odd {
      static get name(): string {
        return run()
      }
      get field(): string {
        return run()
      }
    }
    Object.defineProperty(Odd.prototype, Symbol.toStringTag, { get: run })
    for (const value of [hostile(), accessor, new Odd(), { toJSON: run }]) expect(isLosslessJson(value)).toBe(false)
    for (const value of [hostile(), accessor, new Odd()]) refusalOf(value)
    expect(runs).toBe(0)
  })

  it('[A1] bounds what a trap says, and does not trust its errors', () => {
    const forged = new JsonRefusedError('args.forged', 'is fine')
    const throwing = (thrown: unknown): object => ({
      a: new Proxy(
        {},
        {
          ownKeys() {
            throw thrown
          },
        },
      ),
    })
    expect(refusalOf(throwing(forged)).path).toBe('args.a')
    expect(refusalOf(throwing(new Error('x'.repeat(100_000)))).message.length).toBeLessThan(400)
  })

  it('[A1] bounds the path in the message', () => {
    const long = { [`${'k'.repeat(10_000)}`]: undefined }
    expect(refusalOf(long).message.length).toBeLessThan(300)
  })

  it('[A3] names the limit of depth', () => {
    expect(refusalOf(nested(MAX_DEPTH + 1)).message).toContain('more than 10 000 levels')
    expect(isLosslessJson(nested(100_000))).toBe(false)
    expect(isLosslessJson(nested(MAX_DEPTH))).toBe(true)
  })

  it.each([
    ['dense', () => new Array(MAX_VALUES).fill(0)],
    ['sparse', () => new Array(4_294_967_295)],
  ])('refuses more values than the limit, before it lists them (%s)', (_name, make) => {
    expect(refusalOf({ a: make() })).toMatchObject({ path: 'args.a', message: expect.stringContaining('16 777 216') })
  })
})

describe('what is accepted', () => {
  it.each(LOSSLESS_VALUES)('[A1, A2] $name', ({ make, text }) => {
    const copy = snapshot(make())
    expect(stringify(copy)).toBe(text)
    expect(isLosslessJson(make())).toBe(true)
    expect(isSnapshot(copy)).toBe(true)
  })

  it('[A2, A4] any JSON value becomes an equal, detached, deeply frozen copy that survives a round trip as text', () => {
    fc.assert(
      fc.property(anyJson(), (value) => {
        const copy = snapshot(value)
        expect(copy).toEqual(value)
        const originals = new Set(containersOf(value))
        for (const container of containersOf(copy)) {
          expect(Object.isFrozen(container)).toBe(true)
          expect(originals.has(container)).toBe(false)
        }
        expect(parseJson(stringify(copy), 'text')).toEqual(value)
        expect(stringify(copy)).toBe(JSON.stringify(value))
      }),
      { seed: 1, numRuns: 300 },
    )
  })

  it('[A1] one wrong value anywhere refuses the whole, with a path that leads to it', () => {
    const wrong = fc.constantFrom(undefined, 1n, Number.NaN, -0, () => 0, new Date(0))
    fc.assert(
      fc.property(
        anyJson(),
        fc.array(fc.oneof(fc.string(), fc.nat(5)), { maxLength: 5 }),
        wrong,
        (value, steps, bad) => {
          let hostile: unknown = bad
          for (const step of steps)
            hostile = typeof step === 'number' ? [...Array(step).fill(value), hostile] : { [step]: hostile }
          expect(isLosslessJson(hostile)).toBe(false)
          const { path } = refusalOf(hostile)
          const expected = steps
            .toReversed()
            .map((step) =>
              typeof step === 'number'
                ? `[${step}]`
                : /^[A-Za-z_$][\w$]*$/.test(step)
                  ? `.${step}`
                  : `[${JSON.stringify(step)}]`,
            )
          expect(path).toBe(`args${expected.join('')}`)
        },
      ),
      { seed: 2, numRuns: 300 },
    )
  })

  it('[A2] plain containers of another realm', () => {
    const foreign: unknown = runInNewContext('({ a: [1, { b: null }], __proto__: null, c: Object.create(null) })')
    expect(stringify(snapshot(foreign))).toBe('{"a":[1,{"b":null}],"c":{}}')
    expect(snapshot(runInNewContext('[{}, []]'))).toEqual([{}, []])
    expect(Object.getPrototypeOf(snapshot(foreign))).toBe(Object.prototype)
  })

  it.each([
    'new Date(0)',
    'new Map()',
    'new (class A {})()',
    'new (class L extends Array {})()',
    '(() => 1)',
    'Object.create({})',
  ])('[A1] nothing but plain containers of another realm: %s', (source) => {
    expect(refusalOf(runInNewContext(`({ a: ${source} })`)).path).toBe('args.a')
  })

  it('[A1] a prototype that only looks a little like an Object.prototype is none', () => {
    const fake = Object.create(null, { constructor: { value: Object }, hasOwnProperty: { value: () => true } })
    expect(refusalOf(Object.create(fake)).path).toBe('args')
  })

  it('[A2] an own __proto__ key stays data and changes no prototype', () => {
    const copy = snapshot(JSON.parse('{"__proto__":{"polluted":true}}')) as Record<string, unknown>
    expect(Object.getOwnPropertyNames(copy)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype)
    expect(copy['polluted']).toBeUndefined()
  })

  it('[A2] one object in two places is copied twice', () => {
    const shared = { x: 1 }
    const copy = snapshot([shared, shared]) as unknown[]
    expect(copy[0]).toEqual(copy[1])
    expect(copy[0]).not.toBe(copy[1])
  })

  it('[A2] later changes of the original do not reach the copy', () => {
    const original = { list: [1], inner: { a: 1 } }
    const copy = snapshot(original)
    original.list.push(2)
    original.inner.a = 2
    expect(copy).toEqual({ list: [1], inner: { a: 1 } })
  })

  it('[A2] reads each slot once: a value that changes with every read cannot be seen in two states', () => {
    const reads: string[] = []
    const changing = (target: object, label: string): object =>
      new Proxy(target, {
        getOwnPropertyDescriptor(_target, key) {
          reads.push(`${label}.${String(key)}`)
          return Reflect.getOwnPropertyDescriptor(target, key)
        },
        get: () => {
          throw new Error('read by get')
        },
      })
    snapshot({ object: changing({ a: 1, b: 2 }, 'o'), array: changing([1, 2], 'a') })
    expect(reads.toSorted()).toEqual(['a.0', 'a.1', 'a.length', 'o.a', 'o.b'])
  })

  it('[A3] 10 000 levels, there and back as text', () => {
    const copy = snapshot(nested(MAX_DEPTH))
    const text = stringify(copy)
    expect(text).toBe(`${'['.repeat(MAX_DEPTH)}${']'.repeat(MAX_DEPTH)}`)
    expect(stringify(parseJson(text))).toBe(text)
  })

  it('[A3] 10 000 levels also where the stack is nearly used up', () => {
    let deep: unknown = { a: 1 }
    for (let level = 1; level < MAX_DEPTH; level++) deep = level % 2 === 0 ? [deep] : { '"': deep }
    const text = atTheEndOfTheStack(() => stringify(snapshot(deep)))
    expect(stringify(parseJson(text))).toBe(text)
    expect(text).toContain('{"a":1}')
  })
})

describe('isSnapshot', () => {
  it('knows what snapshot and parseJson made, and scalars; nothing else', () => {
    const copy = snapshot({ a: [1] }) as { a: JsonValue }
    expect(isSnapshot(copy)).toBe(true)
    expect(isSnapshot(parseJson('{"a":1}'))).toBe(true)
    expect([null, true, 1, 'x'].every(isSnapshot)).toBe(true)
    expect([undefined, -0, Number.NaN, 1n, Symbol.iterator, () => 0].some(isSnapshot)).toBe(false)
    expect(isSnapshot({ ...copy })).toBe(false)
    expect(isSnapshot(Object.freeze({}))).toBe(false)
    // Only roots are known: a part of a snapshot is copied like anything else.
    expect(isSnapshot(copy.a)).toBe(false)
  })

  it('lets a snapshot through as it is', () => {
    const copy = snapshot({ a: 1 })
    expect(snapshot(copy)).toBe(copy)
  })

  it('does not mistake a proxy of a snapshot for one', () => {
    const copy = snapshot({ a: 1 }) as object
    expect(isSnapshot(new Proxy(copy, {}))).toBe(false)
  })
})

function nested(levels: number): unknown {
  let value: unknown = []
  for (let level = 1; level < levels; level++) value = [value]
  return value
}

/** Runs `task` with as little stack left as it still runs on. */
function atTheEndOfTheStack<T>(task: () => T): T {
  function descend(): T {
    try {
      return descend()
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      return task()
    }
  }
  return descend()
}
