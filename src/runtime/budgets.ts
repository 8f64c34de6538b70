// The budgets of a run: defaults, validation, and how a request lowers what is configured (contract K2, R1).
// Defaults stand here alone; docs/limits.md is held to them by a test.
import { z } from 'zod'
import { HarnessError } from '../errors/harness-error.ts'
import type { RunLimits } from './code-runtime.ts'

/** Longest wall budget: a Node timer beyond it fires after one millisecond. */
export const MAX_WALL_MS = 2 ** 31 - 1

/** Defaults for a TypeScript program; Python takes twice the memory. Units are in the names. */
export const DEFAULT_LIMITS: RunLimits = Object.freeze({
  computeMs: 10_000,
  maxWallMs: 300_000,
  memoryMb: 256,
  maxOutputBytes: 8 * 1024 * 1024,
  maxCalls: 1_000,
  maxCallBytes: 64 * 1024 * 1024,
})

const budget = z.int('must be a whole number').positive('must be positive')

/** Zod shape of the limits, without defaults; each key may be left out. */
export const runLimitsSchema = z
  .strictObject({
    computeMs: budget,
    maxWallMs: budget.max(MAX_WALL_MS, `must be at most ${MAX_WALL_MS} (2^31-1)`),
    memoryMb: budget.min(16, 'must be at least 16: an isolate needs that much to start'),
    maxOutputBytes: budget,
    maxCalls: budget,
    maxCallBytes: budget,
  })
  .partial()

/** Limits as a configuration gives them. */
export type RunLimitsInput = z.input<typeof runLimitsSchema>

/** Fills a configuration's limits up with defaults. Throws `INVALID_CONFIG` for a value that R1 refuses. */
export function configuredLimits(input: RunLimitsInput | undefined, defaults: RunLimits = DEFAULT_LIMITS): RunLimits {
  return Object.freeze({ ...defaults, ...parse(input) })
}

/**
 * The limits of one run: the lower of what is configured and what the request asks for, budget by budget (contract J1).
 * Throws `INVALID_CONFIG` for a requested value that is no positive whole number.
 */
export function limitsOfRun(configured: RunLimits, requested: Partial<RunLimits> | undefined): RunLimits {
  if (requested === undefined) return configured
  const limits: { -readonly [K in keyof RunLimits]: RunLimits[K] } = { ...configured }
  for (const [key, value] of Object.entries(parse(requested)) as [keyof RunLimits, number][]) {
    limits[key] = Math.min(limits[key], value)
  }
  return Object.freeze(limits)
}

function parse(input: unknown): Partial<RunLimits> {
  const result = runLimitsSchema.safeParse(input ?? {})
  if (!result.success) {
    const lines = result.error.issues.map((issue) => `- limits.${issue.path.join('.')}: ${issue.message}`)
    throw new HarnessError('INVALID_CONFIG', `These limits are refused:\n${lines.join('\n')}`)
  }
  return Object.fromEntries(Object.entries(result.data).filter(([, value]) => value !== undefined))
}
