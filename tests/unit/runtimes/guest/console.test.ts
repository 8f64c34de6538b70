import { describe, expect, it } from 'vitest'
import { runInEngine } from '../../../support/engine.ts'

/** The one line that a program logs. */
function logged(expression: string, memoryMb = 64): string {
  const { logs, end } = runInEngine(`console.log(${expression})`, { memoryMb })
  expect(end).toEqual({ kind: 'value' })
  expect(logs).toHaveLength(1)
  return logs[0]?.slice('log: '.length) ?? ''
}

describe('levels', () => {
  it('[L3] each of the five goes out as data, in order, and there is no sixth', () => {
    const { logs, value } = runInEngine(
      `console.debug('a'); console.log('b'); console.info('c'); console.warn('d'); console.error('e'); console.log()
      return Object.keys(console)`,
    )
    expect(logs).toEqual(['debug: a', 'log: b', 'info: c', 'warn: d', 'error: e', 'log: '])
    expect(value).toEqual(['log', 'info', 'warn', 'error', 'debug'])
  })

  it('[H8] a line leaves at once, in the middle of an entry that never ends', () => {
    const lines: string[] = []
    expect(() =>
      runInEngine('console.log("said"); for (;;) {}', { entryTimeoutMs: 100, onLog: (line) => lines.push(line) }),
    ).toThrow(/100 ms/)
    expect(lines).toEqual(['log: said'])
  })

  it('[L3] methods work without their object', () => {
    expect(runInEngine('const { log } = console; [1, 2].forEach((n) => log(n)); ["x"].map(console.warn)').logs).toEqual(
      ['log: 1', 'log: 2', "warn: x 0 [ 'x' ]"],
    )
  })
})

describe('rendering', () => {
  it.each([
    ["'plain text', 'as it is\\n'", 'plain text as it is\n'],
    ['1, -0, 1.5, NaN, -Infinity, 10n', '1 -0 1.5 NaN -Infinity 10n'],
    ['undefined, null, true, Symbol("s")', 'undefined null true Symbol(s)'],
    ['{ a: 1, "b-c": "text", [Symbol("s")]: null }', "{ a: 1, 'b-c': 'text', [Symbol(s)]: null }"],
    ['[], {}, [[]], { a: {} }', '[] {} [ [] ] { a: {} }'],
    ['[1, , 3, , ,]', '[ 1, <1 empty item>, 3, <2 empty items> ]'],
    ['Object.assign([1], { total: 1 })', '[ 1, total: 1 ]'],
    ['["it\'s", \'say "hi"\', "a\\nb"]', '[ "it\'s", "say \\"hi\\"", "a\\nb" ]'],
    ['new Map([["a", { x: 1 }]]), new Set([1, "b"])', "Map(1) { 'a' => { x: 1 } } Set(2) { 1, 'b' }"],
    ['new Date(0), new Date(NaN), /a\\/b/gi', '1970-01-01T00:00:00.000Z Invalid Date /a\\/b/gi'],
    ['new Uint8Array([1, 2]), new ArrayBuffer(8)', 'Uint8Array(2) [ 1, 2 ] ArrayBuffer { byteLength: 8 }'],
    [
      '() => 1, function named() {}, async () => 1, class A {}',
      '[Function (anonymous)] [Function: named] [AsyncFunction (anonymous)] [class A]',
    ],
    ['Object.assign(() => 1, { extra: 1 })', '[Function (anonymous)] { extra: 1 }'],
    ['new (class Point { x = 1 })(), new (class extends Map {})()', 'Point { x: 1 } Map(0) {}'],
    ['Object.create(null), Object.create({})', '[Object: null prototype] {} {}'],
    ['Object(1), Object("s"), Object(true), Object(1n)', "[Number: 1] [String: 's'] [Boolean: true] [BigInt: 1n]"],
    ['Promise.resolve(1), new WeakMap(), new WeakSet()', 'Promise {} WeakMap {} WeakSet {}'],
    [
      '{ get a() { throw 1 }, set b(x) {}, get c() { return 1 }, set c(x) {} }',
      '{ a: [Getter], b: [Setter], c: [Getter/Setter] }',
    ],
    ['((o) => { o.self = o; o.list = [o]; return o })({})', '{ self: [Circular], list: [ [Circular] ] }'],
    [
      '[[[[[[[[1]]]]]]]], { a: { b: { c: { d: { e: { f: { g: 1 } } } } } } }',
      '[ [ [ [ [ [ [Array] ] ] ] ] ] ] { a: { b: { c: { d: { e: { f: [Object] } } } } } }',
    ],
  ])('[L3] console.log(%s)', (expression, line) => {
    expect(logged(expression)).toBe(line)
  })

  it('[L3] what does not fit on a line is written an entry a line', () => {
    expect(logged('{ name: "x".repeat(50), rows: [{ id: 1, title: "one" }, { id: 2, title: "y".repeat(40) }] }')).toBe(
      [
        '{',
        `  name: '${'x'.repeat(50)}',`,
        '  rows: [',
        "    { id: 1, title: 'one' },",
        `    { id: 2, title: '${'y'.repeat(40)}' }`,
        '  ]',
        '}',
      ].join('\n'),
    )
  })

  it('[L3] many short scalars share lines', () => {
    expect(logged('Array.from({ length: 40 }, (_, i) => i)').split('\n').length).toBe(4)
  })

  it('[L1] [L3] errors show name, message, own frames, causes and properties; no frame is ours', () => {
    const line = logged('Object.assign(new TypeError("outer", { cause: new RangeError("inner") }), { code: 5 })')
    expect(line).toBe(
      'TypeError: outer\n    at program.ts:1:27 {\n  [cause]: RangeError: inner\n      at program.ts:1:59,\n  code: 5\n}',
    )
  })

  it('[L3] a failed call shows its tool and the line that awaited it', () => {
    const { logs } = runInEngine('try {\n  await tools.fail()\n} catch (error) { console.error("failed:", error) }', {
      tools: {
        fail: () => {
          throw new Error('no such file')
        },
      },
    })
    expect(logs).toEqual([
      "error: failed: ToolCallError: no such file\n    at async program.ts:2:3 { toolName: 'fail' }",
    ])
  })

  it.each([
    ['"%s is %d", "x", 5, "y"', 'x is 5 y'],
    ['"%i %f %j %o %c%%", 5.9, "1.5", { a: 1 }, [1], "color: red"', '5 1.5 {"a":1} [ 1 ] %'],
    ['"100%", 1', '100% 1'],
    ['"%s"', '%s'],
    ['"%s %s", 1', '1 %s'],
    ['"%x", 1', '%x 1'],
    ['{ a: 1 }, "%s", 1', '{ a: 1 } %s 1'],
    ['"%d", { valueOf() { throw 1 } }', 'NaN'],
    ['"%j", ((o) => { o.o = o; return o })({})', '{ o: [Circular] }'],
  ])('[L3] format console.log(%s)', (expression, line) => {
    expect(logged(expression)).toBe(line)
  })
})

describe('hostile values', () => {
  it('[K9] no getter, toString, toJSON, Symbol.toPrimitive or Symbol.toStringTag of a value is called', () => {
    const { logs, value } = runInEngine(
      `let ran = 0
      const run = () => { ran++; return 'x' }
      console.log({ get a() { return run() }, toString: run, toJSON: run, valueOf: run, [Symbol.toPrimitive]: run, get [Symbol.toStringTag]() { return run() } })
      class Loud { get [Symbol.toStringTag]() { return run() } toString() { return run() } static get name() { return run() } }
      console.log(new Loud(), [new Loud()], Loud)
      return ran`,
    )
    expect(value).toBe(0)
    expect(logs).toHaveLength(2)
  })

  it.each([
    ['new Proxy({}, { ownKeys() { throw new Error("trap") } })', '[unreadable: trap]'],
    ['new Proxy({ a: 1 }, { getOwnPropertyDescriptor() { throw 1 } })', '[unreadable]'],
    ['new Proxy([], { getPrototypeOf() { throw new Error("no") } })', '[unreadable: no]'],
    [
      '((p) => (p.revoke(), p.proxy))(Proxy.revocable({}, {}))',
      "[unreadable: Cannot perform 'IsArray' on a proxy that has been revoked]",
    ],
    [
      '{ before: 1, odd: new Proxy({}, { ownKeys() { throw 0 } }), after: 2 }',
      '{ before: 1, odd: [unreadable], after: 2 }',
    ],
  ])('[K9] what cannot be read is said to be: %s', (expression, line) => {
    expect(logged(expression)).toBe(line)
  })

  it.each([
    [
      'an error whose message, name and stack throw',
      '(() => { const e = new Error("x"); for (const k of ["message", "name", "stack"]) Object.defineProperty(e, k, { get() { throw 1 } }); return e })()',
    ],
    ['an error with a stack of other things', 'Object.assign(new Error("x"), { stack: { length: 1 } })'],
    [
      'Error.prepareStackTrace that throws',
      '(() => { Error.prepareStackTrace = () => { throw 1 }; return new Error("x") })()',
    ],
    [
      'an array that lies about its length',
      'new Proxy([], { getOwnPropertyDescriptor: (t, k) => k === "length" ? { value: 1e9, writable: true } : undefined })',
    ],
  ])('[K9] %s is rendered somehow', (_name, expression) => {
    expect(logged(expression).length).toBeGreaterThan(0)
  })

  it.each([
    ['many items', 'Array.from({ length: 2e5 }, (_, i) => i)'],
    ['many keys', 'Object.fromEntries(Array.from({ length: 2e5 }, (_, i) => ["k" + i, i]))'],
    ['many entries', 'new Map(Array.from({ length: 2e5 }, (_, i) => [i, i]))'],
    ['long texts in a container', 'Array.from({ length: 90 }, () => "x".repeat(100_000))'],
    [
      'a tree that widens at each level',
      '((t) => { for (let i = 0; i < 6; i++) t = Array.from({ length: 60 }, () => t); return t })("leaf")',
    ],
    ['a billion holes', 'new Array(1e9)'],
    ['ten thousand levels', 'JSON.parse("[".repeat(10_000) + "]".repeat(10_000))'],
    ['a big number of many digits', '10n ** 100_000n'],
  ])('[K9] %s make a bounded line', (_name, expression) => {
    const line = logged(expression, 512)
    expect(line.length).toBeGreaterThan(0)
    expect(line.length).toBeLessThan(1_100_000)
  })

  it('[K9] a line is cut at sixteen million units, with a note', () => {
    const { logs } = runInEngine('console.log("x".repeat(9_000_000), "y".repeat(9_000_000))', { memoryMb: 256 })
    expect(logs[0]?.length).toBeLessThan(16 * 1024 * 1024 + 60)
    expect(logs[0]?.endsWith('… (1222785 more characters)')).toBe(true)
  })
})
