// One sandbox's programs, one after the other: turns messages of the host into entries of the engine, and what the program
// left into messages. main.ts drives it over a pipe, runtimes/host/in-process.ts in the host's own process.
//
//   message ─▶ handle() ─▶ engine.start / engine.deliver ─▶ emit(log …) emit(turn | fatal)      then: settle()
//
// It holds no clock and no budget; those are the host's.
import { MAX_CALLS_PER_TURN } from '../wire/caps.ts'
import { FrameTooLargeError } from '../wire/frames.ts'
import type { FatalMessage, HostMessage, LogMessage, SandboxMessage } from '../wire/messages.ts'
import type { Engine, EngineFatalError, EngineTurn } from './engine.ts'

/** What a handled message left behind: a program that goes on, one that is over, or a sandbox that is of no more use. */
export type LoopState = 'resting' | 'ended' | 'fatal'

/** Takes a message to the host at once. May throw `FrameTooLargeError`; the message was not sent then. */
export type Emit = (message: SandboxMessage) => void

const FATAL_REASONS: ReadonlySet<unknown> = new Set<FatalMessage['reason']>([
  'memory',
  'entry-timeout',
  'engine',
  'output',
])

/** See the head of this file. */
export class RunLoop {
  readonly #engine: Engine
  readonly #emit: Emit
  #run = 0
  #live = false
  #logFailure: unknown

  constructor(engine: Engine, emit: Emit) {
    this.#engine = engine
    this.#emit = emit
  }

  /** Enters the program and emits what it left. Never throws but for an `emit` that cannot reach the host. */
  handle(message: HostMessage): LoopState {
    try {
      const turn = this.#enter(message)
      if (this.#logFailure !== undefined) throw this.#logFailure
      if (turn.calls.length > MAX_CALLS_PER_TURN) {
        return this.#fail('output', `one turn made ${turn.calls.length} calls; at most ${MAX_CALLS_PER_TURN} are taken`)
      }
      this.#emit(turnMessage(this.#run, turn))
      if (turn.end === undefined) return 'resting'
      this.#live = false
      return 'ended'
    } catch (error) {
      if (error instanceof FrameTooLargeError) {
        return this.#fail('output', `one turn left ${error.bytes} bytes, more than fit into a message`)
      }
      if (!isEngineFatal(error)) return this.#fail('engine', messageOf(error))
      return this.#fail(error.reason, error.message)
    }
  }

  /** Disposes what the ended program left and makes a standby isolate. Call it when the host has its turn. */
  settle(): void {
    this.#engine.end()
    this.#engine.prepare()
  }

  #enter(message: HostMessage): EngineTurn {
    if (message.type === 'start') {
      if (this.#live) throw new Error('a program was started while another was alive')
      this.#run = message.run
      this.#live = true
      return this.#engine.start(message, (level, text) => this.#log(level, text))
    }
    if (!this.#live || message.run !== this.#run) throw new Error('answers came for a program that is not alive')
    return this.#engine.deliver(message)
  }

  /** Runs inside an entry, so it must not throw: what it threw would go through the program. The entry's end has it. */
  #log(level: LogMessage['level'], text: string): void {
    try {
      this.#emit({ type: 'log', run: this.#run, level, text })
    } catch (error) {
      this.#logFailure ??= error
    }
  }

  #fail(reason: FatalMessage['reason'], message: string): LoopState {
    this.#live = false
    this.#emit({ type: 'fatal', run: this.#run, reason, message })
    return 'fatal'
  }
}

function turnMessage(run: number, turn: EngineTurn): SandboxMessage {
  const { calls, wakeMs, cpuUs, end } = turn
  return end === undefined
    ? { type: 'turn', run, calls, wakeMs, cpuUs }
    : { type: 'turn', run, calls, wakeMs, cpuUs, end }
}

/** By shape and not by class: an engine of a third party may carry its own copy of engine.ts. */
function isEngineFatal(error: unknown): error is EngineFatalError {
  return error instanceof Error && error.name === 'EngineFatalError' && FATAL_REASONS.has(Reflect.get(error, 'reason'))
}

function messageOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : 'the engine threw something that is no error'
}
