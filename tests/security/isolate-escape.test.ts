// Ways out of an isolate that others have found, tried on ours (contract K1). Each attack says what it got; afterwards the bridge must
// work as before, and this process, which is the host of the isolate here, must be as it was.
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runInEngine } from '../support/engine.ts'

const tools = {
  echo: (argument: unknown) => argument,
  fail: () => {
    throw new Error('no such file')
  },
  constructor: () => 'a tool',
  __proto__x: () => 1,
}

/** What an escape would change in, or read from, this process. */
function hostFacts(): unknown {
  return {
    globals: Reflect.ownKeys(globalThis).map(String).sort(),
    object: Reflect.ownKeys(Object.prototype).map(String),
    array: Reflect.ownKeys(Array.prototype).length,
    promise: Reflect.ownKeys(Promise.prototype).map(String),
    error: Reflect.ownKeys(Error).map(String),
    json: JSON.stringify({ a: [1] }),
    env: Object.keys(process.env).length,
    title: process.title,
  }
}

let before: unknown
beforeEach(() => {
  before = hostFacts()
})
afterEach(() => {
  expect(hostFacts()).toEqual(before)
  const { value } = runInEngine('return [await tools.echo({ still: [1] }), typeof process]', { tools })
  expect(value).toEqual([{ still: [1] }, 'undefined'])
})

/** Names that only exist outside of an isolate. */
const OUTSIDE = 'typeof process + typeof require + typeof global + typeof Buffer + typeof module'
const NOTHING = 'undefined'.repeat(5)

describe('constructor walks', () => {
  it.each([
    ['of a member', 'tools.echo.constructor'],
    ['of its result', '(await tools.echo({})).constructor.constructor'],
    ['of its promise', 'tools.echo({}).constructor.constructor'],
    ['of an error of a call', '(await tools.fail().catch((e) => e)).constructor.constructor'],
    ['of the message of an error', '(await tools.fail().catch((e) => e)).message.constructor.constructor'],
    ['of the error class', 'ToolCallError.constructor'],
    ['of the console', 'console.log.constructor'],
    ['of a timer', 'setTimeout.constructor'],
    ['of the id of a timer', 'setTimeout(() => {}).constructor.constructor'],
    ['of the global object', 'globalThis.constructor.constructor'],
    ['of a web class', 'TextEncoder.constructor'],
    ['of bytes', 'new TextEncoder().encode("x").constructor.constructor'],
    ['of a generator', '(function* () {}).constructor'],
    ['of an async generator', '(async function* () {}).constructor'],
    ['of what a failed import throws', 'await import("fs").catch((e) => e.constructor.constructor)'],
    [
      'of a stack overflow',
      '(() => { try { (function f() { f() })() } catch (e) { return e.constructor.constructor } })()',
    ],
    ['of a syntax error', '(() => { try { eval("(") } catch (e) { return e.constructor.constructor } })()'],
    [
      'of a refused regular expression',
      '(() => { try { new RegExp("(") } catch (e) { return e.constructor.constructor } })()',
    ],
    ['of a clone', 'structuredClone({ a: 1 }).constructor.constructor'],
    [
      'of an argument of a trap',
      'await new Promise((r) => { tools.echo(new Proxy({}, { ownKeys(t) { r(t.constructor.constructor); return [] } })) })',
    ],
  ])('[K1] the function constructor %s makes code of this isolate', (_name, expression) => {
    const { value, end } = runInEngine(
      `const F = ${expression}
      const made = F('return ' + ${JSON.stringify(OUTSIDE)})
      let got = await made()
      if (typeof got !== 'string') for await (const x of [got.next ? (await got.next()).value : got]) got = x
      return got`,
      { tools },
    )
    expect(end).toMatchObject({ kind: 'value' })
    expect(value).toBe(NOTHING)
  })

  it('[K1] no tool is called constructor: reading it throws', () => {
    const { constructor: _tool, ...others } = tools
    const { end } = runInEngine("return tools.constructor.constructor('return process')()", { tools: others })
    expect(end).toMatchObject({
      kind: 'exception',
      name: 'TypeError',
      message: expect.stringContaining('tools.constructor does not exist'),
    })
  })
})

describe('every reachable object', () => {
  it('[K1] is of this isolate: none leads to a function of the host', () => {
    const { value, end } = runInEngine(
      `const seen = new Set(), queue = [globalThis, tools, tools.echo, tools.echo({}), await tools.fail().catch((e) => e), async () => {}, function* () {}, new Error('x')]
      const odd = []
      while (queue.length > 0) {
        const item = queue.pop()
        if ((typeof item !== 'object' && typeof item !== 'function') || item === null || seen.has(item)) continue
        seen.add(item)
        if (typeof item === 'function' && item !== Function.prototype && !(item instanceof Function)) odd.push('a function of another realm: ' + item.name)
        let keys = []
        try { keys = Reflect.ownKeys(item) } catch { odd.push('unreadable') }
        for (const key of keys) {
          const slot = Reflect.getOwnPropertyDescriptor(item, key)
          if (slot) for (const value of [slot.value, slot.get, slot.set]) queue.push(value)
        }
        queue.push(Reflect.getPrototypeOf(item))
      }
      const names = [...seen].filter((item) => typeof item === 'function').map((item) => item.name)
      return { odd, count: seen.size, ivm: names.filter((name) => /^(Reference|Dereference|ExternalCopy|Isolate|Context|Callback|Module|Script)$/.test(name)) }`,
      { tools },
    )
    expect(end?.kind).toBe('value')
    expect(value.odd).toEqual([])
    expect(value.ivm).toEqual([])
    expect(value.count).toBeGreaterThan(700)
  })

  it('[K1] the callbacks that leave the isolate are nowhere to be found, whatever runs them', () => {
    const { value } = runInEngine(
      `const callers = []
      const look = (fn) => { try { callers.push(typeof fn.caller, typeof fn.arguments) } catch (error) { callers.push(error.name) } }
      function trap() { look(trap); return [] }
      await tools.echo(new Proxy({}, { ownKeys: trap }))
      function then(resolve) { look(then); look(resolve); resolve(1) }
      await { then }
      setTimeout(function timer() { look(timer) }, 1)
      console.log(new Proxy({}, { ownKeys: trap }))
      await new Promise((r) => setTimeout(r, 2))
      return [...new Set(callers)]`,
      { tools },
    )
    expect(value).toEqual(['TypeError'])
  })
})

describe('code from text', () => {
  it.each([
    ['eval', 'eval(source)'],
    ['indirect eval', '(0, eval)(source)'],
    ['new Function', 'new Function("return " + source)()'],
    ['an async function', 'await (async () => {}).constructor("return " + source)()'],
    [
      'a timer with a text',
      '(() => { try { return String(setTimeout(source)) } catch { return source && globalThis.undefinedName } })() ?? eval(source)',
    ],
    ['Reflect.construct', 'Reflect.construct(Function, ["return " + source])()'],
    ['a new realm', 'typeof ShadowRealm === "undefined" ? eval(source) : new ShadowRealm().evaluate(source)'],
  ])('[K1] [L3] %s stays inside', (_name, expression) => {
    const { value } = runInEngine(`const source = ${JSON.stringify(OUTSIDE)}\nreturn ${expression}`, { tools })
    expect(value).toBe(NOTHING)
  })

  it('[K1] code in the global scope sees the globals of the program, and no variable of the guest', () => {
    const { value } = runInEngine(
      `const probe = ['bridge', 'install', 'guest', 'prelude_exports', 'serialize', 'timers', 'call', 'log', 'end', 'due', 'uncurryThis', '__defProp', 'NativePromise', '$0']
      return probe.filter((name) => (0, eval)('typeof ' + name) !== 'undefined')`,
    )
    expect(value).toEqual([])
  })

  it.each(['fs', 'node:fs', './engine.ts', 'data:text/javascript,1', 'file:///etc/passwd', 'isolated-vm'])(
    '[K1] import(%j) is refused',
    (name) => {
      const { value } = runInEngine(
        `return await import(${JSON.stringify(name)}).then(() => 'loaded', (error) => typeof error.message)`,
      )
      expect(value).toBe('string')
    },
  )
})

describe('prototype pollution', () => {
  it.each([
    [
      'through an argument',
      'await tools.echo(JSON.parse(\'{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}\'))',
    ],
    ['through the result', 'return JSON.parse(\'{"__proto__":{"polluted":1}}\')'],
    ['through its own prototypes', 'Object.prototype.polluted = 1; await tools.echo({})'],
    [
      'through an error',
      'const e = new Error("x"); Object.setPrototypeOf(e, { polluted: 1, name: "N", message: "m" }); throw e',
    ],
    ['through a name of a log level', 'console.__proto__.polluted = 1; console.log({ __proto__: { polluted: 1 } })'],
  ])('[K1] [K7] %s leaves the host as it was', (_name, body) => {
    runInEngine(body, { tools })
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(([] as unknown as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('[A2] [K1] a __proto__ in an answer is data', () => {
    const { value } = runInEngine(
      `const answer = await tools.proto()
      return [Object.hasOwn(answer, '__proto__'), answer.polluted === undefined, Object.getPrototypeOf(answer) === Object.prototype, ({}).polluted === undefined]`,
      { tools: { proto: () => JSON.parse('{"__proto__":{"polluted":1}}') } },
    )
    expect(value).toEqual([true, true, true, true])
  })
})

describe('ends that lie', () => {
  it.each([
    ['a message of the timeout', 'throw new Error("Script execution timed out.")'],
    [
      'a message of the memory limit',
      'throw new RangeError("Isolate was disposed during execution due to memory limit")',
    ],
    ['an orphan with a message of the timeout', 'Promise.reject(new Error("Script execution timed out.")); return 1'],
    [
      'an orphan that throws when it is read',
      'Promise.reject({ get message() { throw 1 }, get stack() { throw 2 }, get name() { throw 3 } }); return 1',
    ],
    ['an orphan proxy', 'Promise.reject(new Proxy({}, { get() { throw 1 }, getPrototypeOf() { throw 2 } })); return 1'],
    ['an orphan of an endless text', 'Promise.reject(new Error("x".repeat(1e7))); return 1'],
    ['ten thousand orphans', 'for (let i = 0; i < 1e4; i++) Promise.reject(i); return 1'],
  ])('[K2] [K9] %s ends no isolate', (_name, body) => {
    const { end, logs } = runInEngine(body, { memoryMb: 256 })
    expect(['value', 'exception']).toContain(end?.kind)
    for (const line of logs) expect(line.length).toBeLessThan(5_000)
  })

  it.each([
    [
      'a hostile error',
      'throw Object.defineProperties(new Error("x"), { name: { get() { throw 1 } }, message: { get() { throw 2 } }, stack: { get() { throw 3 } }, cause: { get() { throw 4 } } })',
    ],
    ['a revoked proxy', 'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); throw proxy'],
    ['an error that is its own cause', 'const e = new Error("x"); e.cause = e; throw e'],
    [
      'an error with endless texts',
      'const e = new Error("m".repeat(1e6)); e.name = "n".repeat(1e6); e.stack = "    at x\\n".repeat(1e5); throw e',
    ],
    [
      'an AggregateError of many',
      'throw new AggregateError(Array.from({ length: 1e4 }, (_, i) => new Error("e" + i)), "many")',
    ],
    ['undefined', 'throw undefined'],
    ['a symbol', 'throw Symbol("s")'],
    ['a function', 'throw () => 1'],
    ['an object with a toString that throws', 'throw { toString() { throw 1 }, [Symbol.toPrimitive]() { throw 2 } }'],
  ])('[K9] %s is described, bounded', (_name, body) => {
    const { end } = runInEngine(body, { memoryMb: 256 })
    if (end?.kind !== 'exception') throw new Error(`ended as ${end?.kind}`)
    expect(end.name.length).toBeLessThan(200)
    expect(end.message.length).toBeLessThan(17_000)
    expect(end.stack.length).toBeLessThan(20_000)
  })

  it('[K9] what runs after the end is not heard: one end, and no call behind it', () => {
    const { end, calls } = runInEngine(
      'queueMicrotask(async () => { for (let i = 0; i < 5; i++) { await 0; tools.echo(i) } }); return "first"',
      { tools },
    )
    expect(end).toEqual({ kind: 'value', text: '"first"' })
    expect(calls.length).toBeLessThan(3)
  })
})
