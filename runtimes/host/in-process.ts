// A sandbox on the host's own thread: the same interface and the same run loop as a process's, without a pipe. It blocks
// the host while a program computes, and what V8 cannot survive takes the host along (contract L4): for programs one trusts.
//
// The child side is loaded by dynamic import, so that a host that never asks for it does not load isolated-vm.
import type { EngineModule } from '../child/engine.ts'
import type { RunLoop } from '../child/run-loop.ts'
import type { HostMessage, SandboxMessage } from '../wire/messages.ts'
import type { Sandbox, SandboxExit, SandboxListener } from './sandbox.ts'

/** Answers that are there at once make a program's calls one chain of microtasks; after this long, timers and I/O get a turn. */
const YIELD_AFTER_MS = 10

const NO_EXIT: SandboxExit = { code: null, signal: null, stderr: '' }

/** What an in-process sandbox is made for. */
export interface InProcessOptions {
  readonly engine: URL
  readonly memoryMb: number
}

/** See the head of this file. */
export class InProcessSandbox implements Sandbox {
  readonly isolation = 'in-process'
  readonly pid = undefined
  readonly ready: Promise<void>
  readonly exited: Promise<SandboxExit>
  #loop: RunLoop | undefined
  #dispose: (() => void) | undefined
  #stop: (() => void) | undefined
  #listener: SandboxListener | undefined
  #dead = false
  #entered = false
  #unsettled = false
  #lastYield = 0
  #leave!: (exit: SandboxExit) => void

  constructor(options: InProcessOptions) {
    this.exited = new Promise((resolve) => {
      this.#leave = resolve
    })
    this.ready = this.#load(options)
    this.ready.catch(() => {})
  }

  get dead(): boolean {
    return this.#dead
  }

  listen(listener: SandboxListener | undefined): void {
    this.#listener = listener
  }

  send(message: HostMessage): void {
    if (this.#dead) return
    if (performance.now() - this.#lastYield < YIELD_AFTER_MS) {
      this.#handle(message)
      return
    }
    setImmediate(() => {
      this.#lastYield = performance.now()
      this.#handle(message)
    })
  }

  kill(): Promise<SandboxExit> {
    if (this.#dead) return this.exited
    this.#dead = true
    if (this.#entered) this.#stop?.()
    else this.#leaveNow()
    return this.exited
  }

  cpuMs(): undefined {
    return undefined
  }

  residentBytes(): undefined {
    return undefined
  }

  setRef(): void {
    // Nothing of it keeps an event loop alive.
  }

  async #load(options: InProcessOptions): Promise<void> {
    try {
      const [{ RunLoop }, module] = await Promise.all([
        import('../child/run-loop.ts'),
        import(options.engine.href) as Promise<EngineModule>,
      ])
      const engine = module.createEngine({ memoryMb: options.memoryMb })
      this.#loop = new RunLoop(engine, (message) => this.#take(message))
      this.#stop = () => engine.end()
      this.#dispose = () => engine.dispose()
      if (this.#dead) this.#leaveNow()
      else this.#loop.settle()
    } catch (error) {
      this.#dead = true
      this.#leaveNow()
      throw error
    }
  }

  #handle(message: HostMessage): void {
    if (this.#dead || this.#loop === undefined) return
    this.#settle()
    this.#entered = true
    const state = this.#loop.handle(message)
    this.#entered = false
    if (this.#dead) {
      this.#leaveNow()
      return
    }
    if (state !== 'ended') return
    // The next standby isolate takes milliseconds; whoever waits for the result goes first.
    this.#unsettled = true
    setImmediate(() => this.#settle())
  }

  #settle(): void {
    if (!this.#unsettled) return
    this.#unsettled = false
    if (!this.#dead) this.#loop?.settle()
  }

  #take(message: SandboxMessage): void {
    if (!this.#dead) this.#listener?.onMessage(message)
  }

  #leaveNow(): void {
    try {
      this.#dispose?.()
    } catch {
      // The isolate went down by itself.
    }
    this.#dispose = undefined
    this.#leave(NO_EXIT)
    this.#listener?.onExit(NO_EXIT)
  }
}
