// When the next sandbox may be started after some could not be: later each time, so that a machine that cannot start
// processes is not kept busy trying. pool.ts asks.

const FIRST_MS = 100
const MAX_MS = 5_000
/** So many failures in a row, and those who wait are told. */
const HOPELESS_AFTER = 3

/** Failures in a row, and the pause that they cost. */
export class BackOff {
  #failures = 0
  #retryAt = 0

  /** Milliseconds until the next start; 0 when it may be now. */
  get waitMs(): number {
    return this.#failures === 0 ? 0 : Math.max(0, this.#retryAt - performance.now())
  }

  /** True after so many failures that only a new request is worth another try. */
  get isHopeless(): boolean {
    return this.#failures >= HOPELESS_AFTER
  }

  fail(): void {
    const pauseMs = Math.min(MAX_MS, FIRST_MS * 2 ** this.#failures)
    this.#failures++
    this.#retryAt = performance.now() + pauseMs
  }

  reset(): void {
    this.#failures = 0
  }
}
