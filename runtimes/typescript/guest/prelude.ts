// The entry of the guest bundle: what stands in an isolate before a TypeScript program. The engine (../child/engine.ts) evaluates the
// bundle once a fresh isolate, calls `install` with its callbacks, and later `start`, `deliver` and `fire`, each one entry.
// Everything crosses as primitives: the arguments of callbacks, of `start`, and of `deliver`, where answers are a flat list.
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
  mapGet,
  mapSet,
  NativeMap,
  NativePromise,
  NativeTypeError,
  ownPromise,
  parseJson,
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

/** A namespace as the start message has it. */
interface Namespace {
  readonly global: string
  readonly members: readonly string[]
  readonly errorClass?: { readonly name: string; readonly memberNameProperty: string }
}

/** What the engine calls; each call is one entry into the isolate. */
interface Guest {
  /** Runs a program: its function, seed and clock (or null), and the JSON text of its namespaces. */
  start(program: () => Promise<unknown>, seed: number | null, now: number | null, namespaces: string): void
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
    start(program, seed, now, namespaces) {
      const clock: Clock = now === null ? machineClock() : fixedClock(now)
      if (seed !== null) seedRandom(seed)
      timers = new Timers(clock, due, uncaught)
      installNamespaces(bridge, parseJson(namespaces) as Namespace[])
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

/** Makes the namespaces, by index, and their error classes. */
function installNamespaces(bridge: Bridge, namespaces: readonly Namespace[]): void {
  const classes = new NativeMap<string, MakeError>()
  for (let index = 0; index < namespaces.length; index++) {
    const { global, members, errorClass } = namespaces[index] as Namespace
    const makeError = errorMaker(classes, errorClass)
    addConstant(global, createNamespace(bridge, { index, global, members, makeError }))
  }
}

/** Namespaces may share a class. */
function errorMaker(classes: Map<string, MakeError>, errorClass: Namespace['errorClass']): MakeError {
  if (errorClass === undefined) return makePlainError
  const { name, memberNameProperty } = errorClass
  const known = mapGet(classes, name)
  if (known !== undefined) return known
  const { classObject, make } = createErrorClass(name, memberNameProperty)
  addConstant(name, classObject)
  mapSet(classes, name, make)
  return make
}
