// One isolate with the prelude in place: made while nothing runs, used for one program, then disposed. Called by engine.ts, which owns
// the standby. Knows how to enter the isolate and what a failed entry means; knows nothing of messages from the host but their fields.
//
// Threat: the program is hostile. Only `ivm.Callback`s enter an isolate, and only primitives cross, in either direction: a Reference, an
// ExternalCopy or a Context handed in would be a way out. A callback never throws: errors of this realm carry its paths.
//
// Platform traps: isolated-vm's `timeout` covers one entry, its microtasks included, so each entry has its own. A rejection that nothing
// has handled when an entry comes to rest is thrown by that entry, after everything in it has run; its `message` and `stack` are read
// after the timeout is over, and a getter that never returns hangs this thread: the host's clock kills the process, while an in-process
// sandbox has no such clock (contract L4).
import { setFlagsFromString } from 'node:v8'
import ivm from 'isolated-vm'
import { EngineFatalError, type EngineTurn, type LogSink } from '../../child/engine.ts'
import { createIsolate, describeOrphan, disposeIsolate, enterIsolate, isolateCpuUs } from '../../child/isolate.ts'
import type { DeliverMessage, LogMessage, StartMessage, WireCall, WireEnd } from '../../wire/messages.ts'

/** Name of guest code in stack traces; runtimes/guest/stacks.ts leaves its frames out. */
const GUEST_FILE = 'runcell:guest'
/** Answers that enter at once; each is three arguments of one call. */
const ANSWERS_PER_ENTRY = 5_000
/** Longest wake that a turn reports: what a Node timer can wait. */
const MAX_WAKE_MS = 2 ** 31 - 1

/** As much of a stack is searched for a frame. */
const MAX_STACK = 4_096

/** Line 1 of the program is line 1 of the script: the wrapper stands before it, on line 0. */
const WRAPPER = { open: '(async function () { "use strict";\n', close: '\n})', lineOffset: -1 } as const

/** The guest bundle, and V8's compiled form of it once the first isolate has made it. */
export interface Prelude {
  readonly text: string
  cache?: ivm.ExternalCopy<ArrayBuffer>
}

type Entry = ivm.Reference<(...args: never[]) => unknown>

/** An isolate for one program. */
export class ProgramIsolate {
  readonly memoryMb: number
  readonly #isolate: ivm.Isolate
  readonly #context: ivm.Context
  readonly #start: Entry
  readonly #deliver: Entry
  readonly #fire: Entry
  #log: LogSink | undefined
  #file = ''
  #calls: WireCall[] = []
  #end: WireEnd | undefined
  /** When the next timer is due, by the machine's clock; -1 for none. */
  #due = -1
  #cpuUsBefore = 0
  /** What a callback could not do; told when the entry is over. */
  #failure: unknown

  /** Makes the isolate and evaluates the prelude. Throws what isolated-vm throws. */
  constructor(memoryMb: number, prelude: Prelude) {
    this.memoryMb = memoryMb
    this.#isolate = createIsolate(memoryMb)
    this.#context = this.#isolate.createContextSync()
    const install = this.#evaluatePrelude(prelude)
    const guest = install.applySync(undefined, this.#callbacks() as never[], {
      result: { reference: true },
    }) as ivm.Reference<Record<string, unknown>>
    this.#start = guest.getSync('start', { reference: true }) as Entry
    this.#deliver = guest.getSync('deliver', { reference: true }) as Entry
    this.#fire = guest.getSync('fire', { reference: true }) as Entry
  }

  /** Compiles and starts the program, and runs it until it rests. */
  start(message: StartMessage, log: LogSink): EngineTurn {
    this.#log = log
    this.#file = message.file
    this.#cpuUsBefore = isolateCpuUs(this.#isolate)
    const program = this.#compile(message)
    if (program !== undefined) {
      const namespaces = JSON.stringify(message.namespaces)
      const args = [program.derefInto({ release: true }), message.seed, message.now, namespaces]
      this.#enter(this.#start, args, message.entryTimeoutMs)
    }
    return this.#turn()
  }

  /** Hands answers in, fires due timers, each in an entry of its own, and runs until rest. */
  deliver({ answers, wake, entryTimeoutMs }: DeliverMessage): EngineTurn {
    for (let from = 0; from < answers.length && this.#end === undefined; from += ANSWERS_PER_ENTRY) {
      const args: (number | boolean | string)[] = []
      for (const { call, ok, text } of answers.slice(from, from + ANSWERS_PER_ENTRY)) args.push(call, ok, text)
      this.#enter(this.#deliver, args, entryTimeoutMs)
    }
    for (let fired: unknown = wake, first = true; fired !== false && this.#end === undefined; first = false) {
      fired = this.#enter(this.#fire, [first], entryTimeoutMs)
    }
    return this.#turn()
  }

  /** Disposes the isolate. Idempotent. */
  dispose(): void {
    this.#log = undefined
    disposeIsolate(this.#isolate)
  }

  #evaluatePrelude(prelude: Prelude): Entry {
    const script = compileWhole(() =>
      this.#isolate.compileScriptSync(prelude.text, {
        filename: GUEST_FILE,
        ...(prelude.cache === undefined ? { produceCachedData: true } : { cachedData: prelude.cache }),
      }),
    )
    const { cachedData } = script as { cachedData?: ivm.ExternalCopy<ArrayBuffer> }
    if (cachedData !== undefined) prelude.cache = cachedData
    return script.runSync(this.#context, { reference: true, release: true }) as Entry
  }

  /** What leaves the isolate, in the order of the prelude's `install`. */
  #callbacks(): ivm.Callback[] {
    return [
      this.#callback((call: number, namespace: number, member: number, text: string) => {
        if (this.#end === undefined) this.#calls.push({ call, namespace, member, text })
      }),
      this.#callback((level: LogMessage['level'], text: string) => this.#log?.(level, text)),
      this.#callback((kind: WireEnd['kind'], ...texts: (string | undefined)[]) => {
        this.#end ??= endOf(kind, texts)
      }),
      this.#callback((realDue: number) => {
        this.#due = realDue
      }),
    ]
  }

  #callback<Args extends never[]>(action: (...args: Args) => void): ivm.Callback {
    return new ivm.Callback((...args: Args) => {
      try {
        action(...args)
      } catch (error) {
        this.#failure ??= error
      }
    })
  }

  /** The program as a function in the isolate; `undefined` when it does not compile, which is its end. */
  #compile({ source, file }: StartMessage): ivm.Reference | undefined {
    try {
      const script = this.#isolate.compileScriptSync(WRAPPER.open + source + WRAPPER.close, {
        filename: file,
        lineOffset: WRAPPER.lineOffset,
      })
      return script.runSync(this.#context, { reference: true, release: true }) as ivm.Reference
    } catch (error) {
      if (this.#isolate.isDisposed) throw new EngineFatalError('memory', 'the isolate passed its memory limit')
      this.#end = compileError(error, file)
      return undefined
    }
  }

  /** One entry. Gives what the guest returned; `undefined` when a rejection was left over, and all of the entry has run. */
  #enter(entry: Entry, args: unknown[], timeoutMs: number): unknown {
    let result: unknown
    const orphan = enterIsolate(this.#isolate, timeoutMs, () => {
      result = entry.applySync(undefined, args as never[], { timeout: timeoutMs })
    })
    if (orphan !== undefined) {
      const frame = frameOf(orphan.thrown, this.#file)
      this.#log?.('warn', `Unhandled rejection: ${describeOrphan(orphan)}${frame}`)
    }
    if (this.#failure !== undefined) {
      throw new EngineFatalError('engine', `The sandbox failed: ${messageOf(this.#failure)}`)
    }
    return result
  }

  #turn(): EngineTurn {
    const calls = this.#calls
    this.#calls = []
    return {
      calls,
      wakeMs: this.#due < 0 ? null : Math.min(MAX_WAKE_MS, Math.max(0, Math.ceil(this.#due - Date.now()))),
      cpuUs: Math.max(0, Math.round(isolateCpuUs(this.#isolate) - this.#cpuUsBefore)),
      ...(this.#end !== undefined && { end: this.#end }),
    }
  }
}

/**
 * V8 compiles functions when they are first called, and keeps only those in its cache that were compiled with the script. With all of
 * them in it, a fresh isolate is ready 0.4 ms earlier, and a program starts 0.4 ms earlier. The flag must be the same when the cache
 * is made and when it is used.
 */
function compileWhole<T>(compile: () => T): T {
  setFlagsFromString('--no-lazy')
  try {
    return compile()
  } finally {
    setFlagsFromString('--lazy')
  }
}

function endOf(kind: WireEnd['kind'], [first, second, third]: readonly (string | undefined)[]): WireEnd {
  switch (kind) {
    case 'value':
      return first === undefined ? { kind } : { kind, text: first }
    case 'exception':
      return { kind, name: first ?? '', message: second ?? '', stack: third ?? '' }
    case 'invalid-output':
      return { kind, message: first ?? '' }
  }
}

/** What V8 says of a program that it does not compile. isolated-vm puts the place at the end of the message: `… [file:1:2]`. */
function compileError(error: unknown, file: string): WireEnd {
  const text = messageOf(error)
  const at = text.lastIndexOf(` [${file}:`)
  const place = at < 0 ? '' : text.slice(at + 2, -1)
  return {
    kind: 'exception',
    name: error instanceof SyntaxError ? 'SyntaxError' : error instanceof Error ? error.name : 'Error',
    message: at < 0 ? text : text.slice(0, at),
    stack: place === '' ? '' : `    at ${place}`,
  }
}

/** First frame of the program in a rejection that isolated-vm copied out of the isolate, on a line of its own. */
function frameOf(thrown: unknown, file: string): string {
  const stack = thrown instanceof Error && typeof thrown.stack === 'string' ? thrown.stack.slice(0, MAX_STACK) : ''
  const frame = stack.split('\n').find((line) => line.startsWith('    at ') && line.includes(`${file}:`))
  return frame === undefined ? '' : `\n${frame}`
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
