// The open calls of one run, and the budgets on them (contract K2: maxCalls, maxCallBytes). A call leaves the ledger
// before it is answered, so nothing is answered twice, and what settles after the end finds nothing.
// The sandbox's numbers are untrusted: they are compared and used as indexes of arrays, never as keys of objects.
import type { CheckedMember, CheckedNamespace } from '../../src/runtime/bindings.ts'
import type { RunLimits } from '../../src/runtime/code-runtime.ts'
import { MAX_ANSWER_BYTES } from '../wire/caps.ts'
import { WireError } from '../wire/frames.ts'
import type { WireCall } from '../wire/messages.ts'

/** A call that may be dispatched, or the sentence of its refusal. */
export interface Admission {
  readonly member: CheckedMember
  readonly refusal?: string
}

/** See the head of this file. */
export class CallLedger {
  readonly #namespaces: readonly CheckedNamespace[]
  readonly #limits: RunLimits
  readonly #open = new Set<number>()
  #last = 0
  #admitted = 0
  #bytes = 0

  constructor(namespaces: readonly CheckedNamespace[], limits: RunLimits) {
    this.#namespaces = namespaces
    this.#limits = limits
  }

  /** Calls that were not refused. */
  get admitted(): number {
    return this.#admitted
  }

  /** Calls that wait for their answer. */
  get open(): number {
    return this.#open.size
  }

  /**
   * Takes a call in, whose argument has so many bytes. A refused call is not open; its answer is the refusal, and the run goes on.
   * Throws `WireError` for a number that does not rise and for an index that the start message did not name.
   */
  admit(call: WireCall, bytes: number): Admission {
    if (call.call <= this.#last) throw new WireError('the numbers of its calls do not rise')
    this.#last = call.call
    const member = this.#namespaces[call.namespace]?.members[call.member]
    if (member === undefined) throw new WireError('it called a function that it was not given')
    if (this.#admitted >= this.#limits.maxCalls) {
      return {
        member,
        refusal: `This program has made its ${this.#limits.maxCalls} calls (maxCalls); this one was not executed. Make fewer calls in one run; a host can raise maxCalls.`,
      }
    }
    if (!this.#takeBytes(bytes)) {
      return { member, refusal: `This call was not executed: its argument takes ${bytes} bytes, ${this.#bytesRule()}` }
    }
    this.#admitted++
    this.#open.add(call.call)
    return { member }
  }

  /** Closes a call that is about to be answered; false when it is not open. */
  close(call: number): boolean {
    return this.#open.delete(call)
  }

  /** Counts a result; answers with the sentence of its refusal when it does not fit. */
  refuseResult(bytes: number): string | undefined {
    if (bytes > MAX_ANSWER_BYTES) {
      return `This call was executed, but its result takes ${bytes} bytes, and at most ${MAX_ANSWER_BYTES} can be handed to a program. Ask for less at a time.`
    }
    if (this.#takeBytes(bytes)) return undefined
    return `This call was executed, but its result takes ${bytes} bytes, ${this.#bytesRule()}`
  }

  #takeBytes(bytes: number): boolean {
    if (this.#bytes + bytes > this.#limits.maxCallBytes) return false
    this.#bytes += bytes
    return true
  }

  #bytesRule(): string {
    const left = this.#limits.maxCallBytes - this.#bytes
    return `and of the ${this.#limits.maxCallBytes} bytes that the arguments and results of a run may have together (maxCallBytes) ${left} are left. Ask for less at a time; a host can raise maxCallBytes.`
  }
}
