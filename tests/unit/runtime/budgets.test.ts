import { describe, expect, it } from 'vitest'
import { configuredLimits, DEFAULT_LIMITS, limitsOfRun, MAX_WALL_MS } from '../../../src/runtime/budgets.ts'

describe('budgets', () => {
  it('[R1] has the documented defaults', () => {
    expect(configuredLimits(undefined)).toEqual({
      computeMs: 10_000,
      maxWallMs: 300_000,
      memoryMb: 256,
      maxOutputBytes: 8 * 1024 * 1024,
      maxCalls: 1_000,
      maxCallBytes: 64 * 1024 * 1024,
    })
  })

  it.each(Object.keys(DEFAULT_LIMITS))('[K2, R1] refuses a bad %s at load, naming it', (key) => {
    for (const value of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '10', null]) {
      expect(() => configuredLimits({ [key]: value } as never)).toThrow(
        expect.objectContaining({ code: 'INVALID_CONFIG', message: expect.stringContaining(`limits.${key}`) }),
      )
    }
  })

  it('[R1] refuses a wall budget that a timer cannot hold, and unknown keys', () => {
    expect(configuredLimits({ maxWallMs: MAX_WALL_MS }).maxWallMs).toBe(2 ** 31 - 1)
    expect(() => configuredLimits({ maxWallMs: MAX_WALL_MS + 1 })).toThrow(/2\^31-1/)
    expect(() => configuredLimits({ timeoutMs: 5 } as never)).toThrow(/timeoutMs/)
  })

  it('[J1] lets a request lower a limit, never raise it', () => {
    const configured = configuredLimits({ computeMs: 500 })
    expect(limitsOfRun(configured, { computeMs: 100, maxCalls: 5_000 })).toEqual({ ...configured, computeMs: 100 })
    expect(limitsOfRun(configured, undefined)).toBe(configured)
    expect(() => limitsOfRun(configured, { computeMs: 0 })).toThrow(/computeMs/)
  })
})
