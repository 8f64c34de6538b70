// What a language implements inside the sandbox process. The run loop calls it, one entry at a time and synchronously; the
// engine owns its isolate and its prelude and knows nothing of pipes, frames or the host.
//
//   run-loop.ts ── prepare() while idle ── start(message) / deliver(message) ──▶ engine ──▶ isolate
//               ◀── EngineTurn, or an EngineFatalError when the isolate is gone ──
import type { DeliverMessage, FatalMessage, LogMessage, StartMessage, WireCall, WireEnd } from '../wire/messages.ts'

/** What the program left when it came to rest. */
export interface EngineTurn {
  readonly calls: readonly WireCall[]
  /** Milliseconds until the program's next timer; `null` when it has none. */
  readonly wakeMs: number | null
  /** CPU time that the isolate has used since its program started, in microseconds. */
  readonly cpuUs: number
  readonly end?: WireEnd
}

/** Takes a log line out of the process at once; called in the middle of an entry. */
export type LogSink = (level: LogMessage['level'], text: string) => void

/** One language in a sandbox process, or in the host's own process for in-process sandboxes. */
export interface Engine {
  /** Makes a standby isolate if there is none. Called while no program runs; idempotent. */
  prepare(): void
  /** Starts a program in a fresh isolate and runs it until it rests. */
  start(message: StartMessage, log: LogSink): EngineTurn
  /** Hands answers in, fires due timers, and runs until rest. */
  deliver(message: DeliverMessage): EngineTurn
  /** Disposes the isolate of the program that ended or is given up. Idempotent. */
  end(): void
  /** Disposes everything, the standby included. */
  dispose(): void
}

/** What an engine module is told when it is loaded. */
export interface EngineOptions {
  /** Heap limit of standby isolates, in MiB; a start message with another limit gets an isolate of its own. */
  readonly memoryMb: number
}

/** The one export that an engine module must have. The launch record names the module, so a third party's language needs no edit here. */
export interface EngineModule {
  createEngine(options: EngineOptions): Engine
}

/** The isolate is gone or cannot be trusted any more. The process is not used again. */
export class EngineFatalError extends Error {
  readonly reason: FatalMessage['reason']

  constructor(reason: FatalMessage['reason'], message: string) {
    super(message)
    this.name = 'EngineFatalError'
    this.reason = reason
  }
}
