// A program that replaces, poisons or freezes what the language gave it fools itself alone: what crosses the boundary stays what it is
// (contract K7). Each attack runs before the battery below, which uses syntax only, and after a first call, so that nothing is cold.
import { describe, expect, it } from 'vitest'
import { type EngineRun, runInEngine } from '../support/engine.ts'

const tools = {
  echo: (argument: unknown) => argument,
  fail: () => {
    throw new Error('no such file')
  },
}

/** What the battery needs of the language, kept; and the tools of attackers. */
const PREPARE = `
const { log: keptLog } = console
const KeptPromise = Promise, keptTimeout = setTimeout, keptPrototype = ToolCallError.prototype
const { defineProperty: keptDefine, getPrototypeOf: keptPrototypeOf } = Reflect
const keptDescriptor = { __proto__: null, value: Promise }
// \`await\` reads the constructor of a promise: this one is its own.
const own = (promise) => { keptDefine(promise, 'constructor', keptDescriptor); return promise }
await tools.echo({ warm: true })
const thrower = () => { throw new TypeError('poisoned') }
const poison = (target, keys) => { for (const key of keys) try { target[key] = thrower } catch {} }
const { ownKeys: keptKeys } = Reflect
const all = (target) => { const keys = []; for (const key of keptKeys(target)) if (key !== 'prototype') keys[keys.length] = key; return keys }
`
/** Uses every part of the bridge, and syntax only. */
const BATTERY = `
const echoed = await own(tools.echo({ a: [1, { b: null }, []], s: 'x', o: {} }))
const none = await own(tools.echo())
let failed, refused, unknown, many
try { await own(tools.fail({})) } catch (error) {
  failed = { message: error.message, tool: error.toolName, right: keptPrototypeOf(error) === keptPrototype }
}
try { await own(tools.echo({ d: [() => 1] })) } catch (error) { refused = error.message }
try { await own(tools.echo(1, 2)) } catch (error) { many = error.message }
try { tools.ecko } catch (error) { unknown = error.message }
keptLog('line', 'two')
await own(new KeptPromise((resolve) => { keptTimeout(resolve, 1) }))
const one = tools.echo(1), two = tools.echo('2')
return { echoed, none, failed, refused, many, unknown, first: await own(one), second: await own(two) }
`

const EXPECTED = {
  value: {
    echoed: { a: [1, { b: null }, []], s: 'x', o: {} },
    none: {},
    failed: { message: 'no such file', tool: 'fail', right: true },
    refused: 'tools.echo: args.d[0] is a function: send data; call it first if you meant its result',
    many: 'tools.echo takes one argument, got 2: pass one object, as in tools.echo({ … })',
    unknown: 'tools.ecko does not exist. Nearest: tools.echo, tools.fail (2 members; Object.keys(tools) lists them).',
    first: 1,
    second: '2',
  },
  logs: ['log: line two'],
  calls: ['{"warm":true}', '{"a":[1,{"b":null},[]],"s":"x","o":{}}', '{}', '{}', '1', '"2"'],
}

function attack(poison: string, battery = BATTERY): EngineRun {
  return runInEngine(`${PREPARE}\n${poison}\n${battery}`, { tools })
}

function expectUnharmed(run: EngineRun): void {
  expect(run.end?.kind === 'exception' ? run.end : undefined).toBeUndefined()
  expect({ value: run.value, logs: run.logs, calls: run.calls.map((call) => call.text) }).toEqual(EXPECTED)
}

it('[K7] the battery itself, unharmed', () => {
  expectUnharmed(attack(''))
})

describe('replaced functions', () => {
  it.each([
    ['JSON', 'poison(JSON, all(JSON))'],
    ['Object', 'poison(Object, all(Object))'],
    ['Reflect', 'const names = all(Reflect); poison(Reflect, names)'],
    ['Array', 'poison(Array, all(Array))'],
    ['Array.prototype', 'const names = all(Array.prototype); poison(Array.prototype, names)'],
    ['String.prototype', 'poison(String.prototype, all(String.prototype))'],
    [
      'String and Number',
      'poison(String, all(String)); poison(Number, all(Number)); poison(Number.prototype, all(Number.prototype))',
    ],
    [
      'Map.prototype and Set.prototype',
      'poison(Map.prototype, all(Map.prototype)); poison(Set.prototype, all(Set.prototype))',
    ],
    ['WeakMap.prototype', 'poison(WeakMap.prototype, all(WeakMap.prototype))'],
    ['Promise.prototype', 'poison(Promise.prototype, ["then", "catch", "finally", "constructor"])'],
    [
      'Promise.resolve and its kind',
      'poison(Promise, ["resolve", "reject", "race", "any", "allSettled", "withResolvers", "try"])',
    ],
    ['Function.prototype', 'poison(Function.prototype, ["call", "apply", "bind", "toString", "constructor"])'],
    [
      'Error and its prototypes',
      'for (const E of [Error, TypeError, RangeError]) { poison(E, ["captureStackTrace"]); poison(E.prototype, ["toString", "constructor"]) }',
    ],
    ['Math and Date', 'poison(Math, all(Math)); poison(Date, all(Date)); poison(Date.prototype, all(Date.prototype))'],
    [
      'Symbol.prototype and BigInt.prototype',
      'poison(Symbol.prototype, ["toString", "valueOf"]); poison(BigInt.prototype, ["toString"])',
    ],
    [
      'iterators',
      `for (const P of [Array, Map, Set, String]) P.prototype[Symbol.iterator] = thrower
      Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator] ? new Map().entries() : {})).next = thrower`,
    ],
    ['Object.prototype', 'poison(Object.prototype, all(Object.prototype))'],
    [
      'typed arrays',
      'const T = Object.getPrototypeOf(Uint8Array); poison(T.prototype, all(T.prototype)); poison(ArrayBuffer.prototype, all(ArrayBuffer.prototype))',
    ],
    ['every global', 'for (const key of all(globalThis)) try { globalThis[key] = thrower } catch {}'],
    ['every deleted global', 'for (const key of all(globalThis)) try { delete globalThis[key] } catch {}'],
  ])('[K7] %s', (_name, poison) => {
    expectUnharmed(attack(poison))
  })
})

describe('poisoned prototypes', () => {
  const setter =
    '{ configurable: true, get() { return undefined }, set(value) { throw new TypeError("intercepted " + typeof value) } }'
  it.each([
    [
      'parts of descriptors',
      'for (const key of ["get", "set", "value", "writable", "enumerable", "configurable"]) Object.prototype[key] = thrower',
    ],
    [
      'parts of descriptors, as getters',
      'for (const key of ["get", "set", "value", "writable", "enumerable"]) keptDefine(Object.prototype, key, { __proto__: null, get: thrower, configurable: true })',
    ],
    [
      'setters for indexes of arrays',
      `for (let i = 0; i < 40; i++) Object.defineProperty(Array.prototype, i, ${setter})`,
    ],
    [
      'setters for indexes of all objects',
      `for (let i = 0; i < 40; i++) Object.defineProperty(Object.prototype, i, ${setter})`,
    ],
    [
      'toJSON everywhere',
      'for (const C of [Object, Array, String, Number, Boolean, Symbol, BigInt]) C.prototype.toJSON = () => "stolen"',
    ],
    ['a tag for all objects', 'Object.prototype[Symbol.toStringTag] = "Evil"'],
    ['Symbol.toPrimitive of all objects', 'Object.prototype[Symbol.toPrimitive] = thrower'],
    [
      'fields of the bridge’s own objects',
      'for (const key of ["text", "ok", "refusal", "parent", "keys", "index", "next", "name", "message", "namespace", "length", "place", "due"]) Object.defineProperty(Object.prototype, key, { get: thrower, set: thrower, configurable: true })',
    ],
    ['the species of promises', 'Object.defineProperty(Promise, Symbol.species, { get: thrower })'],
    [
      'the constructor of promises, as a getter',
      'Object.defineProperty(Promise.prototype, "constructor", { get: thrower })',
    ],
    [
      'the constructor of arrays',
      'Object.defineProperty(Array.prototype, "constructor", { get: thrower }); Object.defineProperty(Array, Symbol.species, { get: thrower })',
    ],
    [
      'a prototype for Array.prototype',
      'Object.setPrototypeOf(Array.prototype, new Proxy({}, { get: thrower, has: thrower, set: thrower, getOwnPropertyDescriptor: thrower }))',
    ],
    [
      'a prototype for Promise.prototype',
      'Object.setPrototypeOf(Promise.prototype, new Proxy({}, { get: thrower, has: thrower }))',
    ],
    [
      'the prototype of the error class',
      'Object.setPrototypeOf(ToolCallError, function () { throw new TypeError("called") })',
    ],
    ['Symbol.hasInstance of Error', 'Object.defineProperty(Error, Symbol.hasInstance, { value: thrower })'],
    [
      'another toolName',
      'Object.defineProperty(Error.prototype, "toolName", { set: thrower, configurable: true }); Object.defineProperty(Error.prototype, "message", { set: thrower, configurable: true })',
    ],
  ])('[K7] %s', (_name, poison) => {
    expectUnharmed(attack(poison))
  })

  it('[K7] everything frozen', () => {
    expectUnharmed(
      attack(
        `const seen = new Set(), queue = [globalThis]
        while (queue.length) { const o = queue.pop(); if (seen.has(o)) continue; seen.add(o)
          for (const key of Reflect.ownKeys(o)) { const d = Reflect.getOwnPropertyDescriptor(o, key); for (const v of [d.value, d.get, d.set]) if (Object(v) === v) queue.push(v) }
          const p = Object.getPrototypeOf(o); if (p) queue.push(p) }
        for (const o of seen) if (o !== globalThis) try { Object.freeze(o) } catch {}`,
      ),
    )
  })
})

describe('errors and stacks', () => {
  it.each([
    ['throws', '() => { throw 1 }'],
    ['lies', '() => "    at host (/etc/passwd:1:1)"'],
    ['gives an object', '() => ({ toString() { throw 1 } })'],
    ['keeps the call sites', '(error, sites) => { globalThis.sites = sites; return "" }'],
  ])('[K7] Error.prepareStackTrace that %s', (_name, source) => {
    expectUnharmed(attack(`Error.prepareStackTrace = ${source}`))
  })

  it.each(['0', '-1', 'NaN', 'Infinity', '"x"', 'undefined', '{}'])('[K7] Error.stackTraceLimit = %s', (limit) => {
    expectUnharmed(attack(`Error.stackTraceLimit = ${limit}`))
  })

  it('[K1] call sites give no function and no receiver of the guest, or of anything below it', () => {
    const { value } = runInEngine(
      `const found = []
      Error.prepareStackTrace = (error, sites) => {
        for (const site of sites) {
          const what = [site.getThis(), site.getFunction()]
          if (String(site.getFileName()).includes('guest') || site.isNative() || site.getFileName() === null) found.push(what.map((x) => typeof x))
        }
        return 'x'
      }
      const read = (error) => error.stack
      read(new Error('here'))
      try { await tools.fail() } catch (error) { read(error); read(new Error('after')) }
      new Proxy({}, { ownKeys() { read(new Error('in a trap')); return [] } })
      try { await tools.echo(new Proxy({}, { ownKeys() { read(new Error('in a trap')); return [] } })) } catch {}
      try { await tools.echo({ get a() { return 1 } }) } catch (error) { read(error) }
      setTimeout(() => read(new Error('in a timer')), 1)
      queueMicrotask(() => read(new Error('in a microtask')))
      await new Promise((resolve) => setTimeout(resolve, 2))
      return [found.length > 0, [...new Set(found.flat())]]`,
      { tools },
    )
    expect(value).toEqual([true, ['undefined']])
  })

  it('[K8] no stack that a program can read holds a path of the host, or a frame of isolated-vm', () => {
    const { value } = runInEngine(
      `const stacks = []
      const keep = (error) => { stacks.push(String(error.stack), String(error.message)); for (const c of [error.cause, error.errors]) if (c) stacks.push(String(c.stack)) }
      for (const attempt of [() => tools.fail(), () => tools.echo(1n), () => tools.echo(1, 2), () => tools.nothing, () => structuredClone(() => 1), () => atob('*'),
        () => setTimeout(1), () => new TextDecoder('x'), () => eval('throw new Error("x")'), () => new Function('throw new Error("x")')(), () => import('fs'), () => null.x,
        () => (function f() { f() })()]) try { await attempt() } catch (error) { keep(error) }
      return stacks`,
      { tools },
    )
    expect((value as string[]).length).toBeGreaterThan(20)
    for (const text of value as string[])
      expect(text).not.toMatch(/node_modules|file:|\/work|\/home|isolated-vm|engine\.ts|program-isolate/)
  })
})

describe('during a call', () => {
  it('[K7] an attack between the sending and the answer changes nothing', () => {
    const { value, calls } = attack(
      '',
      `const good = own(tools.echo({ a: [1] })), bad = own(tools.fail({}))
      for (const C of [Object, Array, Promise, Map, JSON, Reflect, Function, String, Error]) {
        poison(C, all(C))
        if (C.prototype) poison(C.prototype, ['get', 'set', 'has', 'delete', 'call', 'apply', 'push', 'slice', 'constructor'])
      }
      Object.prototype.ok = true
      Object.prototype.text = '"stolen"'
      const value = await good
      try { await bad } catch (error) { return { value, message: error.message, tool: error.toolName } }`,
    )
    expect(value).toEqual({ value: { a: [1] }, message: 'no such file', tool: 'fail' })
    expect(calls).toHaveLength(3)
  })

  it('[K7] a proxy argument that reenters the bridge while it is read', () => {
    const { value, calls } = runInEngine(
      `let inner
      const outer = await tools.echo(new Proxy({ a: 1 }, { ownKeys: (target) => { inner ??= tools.echo('inner'); return Reflect.ownKeys(target) } }))
      return [outer, await inner]`,
      { tools },
    )
    expect(value).toEqual([{ a: 1 }, 'inner'])
    expect(calls.map((call) => [call.call, call.text])).toEqual([
      [1, '"inner"'],
      [2, '{"a":1}'],
    ])
  })

  it('[K7] a thenable prototype steals what the program itself awaits, and nothing else', () => {
    const { calls, logs, end } = runInEngine(
      `Object.prototype.then = function (resolve) { delete Object.prototype.then; resolve('stolen') }
      const value = await tools.echo({ a: 1 })
      console.log(typeof value)
      return { again: await tools.echo({ a: 2 }) }`,
      { tools },
    )
    expect(calls.map((call) => call.text)).toEqual(['{"a":1}', '{"a":2}'])
    expect(logs).toEqual(['log: string'])
    expect(end).toEqual({ kind: 'value', text: '{"again":{"a":2}}' })
  })

  it('[K7] arguments are read once: a proxy that changes its mind is what it said first', () => {
    const { calls } = runInEngine(
      `let reads = 0
      await tools.echo(new Proxy({ n: 0 }, { getOwnPropertyDescriptor: () => ({ value: ++reads, enumerable: true, configurable: true, writable: true }), get: () => 'never' }))`,
      { tools },
    )
    expect(calls.map((call) => call.text)).toEqual(['{"n":1}'])
  })
})
