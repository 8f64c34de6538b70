// The TypeScript engine of a sandbox process (contract L): keeps one standby isolate, gives it to the next program, disposes it
// afterwards (J4). The run loop calls it, or the host for in-process sandboxes. With program-isolate.ts the only code that loads
// isolated-vm.
import { readFileSync } from 'node:fs'
import type { Engine, EngineOptions, EngineTurn, LogSink } from '../../child/engine.ts'
import { EngineFatalError } from '../../child/engine.ts'
import type { DeliverMessage, StartMessage } from '../../wire/messages.ts'
import { type Prelude, ProgramIsolate } from './program-isolate.ts'

/** The engine module's export; see `EngineModule`. Throws if the guest bundle was not built. */
export function createEngine(options: EngineOptions): Engine {
  return new TypeScriptEngine(options.memoryMb, { text: readPrelude() })
}

class TypeScriptEngine implements Engine {
  readonly #memoryMb: number
  readonly #prelude: Prelude
  #standby: ProgramIsolate | undefined
  #active: ProgramIsolate | undefined

  constructor(memoryMb: number, prelude: Prelude) {
    this.#memoryMb = memoryMb
    this.#prelude = prelude
  }

  prepare(): void {
    this.#standby ??= new ProgramIsolate(this.#memoryMb, this.#prelude)
  }

  start(message: StartMessage, log: LogSink): EngineTurn {
    this.end()
    this.#active = this.#take(message.memoryMb)
    return this.#active.start(message, log)
  }

  deliver(message: DeliverMessage): EngineTurn {
    if (this.#active === undefined) throw new EngineFatalError('engine', 'No program is running.')
    return this.#active.deliver(message)
  }

  end(): void {
    this.#active?.dispose()
    this.#active = undefined
  }

  dispose(): void {
    this.end()
    this.#standby?.dispose()
    this.#standby = undefined
  }

  /** The limit of an isolate is fixed when it is made: a run with another limit gets one of its own, and the standby waits. */
  #take(memoryMb: number): ProgramIsolate {
    const standby = this.#standby
    if (standby === undefined || standby.memoryMb !== memoryMb) return new ProgramIsolate(memoryMb, this.#prelude)
    this.#standby = undefined
    return standby
  }
}

/** The bundle stands beside its source, in the repository and in the published package alike. */
function readPrelude(): string {
  const file = new URL('../guest/prelude.generated.js', import.meta.url)
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new EngineFatalError('engine', `The guest bundle is missing: run "npm run build:guest". (${String(error)})`)
  }
}
