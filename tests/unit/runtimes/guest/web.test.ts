// What a program has of the web platform, held to what Node has: the same inputs, the same outputs.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runInEngine } from '../../../support/engine.ts'

/** Texts with every kind of trouble: controls, lone surrogates, pairs, far planes. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.array(fc.integer({ min: 0xd7f0, max: 0xe010 }), { maxLength: 12 }).map((units) => String.fromCharCode(...units)),
)
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  // Near-UTF-8: leads, continuations and truncations.
  fc
    .array(
      fc.constantFrom(
        0x41,
        0x80,
        0xbf,
        0xc0,
        0xc2,
        0xe0,
        0xe2,
        0xed,
        0xa0,
        0x9f,
        0xf0,
        0x90,
        0xf4,
        0x8f,
        0xf5,
        0xff,
        0xef,
        0xbb,
      ),
      { maxLength: 12 },
    )
    .map((bytes) => Uint8Array.from(bytes)),
)

/** Runs an expression over many inputs at once, each as `x`; what throws gives its name. */
function mapped<T>(inputs: readonly T[], expression: string): unknown[] {
  return runInEngine(
    `return ${JSON.stringify(inputs)}.map((x) => { try { return ${expression} } catch (error) { return 'threw ' + error.name } })`,
  ).value
}

function nodeResult(action: () => unknown): unknown {
  try {
    return action()
  } catch (error) {
    return `threw ${(error as Error).name}`
  }
}

describe('TextEncoder', () => {
  it('[L3] encodes any text as Node does', () => {
    fc.assert(
      fc.property(fc.array(anyText, { minLength: 20, maxLength: 60 }), (texts) => {
        expect(mapped(texts, 'Array.from(new TextEncoder().encode(x))')).toEqual(
          texts.map((text) => Array.from(new TextEncoder().encode(text))),
        )
      }),
      { numRuns: 8, seed: 5 },
    )
  })

  it('[L3] encodeInto writes whole characters only', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyText, fc.nat(30)), { minLength: 20, maxLength: 60 }), (pairs) => {
        const expected = pairs.map(([text, room]) => {
          const target = new Uint8Array(room)
          const { read, written } = new TextEncoder().encodeInto(text, target)
          return [read, written, Array.from(target)]
        })
        const actual = mapped(
          pairs,
          '(() => { const t = new Uint8Array(x[1]); const { read, written } = new TextEncoder().encodeInto(x[0], t); return [read, written, Array.from(t)] })()',
        )
        expect(actual).toEqual(expected)
      }),
      { numRuns: 10, seed: 6 },
    )
  })

  it('[L3] has the encoding, and takes nothing for an empty text', () => {
    expect(
      runInEngine(
        'const e = new TextEncoder(); return [e.encoding, e.encode().length, e.encode(undefined).length, Array.from(e.encode(12))]',
      ).value,
    ).toEqual(['utf-8', 0, 0, [49, 50]])
  })
})

describe('TextDecoder', () => {
  it.each(['utf-8', 'utf-16le'])('[L3] decodes any %s bytes as Node does, fatal or not', (label) => {
    fc.assert(
      fc.property(fc.array(anyBytes, { minLength: 20, maxLength: 60 }), (inputs) => {
        const lists = inputs.map((bytes) => Array.from(bytes))
        const js = (fatal: boolean): string =>
          `new TextDecoder('${label}', { fatal: ${fatal} }).decode(Uint8Array.from(x))`
        for (const fatal of [false, true]) {
          expect(mapped(lists, js(fatal))).toEqual(
            lists.map((list) => nodeResult(() => new TextDecoder(label, { fatal }).decode(Uint8Array.from(list)))),
          )
        }
      }),
      { numRuns: 6, seed: 7 },
    )
  })

  it.each(['utf-8', 'utf-16le'])('[L3] a %s stream cut anywhere gives the text of the whole', (label) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(anyBytes, fc.nat(40)), { minLength: 20, maxLength: 40 }), (pairs) => {
        const lists = pairs.map(([bytes, cut]) => [Array.from(bytes), Math.min(cut, bytes.length)] as const)
        const actual = mapped(
          lists,
          `(() => { const d = new TextDecoder('${label}'), b = Uint8Array.from(x[0])
            return d.decode(b.subarray(0, x[1]), { stream: true }) + d.decode(b.subarray(x[1]), { stream: true }) + d.decode() })()`,
        )
        expect(actual).toEqual(lists.map(([list]) => new TextDecoder(label).decode(Uint8Array.from(list))))
      }),
      { numRuns: 6, seed: 8 },
    )
  })

  it('[L3] takes buffers and views where they stand, and nothing else', () => {
    const { value } = runInEngine(
      `const bytes = Uint8Array.from([65, 66, 67, 68])
      const d = new TextDecoder()
      const refused = ['text', 5, {}, [65]].map((x) => { try { return d.decode(x) } catch (error) { return error.name } })
      return [d.decode(bytes.buffer), d.decode(bytes.subarray(1, 3)), d.decode(new DataView(bytes.buffer, 2)), d.decode(new Uint16Array(bytes.buffer)), d.decode(), refused]`,
    )
    expect(value).toEqual(['ABCD', 'BC', 'CD', 'ABCD', '', ['TypeError', 'TypeError', 'TypeError', 'TypeError']])
  })

  it('[L3] a byte order mark is dropped once, or kept', () => {
    const { value } = runInEngine(
      `const bom = Uint8Array.from([0xef, 0xbb, 0xbf, 0x41])
      return [new TextDecoder().decode(bom), new TextDecoder('utf-8', { ignoreBOM: true }).decode(bom).length, new TextDecoder('UTF8').encoding,
        (() => { try { new TextDecoder('shift_jis') } catch (error) { return error.name } })()]`,
    )
    expect(value).toEqual(['A', 2, 'utf-8', 'RangeError'])
  })

  it('[L3] a megabyte round trip keeps the text', () => {
    expect(
      runInEngine(
        `const text = 'héllo €𝄞 '.repeat(50_000)
        return new TextDecoder().decode(new TextEncoder().encode(text)) === text`,
        { memoryMb: 256 },
      ).value,
    ).toBe(true)
  })
})

describe('base64', () => {
  it('[L3] btoa and atob agree with Node', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string({ maxLength: 20 }),
            fc.uint8Array({ maxLength: 30 }).map((bytes) => String.fromCharCode(...bytes)),
            anyText,
          ),
          { minLength: 20, maxLength: 50 },
        ),
        (texts) => {
          expect(mapped(texts, 'btoa(x)')).toEqual(texts.map((text) => nodeResult(() => btoa(text))))
          expect(mapped(texts, 'atob(x)')).toEqual(texts.map((text) => nodeResult(() => atob(text))))
        },
      ),
      { numRuns: 6, seed: 9 },
    )
  })

  it('[L3] atob takes what browsers take: white space, missing padding, and no more', () => {
    const inputs = [
      'YWJj',
      'YWI=',
      'YWI',
      'YQ==',
      'YQ',
      ' Y W\nI=',
      '',
      '====',
      'Y',
      'YQ=',
      'YQ===',
      'YW=I',
      '-_-_',
      'YWJ\u00e9',
    ]
    expect(mapped(inputs, 'atob(x)')).toEqual(inputs.map((text) => nodeResult(() => atob(text))))
  })
})

describe('structuredClone', () => {
  it('[L3] copies every kind that there is, cycles and shared parts included', () => {
    const { value, end } = runInEngine(
      `const shared = { x: 1 }
      const source = { n: 1, s: 'a', b: 1n, u: undefined, nested: [shared, shared, , 3], date: new Date(5), re: /a+/gi,
        map: new Map([[shared, new Set([1])]]), typed: new Uint16Array([1, 2]), boxed: Object(5), text: Object('t'), error: new RangeError('no', { cause: shared }) }
      source.self = source
      const view = new Uint8Array(source.typed.buffer, 1, 2)
      source.view = view
      const copy = structuredClone(source)
      return {
        detached: copy !== source && copy.nested !== source.nested && copy.date !== source.date,
        shared: copy.nested[0] === copy.nested[1] && [...copy.map.keys()][0] === copy.nested[0] && copy.error.cause === copy.nested[0],
        cycle: copy.self === copy, hole: !(2 in copy.nested) && copy.nested.length === 4, u: 'u' in copy,
        date: copy.date.getTime(), re: String(copy.re), set: [...[...copy.map.values()][0]], typed: [...copy.typed], big: copy.b === 1n,
        sameBuffer: copy.view.buffer === copy.typed.buffer && copy.view.byteOffset === 1, boxed: copy.boxed.valueOf() + copy.text.valueOf(),
        error: [copy.error instanceof RangeError, copy.error.message, typeof copy.error.stack], keys: Object.keys(copy).length === Object.keys(source).length,
      }`,
    )
    expect(end?.kind).toBe('value')
    expect(value).toEqual({
      detached: true,
      shared: true,
      cycle: true,
      hole: true,
      u: true,
      date: 5,
      re: '/a+/gi',
      set: [1],
      typed: [1, 2],
      big: true,
      sameBuffer: true,
      boxed: '5t',
      error: [true, 'no', 'string'],
      keys: true,
    })
  })

  it.each([
    '() => 1',
    'Symbol("s")',
    '{ a: [() => 1] }',
    'Promise.resolve()',
    'new WeakMap()',
    'Object(Symbol("s"))',
    'tools.echo',
  ])('[L3] %s is a DataCloneError', (expression) => {
    const { end } = runInEngine(`structuredClone(${expression})`, { tools: { echo: () => 1 } })
    expect(end).toMatchObject({ kind: 'exception', name: 'DataCloneError' })
  })

  it('[L3] instances become plain objects, and getters their values', () => {
    const { value } = runInEngine(
      `class Point { constructor() { this.x = 1 } get y() { return 2 } }
      const copy = structuredClone({ p: new Point(), get g() { return 3 } })
      return [copy, copy.p instanceof Point, Object.getOwnPropertyDescriptor(copy, 'g').value]`,
    )
    expect(value).toEqual([{ p: { x: 1 }, g: 3 }, false, 3])
  })

  it('[L3] transferred buffers move', () => {
    const { value } = runInEngine(
      `const buffer = new Uint8Array([1, 2, 3]).buffer
      const copy = structuredClone({ buffer }, { transfer: [buffer] })
      const refused = (() => { try { structuredClone(1, { transfer: [{}] }) } catch (error) { return error.name } })()
      return [[...new Uint8Array(copy.buffer)], buffer.byteLength, refused]`,
    )
    expect(value).toEqual([[1, 2, 3], 0, 'DataCloneError'])
  })

  it('[L3] [A3] depth is no limit', () => {
    const { value } = runInEngine(
      `let depth = 0
      for (let v = structuredClone(JSON.parse('['.repeat(50_000) + ']'.repeat(50_000))); v !== undefined; v = v[0]) depth++
      return depth`,
    )
    expect(value).toBe(50_000)
  })
})
