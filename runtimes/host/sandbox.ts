// What a sandbox is to the host, whichever way it runs: something that takes messages, gives checked ones back, can be
// killed, and says what it costs. sandbox-process.ts and in-process.ts implement it; pool.ts lends it; session.ts uses it.
import type { HostMessage, SandboxMessage } from '../wire/messages.ts'

/** How a sandbox went. */
export interface SandboxExit {
  /** Exit code and signal of the process; both `null` for one that never ran, and in-process. */
  readonly code: number | null
  readonly signal: string | null
  /** What the process wrote to stderr, bounded. May hold paths of the machine: for operators, never for a model. */
  readonly stderr: string
}

/** Whoever has leased a sandbox. No method may throw. */
export interface SandboxListener {
  /** A message that passed the check of its shape. Never `ready`. */
  onMessage(message: SandboxMessage): void
  /** Traffic that is no message. The sandbox has been killed already. */
  onBroken(rule: string): void
  /** The sandbox is gone, for whatever reason. */
  onExit(exit: SandboxExit): void
}

/** See the head of this file. */
export interface Sandbox {
  readonly isolation: 'process' | 'in-process'
  /** Process id, where there is a process. */
  readonly pid: number | undefined
  /** Resolves when the engine is loaded and a standby isolate stands; rejects when it cannot be used. */
  readonly ready: Promise<void>
  /** Resolves when nothing of it is left. Never rejects. */
  readonly exited: Promise<SandboxExit>
  /** True once it was killed, exited or broke the protocol. */
  readonly dead: boolean
  /** Sets or, with `undefined`, takes away the one listener. A message that nobody awaits kills the sandbox. */
  listen(listener: SandboxListener | undefined): void
  /** Sends a message; the answer comes through the listener, in-process possibly before this returns. */
  send(message: HostMessage): void
  /** Ends it at once, also in the middle of a loop (processes only). Idempotent. */
  kill(): Promise<SandboxExit>
  /** CPU time of the sandbox since it started, in milliseconds; `undefined` where the host cannot measure it. */
  cpuMs(): number | undefined
  /** Resident memory, in bytes; `undefined` where the host cannot measure it. */
  residentBytes(): number | undefined
  /** Whether the sandbox keeps the host's event loop alive. */
  setRef(ref: boolean): void
}
