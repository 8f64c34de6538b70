// The work of one validation by a foreign schema (contract G3). Bounds at registration cannot see work that multiplies along a value: a
// list node that tries its tail twice costs two to the power of the list's length. So every subschema that is tried is charged, with what
// it looks at, and a validation that has spent its budget stops. Deterministic: steps, not time.
import type { JsonValue } from '../json/json-value.ts'
import { MAX_PATTERN_WORK, MAX_STEPS } from './limits.ts'
import type { LinearPattern } from './patterns.ts'

/** Thrown through Ajv's code when the budget is spent. */
export const EXHAUSTED = Symbol('the budget of a validation is spent')

/** Counts down. One for each compiled schema; validations do not overlap. */
export class Meter {
  #steps = 0
  #patternWork = 0

  /** A full budget. */
  reset(): void {
    this.#steps = MAX_STEPS
    this.#patternWork = MAX_PATTERN_WORK
  }

  /**
   * Charges a subschema of that weight for looking at a value. `errors` is how many it has to carry on: Ajv copies them at every
   * reference. Throws {@link EXHAUSTED}.
   */
  charge(weight: number, data: JsonValue, errors: number): void {
    let cost = weight + (errors >> 2)
    if (typeof data === 'string') cost += data.length >> 4
    else if (typeof data === 'object' && data !== null) {
      cost += Array.isArray(data) ? data.length >> 4 : Object.keys(data).length
    }
    this.spend(cost)
  }

  /** Charges steps. Throws {@link EXHAUSTED}. */
  spend(steps: number): void {
    this.#steps -= steps
    if (this.#steps < 0) throw EXHAUSTED
  }

  /**
   * Tests an expression. Once the budget of all expressions is spent, texts count as matching: a long text from a server that chose both
   * the text and the expression is worth no time of the host.
   */
  test(pattern: LinearPattern, text: string): boolean {
    this.spend(1)
    const work = text.length * pattern.size
    if (work > this.#patternWork) return true
    this.#patternWork -= work
    return pattern.test(text)
  }
}
