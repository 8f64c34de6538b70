// The base of every coded error that runcell throws or reports.
// Owns: the brand (so that two copies of the package recognize each other's errors) and the shape `{ name, code, message, meta? }`.
// Leaves to others: the concrete classes (tool-errors.ts, and beside whatever throws them) and the table of codes (codes.ts).
import type { JsonObject } from '../json/json-value.ts'
import type { ErrorCode } from './codes.ts'

const BRAND = Symbol.for('runcell.HarnessError')

/** Options of a {@link HarnessError}. */
export interface HarnessErrorOptions {
  /** JSON facts for hosts. On a top-level failure it becomes the result's `meta` (contract D8); a model never sees it. */
  meta?: JsonObject
  /** The error underneath, for logs. */
  cause?: unknown
}

/**
 * An error with a stable code. Its message names the thing, the rule and the remedy; its code never changes meaning.
 * Plugins may throw their own subclasses with codes of their own: `{ name, code }` reaches `error.info` of the result (contract D13).
 */
export class HarnessError extends Error {
  readonly code: string
  readonly meta?: JsonObject
  declare readonly [BRAND]: true

  constructor(code: ErrorCode | (string & {}), message: string, options: HarnessErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = new.target.name
    this.code = code
    if (options.meta !== undefined) this.meta = options.meta
  }

  /** True for a HarnessError of this or another copy of the package. Reads one own-or-inherited brand; never throws. */
  static is(value: unknown): value is HarnessError {
    try {
      return typeof value === 'object' && value !== null && (value as { [BRAND]?: unknown })[BRAND] === true
    } catch {
      return false
    }
  }
}

Object.defineProperty(HarnessError.prototype, BRAND, { value: true })
