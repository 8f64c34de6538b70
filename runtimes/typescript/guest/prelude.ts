// The entry of the guest bundle: what stands in an isolate before a TypeScript program. The engine (../child/engine.ts) evaluates the
// bundle once a fresh isolate, calls `install` with its callbacks, and later `start`, `deliver` and `fire`, each one entry.
// Everything crosses as primitives: the arguments of a callback, and flat lists into `start` and `deliver`.
//
//   engine ── install(callbacks) ──▶ globals                    program ── tools.x() ──▶ bridge ── call ──▶ engine
//          ── start(program, names) ──▶ program runs            program ── console.log ──▶ log ──▶ engine
//          ── deliver(answers) / fire() ──▶ it goes on          program ends ──▶ end ──▶ engine

import { Bridge, type SendCall } from '../../guest/bridge.ts'
import { type Clock, fixedClock, machineClock, seedRandom } from '../../guest/clock.ts'
import { createConsole, type Level } from '../../guest/console.ts'
import { describeThrown, headlineOf } from '../../guest/describe.ts'
import { createErrorClass, type MakeError, makePlainError } from '../../guest/errors.ts'
import {
  apply,
  bareArray,
  mapGet,
  mapSet,
  NativeMap,
  NativePromise,
  NativeTypeError,
  ownPromise,
  promiseThen,
} from '../../guest/intrinsics.ts'
import { serialize } from '../../guest/lossless.ts'
import { createNamespace } from '../../guest/namespace.ts'
import { addConstant, addGlobal, pruneGlobals } from '../../guest/surface.ts'
import { type Due, Timers } from '../../guest/timers.ts'
import { atob, btoa } from '../../guest/web/base64.ts'
import { structuredClone } from '../../guest/web/clone.ts'
import { TextDecoder, TextEncoder } from '../../guest/web/text-coding.ts'

/** The end of a program: what the engine makes a WireEnd of. */
type SendEnd = (kind: 'value' | 'exception' | 'invalid-output', ...texts: (string | undefined)[]) => void

/** What the engine calls; each call is one entry into the isolate. */
interface Guest {
  /** Runs a program: its function, seed and clock (or null), then the flat list of namespaces that `readNamespaces` reads. */
  start(program: () => Promise<unknown>, seed: number | null, now: number | null, ...names: unknown[]): void
  /** Settles calls: number, success and text of each. */
  deliver(...answers: unknown[]): void
  /** Fires the next due timer of a wake; false when there is none. */
  fire(first: boolean): boolean
}

/** Takes the engine's callbacks, gives the isolate its globals, and returns what the engine calls. */
export function install(call: SendCall, log: (level: Level, text: string) => void, end: SendEnd, due: Due): Guest {
  const bridge = new Bridge(call)
  let timers: Timers | undefined
  const uncaught = (thrown: unknown): void => log('warn', `Uncaught in a timer or microtask: ${headlineOf(thrown)}`)
  pruneGlobals()
  addGlobal('console', createConsole(log))
  installScheduling(() => timers as Timers, uncaught)
  installWeb()
  return {
    start(program, seed, now, ...names) {
      const clock: Clock = now === null ? machineClock() : fixedClock(now)
      if (seed !== null) seedRandom(seed)
      timers = new Timers(clock, due, uncaught)
      installNamespaces(bridge, names)
      run(program, end)
    },
    deliver(...answers) {
      bridge.deliver(answers)
    },
    fire: (first) => timers?.fire(first) === true,
  }
}

/** Starts the program; its end is told by `end`, once. */
function run(program: () => Promise<unknown>, end: SendEnd): void {
  promiseThen(
    ownPromise(program()),
    (value) => {
      if (value === undefined) return end('value')
      const { text, refusal } = serialize(value, 'result')
      if (refusal !== undefined) end('invalid-output', refusal)
      else end('value', text)
    },
    (thrown) => {
      const { name, message, stack } = describeThrown(thrown)
      end('exception', name, message, stack)
    },
  )
}

/** Timers and microtasks; what a callback throws is a warning of the run, as a rejection that nothing handles is. */
function installScheduling(timers: () => Timers, uncaught: (thrown: unknown) => void): void {
  const settled = ownPromise(new NativePromise<void>((resolve) => resolve()))
  const globals = {
    setTimeout: (callback: unknown, delay?: unknown, ...args: unknown[]) =>
      timers().set('setTimeout', callback, delay, args, false),
    setInterval: (callback: unknown, delay?: unknown, ...args: unknown[]) =>
      timers().set('setInterval', callback, delay, args, true),
    clearTimeout: (id?: unknown) => timers().clear(id),
    clearInterval: (id?: unknown) => timers().clear(id),
    queueMicrotask(callback: unknown) {
      if (typeof callback !== 'function') {
        throw new NativeTypeError(`queueMicrotask needs a function, got ${typeof callback}`)
      }
      promiseThen(settled, () => {
        try {
          apply(callback, undefined, [])
        } catch (thrown) {
          uncaught(thrown)
        }
      })
    },
  }
  addGlobal('setTimeout', globals.setTimeout)
  addGlobal('setInterval', globals.setInterval)
  addGlobal('clearTimeout', globals.clearTimeout)
  addGlobal('clearInterval', globals.clearInterval)
  addGlobal('queueMicrotask', globals.queueMicrotask)
}

function installWeb(): void {
  addGlobal('structuredClone', structuredClone)
  addGlobal('atob', atob)
  addGlobal('btoa', btoa)
  addGlobal('TextEncoder', TextEncoder)
  addGlobal('TextDecoder', TextDecoder)
}

/**
 * Makes the namespaces and their error classes. `names` is flat: for each namespace its global, the name and the member property of its
 * error class (null for none), the number of its members, and the members.
 */
function installNamespaces(bridge: Bridge, names: readonly unknown[]): void {
  const classes = new NativeMap<string, MakeError>()
  let namespace = 0
  for (let at = 0; at < names.length; namespace++) {
    const global = names[at] as string
    const makeError = errorMaker(classes, names[at + 1] as string | null, names[at + 2] as string)
    const count = names[at + 3] as number
    const members = bareArray<string>()
    for (let member = 0; member < count; member++) members[member] = names[at + 4 + member] as string
    addConstant(global, createNamespace(bridge, namespace, global, members, makeError))
    at += 4 + count
  }
}

/** Namespaces may share a class. */
function errorMaker(classes: Map<string, MakeError>, name: string | null, property: string): MakeError {
  if (name === null) return makePlainError
  const known = mapGet(classes, name)
  if (known !== undefined) return known
  const { classObject, make } = createErrorClass(name, property)
  addConstant(name, classObject)
  mapSet(classes, name, make)
  return make
}
