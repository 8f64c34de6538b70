import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { docLine, proseLine, proseLines, summaryLine } from '../../../../sdk-templates/shared/prose.ts'
import { commentText } from '../../../../sdk-templates/typescript/types.ts'
import { complaintsOf } from '../../../support/typescript-check.ts'

const dangerous = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '*',
        '/',
        '*/',
        '`',
        '\n',
        '\r',
        '\u2028',
        '\u2029',
        '\u0085',
        '\0',
        '\u202e',
        '\u200b',
        '@ts-expect-error',
        ' ',
        'a',
      ),
      {
        maxLength: 12,
      },
    )
    .map((parts) => parts.join('')),
)

describe('prose of strangers', () => {
  it('[I2] has no line end, no hidden or turning character and no backtick left', () => {
    const forbidden = /\p{Cc}|[\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}`]/u
    fc.assert(
      fc.property(dangerous, (text) => {
        const line = proseLine(text)
        return !forbidden.test(line) && line.isWellFormed()
      }),
      { seed: 1, numRuns: 500 },
    )
  })

  it('[I2] can neither end a comment nor speak to the compiler', () => {
    const texts = fc.sample(dangerous, { seed: 2, numRuns: 300 }).map((text) => commentText(proseLine(text)))
    expect(texts.filter((text) => text.includes('*/'))).toEqual([])
    const files = new Map(
      texts.map((text, index) => [`${index}`, `type A = { // ${text}\n a: string }\n/** ${text} */\ntype B = A`]),
    )
    expect(complaintsOf(files, { modules: true })).toEqual(new Map())
  })

  it('[I2] keeps its words, and joiners that scripts and emoji need', () => {
    expect(proseLine('Finds\tfiles   like src/**/*.ts;\r\n  then `more`\n\n* point\u0000')).toBe(
      "Finds  files   like src/**/*.ts; then 'more' * point",
    )
    expect(proseLine('👩‍👩‍👧 नमस्ते ❤️')).toBe('👩‍👩‍👧 नमस्ते ❤️')
    expect(proseLine('\ud800 alone')).toBe('\ufffd alone')
  })

  it('loses the indentation that all lines but the first share, and blank lines', () => {
    expect(proseLines('First\n\n    second\n      third\n    fourth  ')).toEqual([
      'First',
      'second',
      '  third',
      'fourth',
    ])
    expect(proseLines(' \n\t\n')).toEqual([])
  })

  it.each([
    [{ description: 'Words', notes: [] }, 'Words'],
    [{ description: 'Words', notes: ['1..5', 'default 2'] }, 'Words (1..5, default 2)'],
    [{ notes: ['1..5'] }, '1..5'],
    [{ title: 'Issue Number', notes: [] }, ''],
    [{ description: 'issue_number', notes: [] }, ''],
    [{ title: 'Label', description: 'Words', notes: [] }, 'Label: Words'],
    [{ title: 'words', description: 'Words of it', notes: [] }, 'Words of it'],
  ])('says what a place adds to its name: %j', (doc, line) => expect(docLine(doc, 'issueNumber')).toBe(line))

  it.each([
    ['Reads a file. Then more.', 'Reads a file'],
    ['Reads v1.2 of a file\nand more', 'Reads v1.2 of a file'],
    ['', ''],
    ['word '.repeat(40), `${'word '.repeat(10).trim()}…`],
    ['x'.repeat(100), `${'x'.repeat(49)}…`],
  ])('has a first sentence: %s', (text, summary) => expect(summaryLine(text, 50)).toBe(summary))
})
