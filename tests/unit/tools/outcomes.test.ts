import { describe, expect, it } from 'vitest'
import { failureResult, successResult, textContent, withContent, withContexts } from '../../../src/tools/outcomes.ts'
import { isDeeplyFrozen } from '../../support/memory-environment.ts'

const context = Object.freeze({ id: 'c', role: 'user' as const, content: textContent('hi') })
const contexts = Object.freeze([context])
const meta = Object.freeze({ a: 1 })

describe('outcomes', () => {
  it('[D1] are frozen, and have no field that says nothing', () => {
    const success = successResult(1, textContent('1'), {
      meta: undefined,
      additionalContexts: [],
      concludesTurn: false,
    })
    expect(Object.keys(success)).toEqual(['isError', 'value', 'content'])
    const failure = failureResult({ message: 'no' }, { meta: undefined, additionalContexts: undefined })
    expect(Object.keys(failure)).toEqual(['isError', 'error', 'content'])
    expect(Object.keys(failure.error)).toEqual(['message'])
    expect([success, failure].every(isDeeplyFrozen)).toBe(true)
  })

  it('[D1] carry meta, contexts and the end of a turn', () => {
    const success = successResult(null, textContent(''), { meta, additionalContexts: contexts, concludesTurn: true })
    expect(success).toEqual({
      isError: false,
      value: null,
      content: [{ type: 'text', text: '' }],
      meta,
      additionalContexts: [context],
      concludesTurn: true,
    })
    const failure = failureResult(
      { message: 'no', info: { name: 'X', code: 'Y' } },
      { meta, additionalContexts: contexts },
    )
    expect(failure).toEqual({
      isError: true,
      error: { message: 'no', info: { name: 'X', code: 'Y' } },
      content: [{ type: 'text', text: 'Error: no' }],
      meta,
      additionalContexts: [context],
    })
    expect([success, failure].every(isDeeplyFrozen)).toBe(true)
  })

  it('[D1] detach a failure from what it was made of', () => {
    const info = { name: 'X', code: 'Y' }
    const failure = failureResult({ message: 'no', info })
    info.code = 'Z'
    expect(failure.error.info?.code).toBe('Y')
  })

  it('take other content or contexts, and keep the rest', () => {
    const success = successResult(1, textContent('1'), { meta, concludesTurn: true })
    expect(withContent(success, textContent('2'))).toEqual({ ...success, content: textContent('2') })
    const carrying = withContexts(success, contexts)
    expect(carrying).toEqual({ ...success, additionalContexts: contexts })
    expect(withContexts(carrying, contexts)).toBe(carrying)
    expect(withContexts(carrying, undefined)).toEqual(success)
    expect(isDeeplyFrozen(carrying)).toBe(true)
  })
})
