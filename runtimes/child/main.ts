// Entry of a sandbox process. Reads the launch record from its arguments, loads the language's engine, and then never
// returns to an event loop: read a message, enter the program, write what it left, read again. Node's own exit hooks,
// timers and promises play no part after `ready`.
//
// The host kills this process for every budget; it ends by itself when the host is gone (end of file on the pipe), when
// the traffic is junk, and after a fatal message.
import { WIRE_VERSION } from '../wire/version.ts'
import { Channel } from './channel.ts'
import type { EngineModule } from './engine.ts'
import { RunLoop } from './run-loop.ts'

/** What the host puts into the last argument, as JSON. Written by runtimes/host/launch.ts. */
interface LaunchRecord {
  readonly engine: string
  readonly memoryMb: number
}

const PIPE = 3
/** Exit codes, for people who read a process table; the host does not believe them. */
const EXIT_FATAL = 70
const EXIT_PIPE = 74

const record = JSON.parse(process.argv.at(-1) ?? '') as LaunchRecord
// A Ctrl-C in the host's terminal reaches the whole process group; when a program stops is the host's decision.
process.on('SIGINT', () => {})
const module = (await import(record.engine)) as EngineModule
process.exit(serve(module))

function serve(engineModule: EngineModule): number {
  const channel = new Channel(PIPE)
  const loop = new RunLoop(engineModule.createEngine({ memoryMb: record.memoryMb }), (message) => channel.send(message))
  loop.settle()
  channel.send({ type: 'ready', version: WIRE_VERSION })
  for (;;) {
    const message = channel.receive()
    if (message === undefined) return 0
    try {
      const state = loop.handle(message)
      if (state === 'fatal') return EXIT_FATAL
      if (state === 'ended') loop.settle()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EPIPE') return EXIT_PIPE
      throw error
    }
  }
}
