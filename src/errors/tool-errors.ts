// The coded errors of a tool call. Each takes facts and builds its sentence.
import type { JsonObject } from '../json/json-value.ts'
import { HarnessError } from './harness-error.ts'
import { quoteName } from './names.ts'

/** Code of a call that was cancelled after its body started. */
export const TOOL_ABORTED = 'ABORTED'
/** Code of a call that was cancelled before its body started. */
export const TOOL_ABORTED_BEFORE_DISPATCH = 'ABORTED_BEFORE_DISPATCH'
/** Code of a call whose body outlived its `timeoutMs`. */
export const TOOL_TIMEOUT = 'TOOL_TIMEOUT'

/** One place where a value does not fit its schema. */
export interface Violation {
  /** Path from the checked root, such as `args.items[3].when`. */
  readonly path: string
  /** What is wrong there, as a sentence without the path: `must be an integer, got "ten"`. */
  readonly message: string
}

/** `path: message` lines of violations, one a line. */
export function formatViolations(violations: readonly Violation[]): string {
  return violations.map((violation) => `- ${violation.path} ${violation.message}`).join('\n')
}

/** Arguments that do not fit a tool's parameters (contract G2). Thrown before the body, so nothing was executed. */
export class ToolArgsError extends HarnessError {
  readonly toolName: string
  readonly violations: readonly Violation[]

  constructor(toolName: string, violations: readonly Violation[]) {
    super('INVALID_ARGS', `Invalid arguments for tool ${quoteName(toolName)}:\n${formatViolations(violations)}`)
    this.toolName = toolName
    this.violations = violations
  }

  /** True when a tool of this name refused its own arguments; one that passes another tool's refusal on has run. Never throws. */
  static refuses(thrown: unknown, toolName: string): boolean {
    if (!HarnessError.is(thrown)) return false
    try {
      return thrown.code === 'INVALID_ARGS' && (thrown as Partial<ToolArgsError>).toolName === toolName
    } catch {
      return false
    }
  }
}

/** A name that the caller cannot call (contract D14, F3). */
export class ToolNotFoundError extends HarnessError {
  constructor(toolName: string, remedy: string) {
    super('UNKNOWN_TOOL', `Unknown tool ${quoteName(toolName)}. ${remedy}`)
  }
}

/** A value that a tool's own output declaration refuses, or a renderer that failed (contract D7). */
export class ToolOutputError extends HarnessError {
  readonly violations: readonly Violation[]

  constructor(toolName: string, problem: string, violations: readonly Violation[] = []) {
    const list = violations.length === 0 ? '' : `\n${formatViolations(violations)}`
    super('INVALID_TOOL_OUTPUT', `Tool ${quoteName(toolName)} ${problem}${list}`)
    this.violations = violations
  }
}

/** A run_code program that did not complete (contract H8). `meta` carries the ledger and the usage (H10, H11). */
export class CodeRunFailedError extends HarnessError {
  readonly kind: string

  constructor(kind: string, message: string, options: { meta?: JsonObject } = {}) {
    super('CODE_RUN_FAILED', message, options)
    this.kind = kind
  }
}
