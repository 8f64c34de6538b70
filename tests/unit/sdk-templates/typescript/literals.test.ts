import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { methodKey, propertyKey, stringLiteral } from '../../../../sdk-templates/typescript/literals.ts'

describe('literals', () => {
  it('[H14] stand for the same string, and show all of it', () => {
    const hidden = /\p{Cc}|[\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/u
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const literal = stringLiteral(text)
        return JSON.parse(literal) === text && !hidden.test(literal) && literal.isWellFormed()
      }),
      { seed: 4, numRuns: 500 },
    )
  })

  it.each([
    ['path', 'path'],
    ['$ref', '$ref'],
    ['class', 'class'],
    ['kebab-case', '"kebab-case"'],
    ['1st', '"1st"'],
    ['', '""'],
    ['naïve', '"naïve"'],
    ['a"b\\', '"a\\"b\\\\"'],
    ['x\u200by', '"x\\u200by"'],
    ['\u{e0041}', '"\\udb40\\udc41"'],
    ['__proto__', '["__proto__"]'],
  ])('[H14] quote what is no identifier: %s', (name, key) => expect(propertyKey(name)).toBe(key))

  it('[H14] do not turn a tool named new into a constructor', () => {
    expect(methodKey('new')).toBe('"new"')
    expect(methodKey('constructor')).toBe('constructor')
    expect(methodKey('__proto__')).toBe('__proto__')
  })
})
