import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runInEngine } from '../../../support/engine.ts'

const NOW = Date.UTC(2024, 1, 29, 12)

describe('a fixed clock', () => {
  it('[J7] every way to ask for the time gives the same one', () => {
    const { value } = runInEngine(
      `const utc = { timeZone: 'UTC', dateStyle: 'short', timeStyle: 'long' }
      const format = new Intl.DateTimeFormat('en', utc)
      class Later extends Date { plus(ms) { return new Later(this.getTime() + ms) } }
      return [Date.now(), +new Date(), new Date().toISOString(), Date() === new Date().toString(), new Date(undefined).getTime() + '',
        format.format() === format.format(${NOW}), JSON.stringify(format.formatToParts()) === JSON.stringify(format.formatToParts(new Date())),
        Reflect.construct(Date, []).getTime(), new Later().getTime(), new Later() instanceof Date, new Later().plus(5) instanceof Later,
        new (new Date(0).constructor)().getTime()]`,
      { now: NOW },
    )
    expect(value).toEqual([NOW, NOW, '2024-02-29T12:00:00.000Z', true, 'NaN', true, true, NOW, NOW, true, true, NOW])
  })

  it('[J7] dates that are given are untouched, and Date keeps its shape', () => {
    const { value } = runInEngine(
      `return [new Date(5).getTime(), new Date(2020, 0).getFullYear(), Date.UTC(2020, 0), Date.parse('2020-01-01'), Date.length, Date.name,
        Object.getOwnPropertyNames(Date).sort(), new Date(0) instanceof Date, Object.getPrototypeOf(new Date(0)) === Date.prototype,
        new Intl.DateTimeFormat('en', { timeZone: 'UTC' }).format(0)]`,
      { now: NOW },
    )
    expect(value).toEqual([
      5,
      2020,
      Date.UTC(2020, 0),
      Date.parse('2020-01-01'),
      7,
      'Date',
      ['UTC', 'length', 'name', 'now', 'parse', 'prototype'],
      true,
      true,
      '1/1/1970',
    ])
  })

  it('[J7] without one the clock is the machine’s', () => {
    const before = Date.now()
    const { value } = runInEngine('return [Date.now(), new Date().getTime()]')
    expect(value[0]).toBeGreaterThanOrEqual(before)
    expect(value[1]).toBeLessThanOrEqual(Date.now())
  })
})

describe('seeded randomness', () => {
  const draw = (seed: number | undefined, count: number): number[] =>
    runInEngine(`return Array.from({ length: ${count} }, () => Math.random())`, seed === undefined ? {} : { seed })
      .value

  it('[J7] the same seed gives the same numbers, another gives others', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), fc.maxSafeInteger(), (a, b) => {
        expect(draw(a, 20)).toEqual(draw(a, 20))
        if (a !== b) expect(draw(a, 20)).not.toEqual(draw(b, 20))
      }),
      { numRuns: 10, seed: 3 },
    )
  })

  it('[J7] numbers spread evenly over [0, 1)', () => {
    const numbers = draw(1, 20_000)
    expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true)
    const buckets = new Array<number>(10).fill(0)
    for (const number of numbers) buckets[Math.floor(number * 10)] = (buckets[Math.floor(number * 10)] as number) + 1
    for (const bucket of buckets) expect(Math.abs(bucket - 2_000)).toBeLessThan(250)
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  it('[J7] without a seed two runs differ', () => {
    expect(draw(undefined, 5)).not.toEqual(draw(undefined, 5))
  })
})
