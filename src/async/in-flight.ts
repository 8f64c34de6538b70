// Work that was started and must be awaited before its owner may end: a set that can be drained and closed to
// latecomers. Used wherever a started promise must never be abandoned (contract E1).

/** The promises of one owner that have not settled. */
export class InFlight {
  readonly #open = new Set<Promise<unknown>>()
  #closed = false

  /** How many have not settled. */
  get size(): number {
    return this.#open.size
  }

  /** True once it is closed; the owner then starts nothing any more. */
  get closed(): boolean {
    return this.#closed
  }

  /** Follows a promise until it settles, and hands it back. Throws after {@link close}. */
  track<T>(promise: Promise<T>): Promise<T> {
    if (this.#closed) throw new Error('InFlight.track: closed; check `closed` before starting work')
    this.#open.add(promise)
    const settled = (): void => {
      this.#open.delete(promise)
    }
    promise.then(settled, settled)
    return promise
  }

  /** Resolves when nothing is open, including what is started meanwhile. Never rejects. */
  async drain(): Promise<void> {
    while (this.#open.size > 0) await Promise.allSettled(this.#open)
  }

  /** Drains, then closes in the same tick, so that nothing slips in between. */
  async close(): Promise<void> {
    await this.drain()
    this.#closed = true
  }
}

/** Takes the sting out of a promise that nobody will await (an answer that had to be synchronous): its rejection is ignored. */
export function disown(value: unknown): void {
  if (value instanceof Promise) value.catch(() => {})
}
