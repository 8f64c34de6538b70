// An engine that was taken over: its program is a list of steps, and it writes to the pipe of its process whatever a step
// says. What it returns as a turn goes the honest way.
import { writeSync } from 'node:fs'
import type { Engine, EngineTurn } from '../../../runtimes/child/engine.ts'
import { encodeFrame } from '../../../runtimes/wire/frames.ts'

/** One thing that a forging sandbox does. */
export type Step =
  /** Writes bytes. */
  | { readonly bytes: readonly number[] }
  /** Writes one frame with this head and these bodies, as often as `times` says. */
  | { readonly head: object; readonly bodies?: readonly string[]; readonly times?: number }
  /** Gives the thread away until the process is killed. */
  | { readonly hang: true }
  | { readonly exit: number }
  | { readonly kill: NodeJS.Signals }
  /** Throws something from the engine. */
  | { readonly fail: string }
  /** Writes to stderr. */
  | { readonly stderr: string }
  /** Writes the next steps when the program is over, while the process is idle. */
  | { readonly later: readonly Step[] }

/** A program: steps of each entry, then the turn that the entry returns. */
export interface Forgery {
  readonly entries: readonly { readonly steps?: readonly Step[]; readonly turn?: EngineTurn }[]
}

const PIPE = 3

class ForgingEngine implements Engine {
  #forgery: Forgery = { entries: [] }
  #entry = 0
  #later: readonly Step[] = []

  prepare(): void {
    const steps = this.#later
    this.#later = []
    this.#act(steps)
  }

  start(message: { readonly source: string }): EngineTurn {
    this.#forgery = JSON.parse(message.source) as Forgery
    this.#entry = 0
    return this.deliver()
  }

  deliver(): EngineTurn {
    const { steps = [], turn = { calls: [], wakeMs: null, cpuUs: 0, end: { kind: 'value' } } as EngineTurn } =
      this.#forgery.entries[this.#entry++] ?? {}
    this.#act(steps)
    return turn
  }

  end(): void {}

  dispose(): void {}

  #act(steps: readonly Step[]): void {
    for (const step of steps) this.#step(step)
  }

  #step(step: Step): void {
    if ('bytes' in step) writeAll(Buffer.from(step.bytes))
    else if ('head' in step) {
      const bodies = step.bodies ?? []
      const frame = encodeFrame(
        step.head,
        bodies,
        bodies.map((body) => Buffer.byteLength(body)),
      )
      for (let i = 0; i < (step.times ?? 1); i++) writeAll(frame)
    } else if ('hang' in step) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    else if ('exit' in step) process.exit(step.exit)
    else if ('kill' in step) process.kill(process.pid, step.kill)
    else if ('fail' in step) throw new Error(step.fail)
    else if ('stderr' in step) writeSync(2, step.stderr)
    else this.#later = step.later
  }
}

function writeAll(bytes: Buffer): void {
  for (let offset = 0; offset < bytes.length; ) offset += writeSync(PIPE, bytes, offset)
}

/** The export of an engine module. */
export const createEngine = (): Engine => new ForgingEngine()
