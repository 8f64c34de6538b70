// The seam that a runtime author implements (contract J). A runtime knows nothing of tools: it is handed a program,
// named async functions and ambient declarations, and gives back value, logs, error and usage.
import type { JsonValue } from '../json/json-value.ts'

/** Level of a log line. Data beside the text, never a prefix of it. */
export type LogLevel = 'log' | 'info' | 'warn' | 'error' | 'debug'

/**
 * A host function that a program can call. Gets the one argument of the call as frozen lossless JSON (`{}` where the
 * program passed none), resolves with lossless JSON, or rejects: the program then sees the message and nothing else.
 */
export type BindingFunction = (argument: JsonValue) => Promise<JsonValue>

/** One global of the program with host functions as its own members (contract J3). */
export interface BindingNamespace {
  /** Name of the global; a portable identifier. */
  readonly global: string
  /** Own enumerable properties only; any string is a member name, `__proto__` included. */
  readonly functions: Readonly<Record<string, BindingFunction>>
  /** Class of the error that a failed call rejects with. Default: the language's plain error. */
  readonly errorClass?: { readonly name: string; readonly memberNameProperty: string }
  /**
   * Told of a call that a budget refused before its function was reached (`maxCalls`, `maxCallBytes`), in order with the
   * calls that were not. A throw is ignored.
   */
  readonly onRefused?: (member: string) => void
}

/** Budgets of one run; units are in the names (contract K2, R1). All are positive; all but `computeMs` and `maxWallMs` bound bytes or counts. */
export interface RunLimits {
  /** CPU time of the program in milliseconds; waiting costs none. */
  readonly computeMs: number
  /** Wall time of the run in milliseconds, at most 2^31-1. */
  readonly maxWallMs: number
  /** All memory that the program makes its process hold, in MiB. */
  readonly memoryMb: number
  /** Logs plus value or message, as serialized, in bytes. */
  readonly maxOutputBytes: number
  /** Calls of host functions; one more is refused, and the run goes on. */
  readonly maxCalls: number
  /** Bytes of arguments and results of all calls together; a call beyond is refused, and the run goes on. */
  readonly maxCallBytes: number
}

/** What a run is asked to do (contract J1). */
export interface CodeRunRequest {
  /** Body of an async function in the runtime's language: top-level `await` and `return`. */
  readonly program: string
  readonly bindings: readonly BindingNamespace[]
  /** Which runtime, where several are mounted. */
  readonly language?: string
  /** File name in positions and traces. Default: `program` with the language's ending. */
  readonly name?: string
  /** Ambient declarations of the bindings, for a runtime that checks programs before it runs them. */
  readonly declarations?: string
  readonly signal?: AbortSignal
  /** Called for each log line as it arrives. A throw is ignored. */
  readonly onLog?: (line: string, level: LogLevel) => void
  /** May only lower the configured limits. */
  readonly limits?: Partial<RunLimits>
  /** Fixes every source of randomness in the program (contract J7). An integer. */
  readonly seed?: number
  /** Fixes the program's clock at its start, in milliseconds since the epoch (contract J7). */
  readonly now?: number
}

/** Why a run has no value (contract J2). Decided by the host's own clocks and facts. */
export type CodeRunErrorKind =
  | 'exception'
  | 'timeout'
  | 'abort'
  | 'worker-exit'
  | 'invalid-output'
  | 'output-limit'
  | 'type-check'
  | 'stalled'

/** The failure of a run. */
export interface CodeRunError {
  readonly kind: CodeRunErrorKind
  /** For an exception `Name: message`, with a cause chain; positions are those of the program as written. */
  readonly message: string
  /** Name of the thrown error, for an exception. */
  readonly name?: string
  /** Stack of the program's own frames, one a line, for an exception. */
  readonly stack?: string
  /** 1-based position in the program as written, where one is known. */
  readonly line?: number
  readonly column?: number
}

/** What a run used (contract H10). */
export interface RunUsage {
  /** From the start of the program to its end, in milliseconds. */
  readonly wallMs: number
  /** CPU time of the program, in milliseconds. */
  readonly cpuMs: number
  /** Wait for a free sandbox, in milliseconds; no part of `wallMs`. */
  readonly queuedMs: number
  /** Host calls that the program made. */
  readonly calls: number
  /** Largest resident size of the sandbox process that was seen, in bytes; `null` where it was not measured. */
  readonly peakMemoryBytes: number | null
  /** Bytes that the host sent to the program, and got from it. */
  readonly bytesIn: number
  readonly bytesOut: number
}

/** The outcome of a run. Exactly one of `error` and a completed program; `value` is absent when the program returned nothing. */
export interface CodeRunResult {
  readonly value?: JsonValue
  readonly logs: readonly string[]
  readonly error?: CodeRunError
  readonly usage?: RunUsage
}

/** A program of one language in a sandbox (contract J1). */
export interface CodeRunner {
  /** Language id: `typescript`, `python`. */
  readonly language: string
  /** A label for people, such as `process` or `in-process`; no security claim. */
  readonly isolation: string
  /** Resolves with the outcome; rejects only for misuse: refused bindings, bad limits, a run after disposal (contract J2). */
  run(request: CodeRunRequest): Promise<CodeRunResult>
}
