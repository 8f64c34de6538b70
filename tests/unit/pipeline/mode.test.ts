import { describe, expect, it } from 'vitest'
import { callOf, isDeeplyFrozen, MemoryEnvironment, settled, toolOf } from '../../support/memory-environment.ts'

const exclusive = { kind: 'exclusive' }

function modeWith(isConcurrencySafe: unknown, args: unknown = { a: 1 }) {
  const env = new MemoryEnvironment()
  env.add(
    toolOf('t', undefined, isConcurrencySafe === undefined ? {} : { isConcurrencySafe: isConcurrencySafe as never }),
  )
  return env.pipeline.executionMode(callOf('t', { arguments: args }))
}

describe('executionMode', () => {
  it('[C9] is parallel when the tool says true for these arguments', () => {
    const safe = (args: { readonly: boolean }) => args.readonly
    expect(modeWith(safe, { readonly: true })).toEqual({ kind: 'parallel' })
    expect(modeWith(safe, { readonly: false })).toEqual(exclusive)
  })

  it('[C9] shows the tool frozen arguments', () => {
    modeWith(
      (args: unknown) => {
        expect(isDeeplyFrozen(args)).toBe(true)
        expect(args).toEqual({ a: [1] })
      },
      { a: [1] },
    )
  })

  const unclear: [string, () => unknown][] = [
    ['1', () => 1],
    ['a word', () => 'true'],
    ['an object', () => ({})],
    ['nothing', () => undefined],
    ['a promise', async () => true],
    ['a promise that rejects', () => Promise.reject(new Error('late'))],
    ['a throw', () => raise()],
  ]

  it.each(unclear)('[C9] is exclusive on the answer %s', async (_name, answer) => {
    const unhandled: unknown[] = []
    const listener = (reason: unknown) => void unhandled.push(reason)
    process.on('unhandledRejection', listener)
    expect(modeWith(answer)).toEqual(exclusive)
    await settled()
    process.off('unhandledRejection', listener)
    expect(unhandled).toEqual([])
  })

  it('[C9] is exclusive for a tool that declares nothing, or is not there', () => {
    expect(modeWith(undefined)).toEqual(exclusive)
    expect(new MemoryEnvironment().pipeline.executionMode(callOf('unheard'))).toEqual(exclusive)
  })

  it('[C9] is exclusive for arguments and inputs that cannot be read', () => {
    expect(modeWith(() => true, new Date())).toEqual(exclusive)
    const { pipeline } = new MemoryEnvironment()
    for (const input of [undefined, null, {}, Object.defineProperty({}, 'name', { get: raise })]) {
      expect(pipeline.executionMode(input as never)).toEqual(exclusive)
    }
  })
})

function raise(): never {
  throw new Error('no')
}
