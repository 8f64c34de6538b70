// Every message between the host and a sandbox, in both directions. JSON texts of values (`text`) are carried as they
// are: framing never escapes them a second time. Shapes are exact: check.ts refuses unknown keys, types and ranges.
//
//   host                               sandbox
//    │ ◀───────────────── ready ─────────  │  once, when the engine is loaded
//    │ ── start ────────────────────────▶  │  one live program at a time
//    │ ◀───────────────── log ───────────  │  written through while the program runs
//    │ ◀───────────────── turn ──────────  │  the program came to rest: its calls, its next timer, or its end
//    │ ── deliver ──────────────────────▶  │  answers and timer wake-ups, one batch
//    │ ◀───────────────── turn ──────────  │  …
//    │ ◀───────────────── fatal ─────────  │  instead of a turn: the isolate is gone; the process is not used again

/** A namespace as the sandbox sees it: names only. Calls refer to it, and to its members, by index. */
export interface WireNamespace {
  readonly global: string
  readonly members: readonly string[]
  readonly errorClass?: { readonly name: string; readonly memberNameProperty: string }
}

/** Starts a program in a fresh isolate. */
export interface StartMessage {
  readonly type: 'start'
  readonly run: number
  /** What the engine of the language executes; for TypeScript the compiled JavaScript body. */
  readonly source: string
  /** File name in stack traces. */
  readonly file: string
  readonly namespaces: readonly WireNamespace[]
  /** Limit of the isolate's heap, in MiB. */
  readonly memoryMb: number
  /** Backstop of one entry into the isolate, in wall milliseconds; the host's clock is the rule. */
  readonly entryTimeoutMs: number
  /** Fixes randomness (contract J7); `null` for real entropy. */
  readonly seed: number | null
  /** Fixes the clock (contract J7), in milliseconds since the epoch; `null` for the real one. */
  readonly now: number | null
}

/** The answer to one call: JSON text of the value, or the message of the error. */
export interface WireAnswer {
  readonly call: number
  readonly ok: boolean
  readonly text: string
}

/** Hands answers to the program and, with `wake`, lets its due timers fire. */
export interface DeliverMessage {
  readonly type: 'deliver'
  readonly run: number
  readonly answers: readonly WireAnswer[]
  readonly wake: boolean
  readonly entryTimeoutMs: number
}

/** What the host sends. */
export type HostMessage = StartMessage | DeliverMessage

/** The engine is loaded and a standby isolate can be made. */
export interface ReadyMessage {
  readonly type: 'ready'
  readonly version: number
}

/** One log line; `level` is data. */
export interface LogMessage {
  readonly type: 'log'
  readonly run: number
  readonly level: 'log' | 'info' | 'warn' | 'error' | 'debug'
  readonly text: string
}

/** One call of a host function. */
export interface WireCall {
  /** Numbered by the sandbox from 1, rising. */
  readonly call: number
  /** Index into the namespaces of the start message, and into its members. */
  readonly namespace: number
  readonly member: number
  /** JSON text of the argument. */
  readonly text: string
}

/** How a program ended. */
export type WireEnd =
  /** Returned; `text` is the JSON text of the value, absent when it returned nothing. */
  | { readonly kind: 'value'; readonly text?: string }
  /** Threw, or could not be compiled. All fields are the program's own words: bounded, never trusted. */
  | { readonly kind: 'exception'; readonly name: string; readonly message: string; readonly stack: string }
  /** Returned something that is not lossless JSON; `message` names the path. */
  | { readonly kind: 'invalid-output'; readonly message: string }

/** The program came to rest. With `end` it is over and the isolate is being disposed. */
export interface TurnMessage {
  readonly type: 'turn'
  readonly run: number
  readonly calls: readonly WireCall[]
  /** Milliseconds until the program's next timer; `null` when it has none. */
  readonly wakeMs: number | null
  /** CPU time of the process since the program started, in microseconds, as the sandbox measured it. */
  readonly cpuUs: number
  readonly end?: WireEnd
}

/**
 * The isolate is gone: its memory limit, an entry that outlived its backstop, or an engine failure; or one turn holds more
 * than a frame takes (`output`, caps.ts).
 */
export interface FatalMessage {
  readonly type: 'fatal'
  readonly run: number
  readonly reason: 'memory' | 'entry-timeout' | 'engine' | 'output'
  readonly message: string
}

/** What a sandbox sends. */
export type SandboxMessage = ReadyMessage | LogMessage | TurnMessage | FatalMessage
