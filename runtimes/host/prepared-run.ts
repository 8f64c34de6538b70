// What a language runtime hands to the sandbox host: a program that is ready for its engine, and bindings that were checked.
import type { CheckedNamespace } from '../../src/runtime/bindings.ts'
import type { LogLevel, RunLimits } from '../../src/runtime/code-runtime.ts'

/** An exception in the program's own words. Bounded, never trusted. */
export interface ProgramException {
  readonly name: string
  readonly message: string
  readonly stack: string
}

/** The same exception as the caller of `run` reads it. */
export interface DescribedException {
  readonly message: string
  readonly name?: string
  readonly stack?: string
  readonly line?: number
  readonly column?: number
}

/** One program with everything that it needs. */
export interface PreparedRun {
  /** What the engine executes; for TypeScript the compiled JavaScript body. */
  readonly source: string
  /** File name in stack traces. */
  readonly file: string
  readonly namespaces: readonly CheckedNamespace[]
  readonly limits: RunLimits
  readonly signal?: AbortSignal
  /** Called for each log line as it arrives. A throw is ignored. */
  readonly onLog?: (line: string, level: LogLevel) => void
  /** Fixes every source of randomness (contract J7). */
  readonly seed?: number
  /** Fixes the program's clock at its start, in milliseconds since the epoch (contract J7). */
  readonly now?: number
  /** Maps an exception to positions of the program as written. Default: `Name: message`, name and stack as they came. */
  readonly describeException?: (exception: ProgramException) => DescribedException
}
