// The clock and the randomness of a program. Normally the machine's; a run with a fixed `now` has a clock that stands still but for
// the timers that fire, and a run with a `seed` has a seeded Math.random (contract J7). Called by the prelude and by timers.ts.
import {
  construct,
  dataDescriptor,
  dateFormatPrototype,
  dateFormatToParts,
  dateFormatter,
  dateNow,
  datePrototype,
  dateToString,
  defineProperty,
  getOwnPropertyDescriptor,
  globalObject,
  imul,
  mathObject,
  max,
  NativeDate,
  ownKeys,
} from './intrinsics.ts'

/** What timers measure by. */
export interface Clock {
  /** Milliseconds of the machine, which never go back. */
  real(): number
  /** Milliseconds as the program sees them. */
  program(): number
  /** A timer that was due at this moment of the program fires. */
  advance(due: number): void
}

/** The machine's clock. */
export function machineClock(): Clock {
  let latest = 0
  // The machine's wall clock may be set back; timers must not wait for it to catch up.
  const real = (): number => {
    latest = max(latest, dateNow())
    return latest
  }
  return { real, program: real, advance() {} }
}

/** A clock that starts at `now` and moves only when a timer fires. Replaces `Date` by one that reads it. */
export function fixedClock(now: number): Clock {
  const { real } = machineClock()
  let current = now
  const clock = {
    real,
    program: () => current,
    advance(due: number) {
      current = max(current, due)
    },
  }
  installDate(clock)
  installDateFormat(clock)
  return clock
}

function installDate(clock: Clock): void {
  function FixedDate(...args: unknown[]): unknown {
    if (new.target === undefined) return dateToString(new NativeDate(clock.program()))
    return construct(NativeDate, args.length === 0 ? [clock.program()] : args, new.target)
  }
  const keys = ownKeys(NativeDate)
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] as PropertyKey
    defineProperty(FixedDate, key, getOwnPropertyDescriptor(NativeDate, key) as PropertyDescriptor)
  }
  const now = { now: () => clock.program() }.now
  defineProperty(FixedDate, 'now', dataDescriptor(now, false, true))
  defineProperty(datePrototype, 'constructor', dataDescriptor(FixedDate, false, true))
  defineProperty(globalObject, 'Date', dataDescriptor(FixedDate, false, true))
}

/** Formatting without a date means now. */
function installDateFormat(clock: Clock): void {
  const accessors = {
    get format() {
      const format = dateFormatter(this)
      return (date?: unknown) => format(date ?? clock.program())
    },
  }
  const methods = {
    formatToParts(date?: unknown) {
      return dateFormatToParts(this as unknown as Intl.DateTimeFormat, (date ?? clock.program()) as number)
    },
  }
  defineProperty(dateFormatPrototype, 'format', getOwnPropertyDescriptor(accessors, 'format') as PropertyDescriptor)
  defineProperty(dateFormatPrototype, 'formatToParts', dataDescriptor(methods.formatToParts, false, true))
}

/** Replaces Math.random by a generator that is a function of the seed alone (sfc32, seeded through a mixer). */
export function seedRandom(seed: number): void {
  let mixed = imul(seed | 0, 0x9e3779b1) ^ (seed / 0x1_0000_0000)
  const mix = (): number => {
    mixed = (mixed + 0x6d2b79f5) | 0
    let word = imul(mixed ^ (mixed >>> 15), 1 | mixed)
    word = (word + imul(word ^ (word >>> 7), 61 | word)) ^ word
    return (word ^ (word >>> 14)) | 0
  }
  let a = mix()
  let b = mix()
  let c = mix()
  let counter = 1
  const next = (): number => {
    const word = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + word
    c |= 0
    return word >>> 0
  }
  const random = { random: () => (next() >>> 5) * 2 ** -27 + (next() >>> 6) * 2 ** -53 }.random
  defineProperty(mathObject, 'random', dataDescriptor(random, false, true))
}
