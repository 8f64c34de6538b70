// The program's timers, kept here in due order: the host is only told when the next one is due, and keeps one timer a run
// (decision 0002). Called by the prelude for the globals, and by the engine to fire what is due, one timer an entry, so that
// microtasks drain in between. A program that floods timers fills its own heap.

import type { Clock } from './clock.ts'
import {
  apply,
  bareArray,
  infinity,
  isFiniteNumber,
  mapDelete,
  mapGet,
  mapSet,
  max,
  NativeMap,
  NativeTypeError,
} from './intrinsics.ts'

/** Longest delay, in milliseconds: ten thousand years. Longer ones and Infinity are cut to it, and never come due. */
const MAX_DELAY_MS = 3.2e14

interface Timer {
  readonly id: number
  readonly callback: (...args: unknown[]) => void
  readonly args: readonly unknown[]
  /** Period of an interval, in milliseconds; `undefined` for a timer that fires once. */
  readonly periodMs: number | undefined
  /** When it is due on the program's clock, which orders timers. */
  due: number
  /** When it is due on the machine's clock, which wakes the program. */
  realDue: number
  /** Order of arming; breaks ties, and tells what was armed after a wake began. */
  order: number
  /** Place in the heap; -1 while it is not in it. */
  place: number
}

/** What the timers tell: when the next one is due, in milliseconds of the machine's clock, or -1 for none. */
export type Due = (realDue: number) => void

/** The timers of one program. */
export class Timers {
  readonly #clock: Clock
  readonly #due: Due
  readonly #uncaught: (thrown: unknown) => void
  readonly #heap = bareArray<Timer>()
  readonly #byId = new NativeMap<number, Timer>()
  #lastId = 0
  #armed = 0
  /** What {@link Due} was told last. */
  #reported = -1
  /** The wake that is being served: timers armed later, or due later, wait for the next. */
  #wakeOrder = 0
  #wakeReal = 0

  constructor(clock: Clock, due: Due, uncaught: (thrown: unknown) => void) {
    this.#clock = clock
    this.#due = due
    this.#uncaught = uncaught
  }

  /** Arms a timer and gives its id. Throws a TypeError for a callback that is no function. */
  set(name: string, callback: unknown, delay: unknown, args: readonly unknown[], repeats: boolean): number {
    if (typeof callback !== 'function') throw new NativeTypeError(`${name} needs a function, got ${typeof callback}`)
    const delayMs = normalizeDelay(delay, repeats ? 1 : 0)
    const timer: Timer = {
      id: ++this.#lastId,
      callback: callback as Timer['callback'],
      args,
      periodMs: repeats ? delayMs : undefined,
      due: 0,
      realDue: 0,
      order: 0,
      place: -1,
    }
    mapSet(this.#byId, timer.id, timer)
    this.#arm(timer, delayMs)
    this.#report()
    return timer.id
  }

  /** Disarms a timer. Anything that is no id of one is ignored. */
  clear(id: unknown): void {
    const timer = mapGet(this.#byId, +(id as number))
    if (timer === undefined) return
    mapDelete(this.#byId, timer.id)
    if (timer.place >= 0) this.#removeAt(timer.place)
    this.#report()
  }

  /**
   * Fires the next timer of a wake; `first` begins one. False when nothing is left that was due when the wake began.
   * The host woke the program because the reported time has come, whatever the clock of this process says.
   */
  fire(first: boolean): boolean {
    if (first) {
      this.#wakeOrder = this.#armed
      this.#wakeReal = max(this.#clock.real(), this.#reported)
    }
    const timer = this.#heap[0]
    if (timer === undefined || timer.order > this.#wakeOrder || timer.realDue > this.#wakeReal) {
      this.#report()
      return false
    }
    this.#removeAt(0)
    if (timer.periodMs === undefined) mapDelete(this.#byId, timer.id)
    this.#clock.advance(timer.due)
    try {
      apply(timer.callback, undefined, timer.args)
    } catch (thrown) {
      this.#uncaught(thrown)
    }
    if (timer.periodMs !== undefined && mapGet(this.#byId, timer.id) === timer) this.#arm(timer, timer.periodMs)
    this.#report()
    return true
  }

  #arm(timer: Timer, delayMs: number): void {
    timer.due = this.#clock.program() + delayMs
    timer.realDue = this.#clock.real() + delayMs
    timer.order = ++this.#armed
    this.#heap[this.#heap.length] = timer
    this.#siftUp(timer, this.#heap.length - 1)
  }

  #report(): void {
    const next = this.#heap[0]
    const realDue = next === undefined ? -1 : next.realDue
    if (realDue === this.#reported) return
    this.#reported = realDue
    this.#due(realDue)
  }

  #removeAt(place: number): void {
    const heap = this.#heap
    const removed = heap[place] as Timer
    const last = heap[heap.length - 1] as Timer
    heap.length--
    removed.place = -1
    if (removed === last) return
    const above = place === 0 ? undefined : heap[(place - 1) >> 1]
    if (above !== undefined && before(last, above)) this.#siftUp(last, place)
    else this.#siftDown(last, place)
  }

  #siftUp(timer: Timer, from: number): void {
    const heap = this.#heap
    let place = from
    while (place > 0) {
      const parentPlace = (place - 1) >> 1
      const parent = heap[parentPlace] as Timer
      if (!before(timer, parent)) break
      heap[place] = parent
      parent.place = place
      place = parentPlace
    }
    heap[place] = timer
    timer.place = place
  }

  #siftDown(timer: Timer, from: number): void {
    const heap = this.#heap
    let place = from
    for (;;) {
      let childPlace = 2 * place + 1
      let child = heap[childPlace]
      if (child === undefined) break
      const right = heap[childPlace + 1]
      if (right !== undefined && before(right, child)) {
        child = right
        childPlace++
      }
      if (!before(child, timer)) break
      heap[place] = child
      child.place = place
      place = childPlace
    }
    heap[place] = timer
    timer.place = place
  }
}

function before(a: Timer, b: Timer): boolean {
  return a.due < b.due || (a.due === b.due && a.order < b.order)
}

/** What is no number counts as nothing, as everywhere. */
function normalizeDelay(delay: unknown, least: number): number {
  const number = +(delay as number)
  if (number === infinity) return MAX_DELAY_MS
  if (!isFiniteNumber(number)) return least
  return number > MAX_DELAY_MS ? MAX_DELAY_MS : max(number, least)
}
