import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FORMATS } from '../../../src/schema/formats.ts'
import { MAX_PATTERN_CHARS } from '../../../src/schema/limits.ts'
import { compilePattern, type LinearPattern } from '../../../src/schema/patterns.ts'

function compile(source: string): LinearPattern {
  const result = compilePattern(source)
  if ('refusal' in result) throw new Error(`${source} ${result.refusal}`)
  return result.pattern
}

/** As Ajv would: with the flag `u` where that is valid. */
function native(source: string): RegExp {
  try {
    return new RegExp(source, 'u')
  } catch {
    return new RegExp(source)
  }
}

const PATTERNS = [
  '.',
  '\\s',
  '\\S',
  '[\\s]',
  '[^\\s]',
  '[\\S\\d]',
  '[^\\S]',
  '\\d',
  '\\D',
  '\\w',
  '\\W',
  '\\bb',
  '\\B',
  '[^]',
  '[]',
  '^$',
  '[\\b]',
  '\\cA',
  '\\x41',
  '\\u00e9',
  '\\u{1F600}',
  '\\ud83d\\ude00',
  '[\\ud83d\\ude00é]',
  '\\p{L}',
  '\\P{Lu}',
  '^[é-ü]$',
  '😀',
  '[^😀]',
  '[[]',
  '[[:alpha:]]',
  '[a&&b]',
  '[--a]',
  '[a-]',
  '[\\]]',
  '[\\\\]',
  '\\/',
  '\\-',
  '\\@',
  '\\#',
  '\\ ',
  '\\é',
  '{',
  'a{,3}',
  '^]$',
  '(?<name>a)b',
  '(?:a|b)??c',
  '(?i:A)',
  'x{2,}',
  '^(|a)$',
  'a|',
  '^[^=]+=[^=]+$',
  '\\t\\n\\v\\f\\r',
  '\\0',
  '^[\\w.-]+\\.(png|svg)$',
]

describe('compilePattern', () => {
  const characters = [
    ...Array.from({ length: 0x300 }, (_, unit) => String.fromCharCode(unit)),
    ...'\u1680\u2000\u200a\u200b\u2028\u2029\u202f\u205f\u3000\ufeff\ud800\udc00𝒳😀',
  ]
  const texts = [
    '',
    'aa',
    'ab',
    'bc',
    'xx',
    'a\n',
    'A',
    'a=b',
    'image.png',
    '{',
    'a{,3}',
    '\t\n\v\f\r',
    ':',
    'b a',
    '\ud83d',
    '\ude00',
  ]

  it.each(PATTERNS)('[G3] %s means what it means in ECMA-262', (source) => {
    const [ours, theirs] = [compile(source), native(source)]
    const differences = [...characters, ...texts].filter((text) => ours.test(text) !== theirs.test(text))
    expect(differences).toEqual([])
  })

  it('[G3] agrees with the native engine on expressions made of common parts', () => {
    const part = fc.constantFrom(
      'a',
      'b',
      '.',
      '\\d',
      '\\s',
      '\\w',
      '[ab]',
      '[^a]',
      '\\.',
      '-',
      '(?:a|b)',
      '(ab)',
      '^',
      '$',
      '\\b',
    )
    const repeated = fc
      .tuple(part, fc.constantFrom('', '', '', '*', '+', '?', '{2}', '{1,3}', '*?'))
      .map(([what, times]) => (['^', '$', '\\b'].includes(what) ? what : what + times))
    const source = fc
      .array(fc.oneof(repeated, fc.constant('|')), { minLength: 1, maxLength: 6 })
      .map((parts) => parts.join(''))
    const text = fc
      .array(fc.constantFrom('a', 'b', '1', ' ', '.', '-', '\n', '\u00a0', 'é'), { maxLength: 8 })
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(source, fc.array(text, { minLength: 5, maxLength: 5 }), (expression, samples) => {
        const [ours, theirs] = [compile(expression), native(expression)]
        for (const sample of samples) expect(ours.test(sample), sample).toBe(theirs.test(sample))
      }),
      { seed: 12, numRuns: 300 },
    )
  })

  it.each([
    ['(?=a)b', 'look-around'],
    ['(?!a)b', 'look-around'],
    ['(?<=a)b', 'look-around'],
    ['(?<!a)b', 'look-around'],
    ['(a)\\1', 'back reference'],
    ['(?<n>a)\\k<n>', 'back reference'],
    ['\\Aa\\Z', 'unknown escape'],
    ['(?P<n>a)', 'no valid ECMA-262'],
    ['([', 'no valid ECMA-262'],
    ['(?i)a', 'no valid ECMA-262'],
    ['a{1001}', 'linear time'],
    ['((a{100}){100}){100}', 'linear time'],
    [`${'(a|b){900}'.repeat(5)}`, 'too large'],
    ['a'.repeat(MAX_PATTERN_CHARS + 1), 'longer than'],
  ])('[G3] refuses %s, with the reason', (source, reason) => {
    expect(compilePattern(source)).toEqual({ refusal: expect.stringContaining(reason) })
  })

  it.each(['(?=', '(?!', '(?<='])('takes an escaped %s for text', (opening) => {
    const escaped = opening.replace(/[(?]/g, '\\$&')
    expect(compile(escaped).test(`x${opening}y`)).toBe(true)
    expect(compile('[(?=]').test('=')).toBe(true)
  })

  it('[G3] takes linear time where a backtracking engine would take for ever', () => {
    for (const source of ['^(a+)+$', '^(a|a)*$', '^(([a-z])+.)+[A-Z]([a-z])+$', '^(.*a){25}$']) {
      expect(compile(source).test(`${'a'.repeat(20_000)}!`)).toBe(false)
    }
  })
})

describe('FORMATS', () => {
  const samples: Readonly<Record<string, readonly [right: readonly string[], wrong: readonly string[]]>> = {
    date: [
      ['2024-02-29', '0001-01-01'],
      ['2023-02-29', '2024-13-01', '2024-04-31', '24-01-01', '2024-1-1', '2024-00-10', ''],
    ],
    time: [
      ['12:30:00Z', '23:59:60z', '01:02:03.4567+05:30'],
      ['12:30:00', '24:00:00Z', '12:60:00Z', '12:00:61Z', '12:00:00+25:00'],
    ],
    'date-time': [
      ['2024-05-31T12:30:00Z', '2024-05-31t12:30:00.5-01:00'],
      ['2024-05-31', '2024-05-31T12:30:00', '2024-02-30T12:30:00Z'],
    ],
    duration: [
      ['P1D', 'PT0.5S', 'P1Y2M3DT4H5M6S', 'P3W'],
      ['P', 'PT', 'P1DT', '1D', 'P1H', 'P1W2D'],
    ],
    email: [
      ['a.b+c@example.org', "o'hara@x"],
      ['a', '@x', 'a@', 'a@-x.org', 'a b@x.org', 'a@x..org'],
    ],
    'idn-email': [['ü@müller.de'], ['a', 'a@b@c', 'a b@c']],
    hostname: [
      ['example.org', 'x', 'a-b.c1.', 'A'],
      ['-a.org', 'a_b', 'a..b', '', `${'a'.repeat(64)}.org`, `${'a.'.repeat(127)}aaa`],
    ],
    ipv4: [['127.0.0.1'], ['256.0.0.1', '1.2.3', '01.2.3.4']],
    ipv6: [
      ['::1', 'fe80::1', '::ffff:1.2.3.4'],
      ['1::2::3', 'fe80::1%eth0', '127.0.0.1'],
    ],
    uri: [
      ['https://example.org/a?b#c', 'urn:isbn:1', 'mailto:a@b'],
      ['/a', 'a b:c', 'http://x/%zz', 'http://x/ü', ''],
    ],
    'uri-reference': [
      ['/a/b', '../x', '', '#f', 'https://x'],
      ['a b', '<x>', 'ü'],
    ],
    iri: [['https://x/ü'], ['/ü', 'a b:c']],
    'iri-reference': [['/ü', ''], ['a b']],
    uuid: [
      ['123e4567-E89B-12d3-a456-426614174000'],
      ['123e4567e89b12d3a456426614174000', '123e4567-e89b-12d3-a456-42661417400g'],
    ],
    'json-pointer': [
      ['', '/a/0', '/a~1b~0c/'],
      ['a', '/a~2', '/~'],
    ],
    'relative-json-pointer': [
      ['0', '1/a', '2#', '10/'],
      ['/a', '01', '-1', '1a', ''],
    ],
  }

  it('has a sample of each', () => {
    expect(Object.keys(samples).toSorted()).toEqual([...FORMATS.keys()].toSorted())
  })

  it.each(Object.entries(samples))('[G3] %s', (name, [right, wrong]) => {
    const format = FORMATS.get(name)
    expect(right.filter((text) => format?.test(text) !== true)).toEqual([])
    expect(wrong.filter((text) => format?.test(text) !== false)).toEqual([])
    expect(format?.label).toMatch(/^(a|an) /)
  })

  it.each([...FORMATS.keys()])('[G3] %s takes a long text in its stride', (name) => {
    for (const unit of ['a', '1', '.', '-', ':', '/', '@', '%41', 'a.', '1:', 'P1D', '0-', '~0']) {
      expect(typeof FORMATS.get(name)?.test(unit.repeat(100_000))).toBe('boolean')
      expect(typeof FORMATS.get(name)?.test(`${unit.repeat(100_000)}\u0000`)).toBe('boolean')
    }
  })
})
