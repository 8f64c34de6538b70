import { describe, expect, it } from 'vitest'
import { clip, describeThrown, MAX_MESSAGE_LENGTH } from '../../../src/errors/describe-thrown.ts'
import { HarnessError } from '../../../src/errors/harness-error.ts'
import { ToolArgsError } from '../../../src/errors/tool-errors.ts'
import { HOSTILE_VALUES } from '../../../src/testkit/hostile-values.ts'

function throwing(): never {
  throw new Error('a getter ran')
}

describe('describeThrown', () => {
  it.each([
    [new Error('boom'), 'boom'],
    [new TypeError(''), 'TypeError'],
    ['plain text', 'plain text'],
    ['', '(an empty string was thrown)'],
    [undefined, 'undefined'],
    [null, 'null'],
    [42n, '42'],
    [2n ** 40_000_000n, '(a huge bigint was thrown)'],
    [Symbol('s'), 'Symbol(s)'],
    [throwing, '(a function was thrown)'],
    [{ message: 'like an error' }, 'like an error'],
    [{ message: 7 }, '(an object without a message was thrown)'],
    [Object.create(null), '(an object without a message was thrown)'],
    [new Proxy({}, { get: throwing, getPrototypeOf: throwing }), '(an object without a message was thrown)'],
    [Object.defineProperty({}, 'message', { get: throwing }), '(an object without a message was thrown)'],
  ])('[D13] %# becomes its message', (thrown, message) => {
    expect(describeThrown(thrown)).toEqual({ message })
  })

  it.each(HOSTILE_VALUES)('[D13] survives $name', ({ make }) => {
    const { message } = describeThrown(make())
    expect(typeof message).toBe('string')
    expect(message).not.toBe('')
  })

  it('[D13] keeps name and code of a HarnessError and of its subclasses', () => {
    class PluginError extends HarnessError {}
    expect(describeThrown(new PluginError('MY_CODE', 'no'))).toEqual({
      message: 'no',
      info: { name: 'PluginError', code: 'MY_CODE' },
    })
    expect(describeThrown(new ToolArgsError('t', [])).info).toEqual({ name: 'ToolArgsError', code: 'INVALID_ARGS' })
  })

  it('[D13] recognizes the error of another copy of the package, and does not trust its fields', () => {
    const brand = Symbol.for('runcell.HarnessError')
    expect(describeThrown({ [brand]: true, name: 'Other', code: 'X', message: 'm' }).info).toEqual({
      name: 'Other',
      code: 'X',
    })
    expect(describeThrown({ [brand]: true, code: 7, message: 'm' })).toEqual({ message: 'm' })
    const long = describeThrown({ [brand]: true, name: 'n'.repeat(1_000), code: 'c'.repeat(1_000), message: 'm' })
    expect(long.info?.name.length).toBeLessThan(200)
    expect(long.info?.code.length).toBeLessThan(200)
  })

  it('cuts what is too long and says how much is gone', () => {
    const { message } = describeThrown('x'.repeat(MAX_MESSAGE_LENGTH + 5))
    expect(message).toBe(`${'x'.repeat(MAX_MESSAGE_LENGTH)}… (5 more characters)`)
  })
})

describe('clip', () => {
  it('does not split a surrogate pair', () => {
    expect(clip('ab😀', 3)).toBe('ab… (2 more characters)')
    expect(clip('ab😀', 4)).toBe('ab😀')
  })
})
