// What waits until the program rests: answers to its calls, and its next timer. The program's timers live in its own heap
// (docs/decisions/0002); the host holds one, for the earliest.
import { DELIVER_BATCH_BYTES } from '../wire/caps.ts'
import type { WireAnswer } from '../wire/messages.ts'
import type { SizedAnswer } from './binding-call.ts'

const MAX_TIMER_MS = 2 ** 31 - 1

/** Answers and the wake-up of one run. */
export class Outbox {
  readonly #onWake: () => void
  #answers: SizedAnswer[] = []
  #wakeAt: number | undefined
  #timer: NodeJS.Timeout | undefined
  #immediate: NodeJS.Immediate | undefined

  /** `onWake` is called when the program's timer is due. */
  constructor(onWake: () => void) {
    this.#onWake = onWake
  }

  /** True while answers wait. */
  get hasAnswers(): boolean {
    return this.#answers.length > 0
  }

  push(answer: SizedAnswer): void {
    this.#answers.push(answer)
  }

  /** Sets the program's next timer, in place of the one before; `null` for none. */
  setWake(wakeMs: number | null): void {
    clearTimeout(this.#timer)
    clearImmediate(this.#immediate)
    this.#timer = undefined
    this.#immediate = undefined
    this.#wakeAt = wakeMs === null ? undefined : performance.now() + wakeMs
    if (wakeMs === null) return
    const fire = (): void => {
      this.#wakeAt = 0 // A Node timer may be a fraction early; it is due when it fires.
      this.#onWake()
    }
    if (wakeMs < 1) this.#immediate = setImmediate(fire)
    else this.#timer = setTimeout(fire, Math.min(MAX_TIMER_MS, Math.ceil(wakeMs)))
  }

  /** Takes out what one message carries, or `undefined` when nothing is due. Large answers go one batch a turn. */
  take(): { readonly answers: WireAnswer[]; readonly wake: boolean; readonly bytes: number } | undefined {
    const wake = this.#wakeAt !== undefined && performance.now() >= this.#wakeAt
    if (this.#answers.length === 0 && !wake) return undefined
    let bytes = 0
    let count = 0
    while (count < this.#answers.length && (count === 0 || bytes < DELIVER_BATCH_BYTES)) {
      bytes += this.#answers[count++]!.bytes
    }
    const batch = this.#answers
    this.#answers = batch.splice(count)
    this.setWake(null)
    return { answers: batch.map(({ answer }) => answer), wake, bytes }
  }

  /** Forgets everything. */
  clear(): void {
    this.#answers = []
    this.setWake(null)
  }
}
