import { describe, expect, it } from 'vitest'
import { disown, InFlight } from '../../../src/async/in-flight.ts'
import { gate, settled } from '../../support/memory-environment.ts'

describe('InFlight', () => {
  it('drains what is open, rejected promises and latecomers included', async () => {
    const inFlight = new InFlight()
    const first = gate()
    const second = gate()
    const order: string[] = []
    inFlight.track(first.promise).catch(() => order.push('first'))
    const drained = inFlight.drain().then(() => order.push('drained'))
    inFlight.track(second.promise).then(() => order.push('second'))
    expect(inFlight.size).toBe(2)
    first.fail(new Error('no'))
    await settled()
    expect(order).toEqual(['first'])
    second.open()
    await drained
    expect(order).toEqual(['first', 'second', 'drained'])
    expect(inFlight.size).toBe(0)
  })

  it('closes once it is drained, and takes nothing afterwards', async () => {
    const inFlight = new InFlight()
    const work = gate()
    inFlight.track(work.promise)
    const closed = inFlight.close()
    expect(inFlight.closed).toBe(false)
    work.open()
    await closed
    expect(inFlight.closed).toBe(true)
    expect(() => inFlight.track(Promise.resolve())).toThrow(/closed/)
  })

  it('hands a promise back as it is', () => {
    const promise = Promise.resolve(1)
    expect(new InFlight().track(promise)).toBe(promise)
  })
})

describe('disown', () => {
  it('takes a rejection off the hands of the process', async () => {
    const unhandled: unknown[] = []
    const listener = (reason: unknown) => void unhandled.push(reason)
    process.on('unhandledRejection', listener)
    disown(Promise.reject(new Error('nobody listens')))
    disown('no promise')
    await settled()
    process.off('unhandledRejection', listener)
    expect(unhandled).toEqual([])
  })
})
