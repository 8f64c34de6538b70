// The contexts of one call (contract D10): what its body deferred, in order, and what later stages add or drop. They are
// put on the result once, at the end, so that a throw or a cancellation in between loses none.
import { HarnessError } from '../errors/harness-error.ts'
import type { ContextMessage } from '../tools/content.ts'
import { readContext } from './content.ts'

/** Contexts of one call. `all` is a frozen list that changes identity with each change. */
export class CallContexts {
  #list: readonly ContextMessage[] | undefined
  #closed = false

  /** Everything so far; `undefined` when there is none. */
  get all(): readonly ContextMessage[] | undefined {
    return this.#list
  }

  /** Adds one from a body. Throws into the body when it is no context, or when it comes too late. */
  defer(context: unknown): void {
    if (this.#closed) {
      throw new HarnessError('CALL_ENDED', 'deferContext was called after the body had settled; the context is lost.')
    }
    this.append([readContext(context, 'context')])
  }

  /** Adds contexts at the end. */
  append(contexts: readonly ContextMessage[]): void {
    if (contexts.length > 0) this.#list = Object.freeze([...(this.#list ?? []), ...contexts])
  }

  /** Adds those whose id is not there yet: a wrapper's result repeats what its own call deferred. */
  adopt(contexts: readonly ContextMessage[]): void {
    const known = new Set(this.#list?.map((context) => context.id))
    this.append(contexts.filter((context) => !known.has(context.id)))
  }

  /** Drops everything for these: a block keeps the decision's own alone (contract D9). */
  replace(contexts: readonly ContextMessage[]): void {
    this.#list = undefined
    this.append(contexts)
  }

  /** Refuses what bodies defer later; what stages add is not concerned. */
  close(): void {
    this.#closed = true
  }
}
