import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { fuseSignals, isAbortSignal, onAbort } from '../../../src/async/signals.ts'

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

describe('onAbort', () => {
  it('calls once with the reason, and leaves no listener', () => {
    const controller = new AbortController()
    const reasons: unknown[] = []
    onAbort(controller.signal, (reason) => reasons.push(reason))
    expect(listenersOf(controller.signal)).toBe(1)
    controller.abort('why')
    controller.abort('again')
    expect(reasons).toEqual(['why'])
    expect(listenersOf(controller.signal)).toBe(0)
  })

  it('calls at once when the signal has aborted already', () => {
    const reasons: unknown[] = []
    const dispose = onAbort(AbortSignal.abort('gone'), (reason) => reasons.push(reason))
    expect(reasons).toEqual(['gone'])
    dispose()
  })

  it('is quiet after its disposer, which may be called twice', () => {
    const controller = new AbortController()
    const dispose = onAbort(controller.signal, () => {
      throw new Error('must not be called')
    })
    dispose()
    dispose()
    expect(listenersOf(controller.signal)).toBe(0)
    controller.abort()
  })
})

describe('fuseSignals', () => {
  it('hands back a signal that is given once or several times', () => {
    const { signal } = new AbortController()
    expect(fuseSignals([signal]).signal).toBe(signal)
    expect(fuseSignals([signal, signal]).signal).toBe(signal)
  })

  it.each([0, 1, 2])('aborts with source %i and its reason, and lets go of the others', (index) => {
    const sources = [new AbortController(), new AbortController(), new AbortController()] as const
    const fused = fuseSignals([sources[0].signal, sources[1].signal, sources[2].signal])
    expect(fused.signal.aborted).toBe(false)
    sources[index]?.abort(`reason ${index}`)
    for (const source of sources) expect(listenersOf(source.signal)).toBe(0)
    for (const source of sources) source.abort('too late')
    expect(fused.signal.reason).toBe(`reason ${index}`)
  })

  it('is aborted from the start when a source is, and holds no source', () => {
    const living = new AbortController()
    const fused = fuseSignals([living.signal, AbortSignal.abort('dead')])
    expect(fused.signal.reason).toBe('dead')
    expect(listenersOf(living.signal)).toBe(0)
  })

  it('lets go of long-lived sources when it is disposed', () => {
    const long = new AbortController()
    for (let i = 0; i < 50; i++) {
      const fused = fuseSignals([long.signal, new AbortController().signal])
      expect(listenersOf(long.signal)).toBe(1)
      fused.dispose()
      fused.dispose()
    }
    expect(listenersOf(long.signal)).toBe(0)
  })
})

describe('isAbortSignal', () => {
  it('knows signals, and what behaves like one', () => {
    const { signal } = new AbortController()
    expect(isAbortSignal(signal)).toBe(true)
    expect(isAbortSignal({ aborted: false, addEventListener() {}, removeEventListener() {} })).toBe(true)
    for (const other of [undefined, null, true, 'signal', {}, { aborted: false }, new AbortController()]) {
      expect(isAbortSignal(other)).toBe(false)
    }
  })
})
