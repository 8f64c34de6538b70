// Exit codes of the command line (contract P1). Documented in docs/cli.md and printed by `--help`; never reused for another meaning.
import type { HarnessError } from '../errors/harness-error.ts'

/** What the process ends with. */
export const EXIT_CODES = {
  /** It did what was asked. */
  ok: 0,
  /** The program failed: a syntax error, an exception, a budget, a crash of its sandbox. */
  programFailed: 1,
  /** Bad usage or configuration: nothing was run. */
  usage: 2,
  /** A server or the host failed, not the program. */
  hostFailed: 3,
  /** Interrupted (SIGINT). */
  interrupted: 130,
  /** Terminated (SIGTERM, SIGHUP). */
  terminated: 143,
} as const

/** One of the documented codes. */
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES]

/** One line each, for `--help`. */
export const EXIT_CODE_HELP = [
  'Exit codes:',
  '    0  success',
  '    1  the program failed (exception, syntax error, timeout, memory, …)',
  '    2  bad usage or configuration; nothing was run',
  '    3  a server or the host failed',
  '  130  interrupted',
].join('\n')

const BY_ERROR_CODE = new Map<string, ExitCode>([
  ['CODE_RUN_FAILED', EXIT_CODES.programFailed],
  ['INVALID_ARGS', EXIT_CODES.usage],
  ['INVALID_CONFIG', EXIT_CODES.usage],
  ['MCP_CONFIG', EXIT_CODES.usage],
])

/** The exit code for the code of a {@link HarnessError}; without one, the host failed. */
export function exitCodeFor(code: HarnessError['code'] | undefined): ExitCode {
  return (code === undefined ? undefined : BY_ERROR_CODE.get(code)) ?? EXIT_CODES.hostFailed
}
