// `runcell run`: one program against the configured servers.
//   file ─▶ readProgram     mcp.json ─▶ loadMcpConfig ─▶ createCell ─▶ cell.run ─▶ output, trace, exit code

import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { onAbort } from '../../async/signals.ts'
import { describeUnreadable } from '../../errors/describe-unreadable.ts'
import { HarnessError } from '../../errors/harness-error.ts'
import { TOOL_ABORTED_BEFORE_DISPATCH } from '../../errors/tool-errors.ts'
import type { JsonObject, JsonValue } from '../../json/json-value.ts'
import { loadMcpConfig, type McpServersConfig } from '../../mcp/config.ts'
import { mcpServers } from '../../mcp/plugin.ts'
import { type Cell, createCell } from '../../presets/create-cell.ts'
import type { ToolExecutionResult } from '../../tools/result.ts'
import { EXIT_CODES, type ExitCode, exitCodeFor } from '../exit-codes.ts'
import { failureOf, failureToJson, type Output } from '../output.ts'
import { formatTrace } from '../trace.ts'

/** Options of the command, as commander gives them. */
export interface RunCommandOptions {
  readonly mcp?: string
  readonly json?: boolean
  readonly trace?: boolean
  readonly timeoutMs?: number
  readonly computeMs?: number
  readonly memoryMb?: number
}

/** What the command works with. */
export interface RunCommandContext {
  readonly output: Output
  readonly stdin: NodeJS.ReadableStream
  /** Aborts the run; servers and sandboxes are ended all the same. */
  readonly signal: AbortSignal
}

const INTERRUPTED_START_GRACE_MS = 5_000
/** Cordis lets an exporter choose a threshold; its default one stops warnings and lets infos pass. */
const LOG_LEVEL_OF_WARNINGS = 2
const TYPESCRIPT_ENDINGS = new Set(['.ts', '.mts', '.js', '.mjs'])

/** Runs the program in `file` (`-`: standard input) and says how it ended. Never throws. */
export async function runCommand(
  file: string,
  options: RunCommandOptions,
  context: RunCommandContext,
): Promise<ExitCode> {
  const { output } = context
  try {
    const program = await unlessAborted(readProgram(file, context.stdin), context.signal)
    const config = options.mcp === undefined ? undefined : await loadMcpConfig(options.mcp)
    await using cell = await openCell(options, config, context)
    const logs: string[] = []
    const result = await cell.run(program, {
      description: file === '-' ? 'program from standard input' : `program ${file}`,
      signal: context.signal,
      onLog(line, level) {
        logs.push(line)
        output.log(line, level)
      },
    })
    if (options.trace) output.note(formatTrace(result.meta))
    return report(result, logs, options, output)
  } catch (error) {
    const failure = failureOf(error)
    if (options.json) output.json({ ok: false, error: failureToJson(failure), logs: [], usage: null, calls: [] })
    output.failure(failure)
    return exitCodeFor(failure.code)
  }
}

/** A cell with the servers, or the reason why there is none; then nothing of it is left. */
async function openCell(
  { timeoutMs, computeMs, memoryMb }: RunCommandOptions,
  servers: McpServersConfig | undefined,
  { output, signal }: RunCommandContext,
): Promise<Cell> {
  const cell = await createCell({
    limits: {
      ...(timeoutMs !== undefined && { maxWallMs: timeoutMs }),
      ...(computeMs !== undefined && { computeMs }),
      ...(memoryMb !== undefined && { memoryMb }),
    },
  })
  try {
    // Warnings are shown from the start on, which is why the servers are mounted here. Errors of the start are thrown.
    let isUp = false
    cell.ctx.logger.exporter({
      levels: { default: LOG_LEVEL_OF_WARNINGS },
      export({ type, args }) {
        if (type === 'warn' || (type === 'error' && isUp))
          output.note(`${type === 'warn' ? 'warning' : type}: ${logText(args)}`)
      },
    })
    if (servers !== undefined) await unlessAborted(cell.ctx.plugin(mcpServers, servers), signal)
    isUp = true
    return cell
  } catch (error) {
    // An interrupted start goes on inside until its servers have answered or not; that is not waited for.
    const patience = signal.aborted ? INTERRUPTED_START_GRACE_MS : undefined
    await Promise.race([cell.close(), ...(patience === undefined ? [] : [delay(patience, undefined, { ref: false })])])
    throw error
  }
}

/** What a logger was given, as text: a message behind its `%s`, or an error's message. */
function logText(args: readonly unknown[]): string {
  return args
    .filter((arg) => arg !== '%s')
    .map((arg) => (arg instanceof Error ? arg.message : String(arg)))
    .join(' ')
}

/** Rejects as soon as the signal aborts; the promise goes on by itself. */
async function unlessAborted<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const release = onAbort(signal, () =>
    reject(new HarnessError(TOOL_ABORTED_BEFORE_DISPATCH, 'Interrupted before the program started.')),
  )
  try {
    return await Promise.race([promise, aborted])
  } finally {
    release()
  }
}

async function readProgram(file: string, stdin: NodeJS.ReadableStream): Promise<string> {
  const program = file === '-' ? await readAll(stdin) : await readProgramFile(file)
  if (program.trim() !== '') return program
  const what = file === '-' ? 'Standard input' : `The program file ${file}`
  throw new HarnessError('INVALID_CONFIG', `${what} is empty. A program is the body of an async function: return 6 * 7`)
}

async function readProgramFile(file: string): Promise<string> {
  const ending = extname(file)
  if (ending === '.py') {
    throw new HarnessError('INVALID_CONFIG', `${file} is a Python program; this version runs TypeScript only.`)
  }
  const program = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new HarnessError(
      'INVALID_CONFIG',
      `The program file ${file} ${describeUnreadable(error)}. Name a TypeScript file, or - for standard input.`,
    )
  })
  if (TYPESCRIPT_ENDINGS.has(ending)) return program
  const endings = [...TYPESCRIPT_ENDINGS].join(', ')
  throw new HarnessError('INVALID_CONFIG', `The language of ${file} is not known: its name must end in ${endings}.`)
}

function report(
  result: ToolExecutionResult,
  logs: readonly string[],
  options: RunCommandOptions,
  output: Output,
): ExitCode {
  const { usage = null, calls = [], failure: cause } = (result.meta ?? {}) as JsonObject
  if (!result.isError) {
    const { result: value } = result.value as { readonly result?: JsonValue }
    if (options.json) output.json({ ok: true, ...(value !== undefined && { result: value }), logs, usage, calls })
    else output.result(value)
    return EXIT_CODES.ok
  }
  const { message, info } = result.error
  const failure = { message, ...(info !== undefined && { code: info.code }) }
  if (options.json) output.json({ ok: false, error: failureToJson(failure, kindOf(cause)), logs, usage, calls })
  output.failure({ ...failure, message: withoutEchoedLogs(message, logs) })
  return exitCodeFor(failure.code)
}

/** A failure repeats the log lines for a model; here they stand on stderr already. */
function withoutEchoedLogs(message: string, logs: readonly string[]): string {
  return message.replace(`\nOutput before the failure:\n${logs.join('\n')}\n`, () => '')
}

/** The kind of a run's failure, from the `meta` that code mode leaves. */
function kindOf(cause: JsonValue | undefined): string | undefined {
  const kind = (cause as { readonly kind?: JsonValue } | undefined)?.kind
  return typeof kind === 'string' ? kind : undefined
}
