// The `mcpServers` configuration: the shape that MCP hosts share, read from a file or handed over by a program.
//   file ─▶ parseJsonText ─▶ parseMcpConfig ─▶ expandVariables ─▶ plugin.ts
// Called by the plugin (its `Config`), by `createCell` through it, and by the command line. Keys of other hosts that we do not know
// (`disabledTools`, `autoApprove`, …) are passed over, so that one file serves several hosts.

import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { describeUnreadable } from '../errors/describe-unreadable.ts'
import { HarnessError } from '../errors/harness-error.ts'
import { parseJsonText } from './json-text.ts'

/** Longest start budget: a Node timer beyond it fires after one millisecond. */
const MAX_TIMER_MS = 2 ** 31 - 1
const MAX_SERVER_NAME_LENGTH = 64

const text = z.string({ error: 'must be a string' })

const stdioServerSchema = z.object({
  /** Program to start; looked up on PATH. */
  command: z
    .string({ error: (issue) => (issue.input === undefined ? 'is missing' : 'must be a string') })
    .min(1, 'must not be empty'),
  /** Its arguments. Default none. */
  args: z.array(text, { error: 'must be a list of strings' }).default([]),
  /** Variables added to the few that a server inherits (PATH, HOME and their like). Default none. */
  env: z.record(z.string(), text, { error: 'must be an object of strings' }).default({}),
  /** Directory it starts in. Default: that of this process. */
  cwd: text.min(1, 'must not be empty').optional(),
  /** How long it may take to answer `initialize`, and each page of its tool list, in milliseconds. Default 30 000. */
  startTimeoutMs: z
    .int({ error: 'must be a whole number of milliseconds' })
    .positive('must be positive')
    .max(MAX_TIMER_MS, `must be at most ${MAX_TIMER_MS} (2^31-1)`)
    .default(30_000),
  /** `true` leaves the server out. Default `false`. */
  disabled: z.boolean({ error: 'must be true or false' }).default(false),
})

const mcpConfigSchema = z.object({
  mcpServers: z.record(z.string(), stdioServerSchema),
  /**
   * What a server that does not start does to the others at mount: `throw` (default) fails the plugin and stops them,
   * `warn` logs the error and goes on without it. A server that is lost later takes its own tools alone, either way.
   */
  onStartFailure: z.enum(['throw', 'warn'], { error: 'must be "throw" or "warn"' }).default('throw'),
})

/** One stdio server as it is given. */
export type McpServerInput = z.input<typeof stdioServerSchema>
/** One stdio server with defaults filled in. */
export type McpServerConfig = z.output<typeof stdioServerSchema>
/** The configuration as it is given: `{ mcpServers: { <name>: { command, args?, env?, cwd? } } }`. */
export type McpServersConfig = z.input<typeof mcpConfigSchema>
/** The configuration with defaults filled in. */
export type ResolvedMcpConfig = z.output<typeof mcpConfigSchema>

/**
 * Checks a configuration and fills in defaults.
 * @param source what the message calls it: a file name, or `the mcpServers option`.
 * @throws HarnessError `MCP_CONFIG` naming every place that is wrong.
 */
export function parseMcpConfig(input: unknown, source = 'the MCP configuration'): ResolvedMcpConfig {
  const problems = findFormProblems(input)
  if (problems.length > 0) throw refusal(source, problems)
  const parsed = mcpConfigSchema.safeParse(input)
  if (parsed.success) return parsed.data
  throw refusal(
    source,
    parsed.error.issues.map((issue) => `${pathOf(issue.path)} ${issue.message}`),
  )
}

/**
 * Reads and checks a configuration file. `${NAME}` and `${NAME:-default}` in commands, arguments, directories and
 * values of `env` are replaced from `variables` (default: this process's environment).
 * @throws HarnessError `MCP_CONFIG` naming the file and the place: line and column where it is no JSON, else the path.
 */
export async function loadMcpConfig(
  file: string,
  variables: Readonly<Record<string, string | undefined>> = process.env,
): Promise<ResolvedMcpConfig> {
  const parsed = parseJsonText(await readConfigFile(file))
  if (!parsed.ok) {
    const { line, column, problem } = parsed.error
    throw new HarnessError('MCP_CONFIG', `${file}:${line}:${column} is not JSON: ${problem}. Correct it and try again.`)
  }
  return expandVariables(parseMcpConfig(parsed.value, file), file, variables)
}

async function readConfigFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new HarnessError(
      'MCP_CONFIG',
      `The MCP configuration ${file} ${describeUnreadable(error)}. Name a JSON file with an "mcpServers" object.`,
      { cause: error },
    )
  }
}

/** Mistakes that deserve a sentence of their own, before the schema speaks. */
function findFormProblems(input: unknown): string[] {
  if (!isRecord(input)) return ['it must be an object with an "mcpServers" object in it']
  const servers = Object.getOwnPropertyDescriptor(input, 'mcpServers')?.value as unknown
  if (servers === undefined) {
    const keys = Object.keys(input).slice(0, 5).join(', ')
    return [`"mcpServers" is missing${keys === '' ? '' : ` (found: ${keys})`}`]
  }
  if (!isRecord(servers)) return ['mcpServers must be an object with one entry a server']
  const problems: string[] = []
  for (const [name, server] of Object.entries(servers)) {
    const place = pathOf(['mcpServers', name])
    // zod drops an own `__proto__` key without a word; a server that silently is not there would be worse.
    if (name.trim() === '' || name === '__proto__' || name.length > MAX_SERVER_NAME_LENGTH) {
      problems.push(`${place} is no usable server name: give it 1 to ${MAX_SERVER_NAME_LENGTH} characters`)
    } else if (isRecord(server) && 'url' in server && !('command' in server)) {
      problems.push(`${place} has a "url": only servers that are started by a "command" (stdio) are supported so far`)
    } else if (!isRecord(server)) {
      problems.push(`${place} must be an object with a "command"`)
    }
  }
  return problems
}

function refusal(source: string, problems: readonly string[]): HarnessError {
  const list = problems.map((problem) => `- ${problem}`).join('\n')
  const shape = '{ "mcpServers": { "<name>": { "command": "…", "args": ["…"], "env": {}, "cwd": "…" } } }'
  return new HarnessError('MCP_CONFIG', `${source} is refused:\n${list}\nExpected: ${shape}`)
}

/** `mcpServers.files.args[1]`; a name that is no identifier is quoted. */
function pathOf(path: readonly PropertyKey[]): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else if (/^[A-Za-z_$][\w$]*$/.test(String(step))) text += text === '' ? String(step) : `.${String(step)}`
    else text += `[${JSON.stringify(String(step))}]`
  }
  return text
}

function expandVariables(
  config: ResolvedMcpConfig,
  file: string,
  variables: Readonly<Record<string, string | undefined>>,
): ResolvedMcpConfig {
  const missing: string[] = []
  const expand = (value: string, path: readonly PropertyKey[]): string =>
    value.replace(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (_match, name: string, fallback: string | undefined) => {
      const found = Object.hasOwn(variables, name) ? variables[name] : undefined
      const replacement = found === undefined || found === '' ? (fallback ?? found) : found
      if (replacement === undefined)
        missing.push(`${pathOf(path)} needs the environment variable ${name}, which is not set`)
      return replacement ?? ''
    })
  const mcpServers: Record<string, McpServerConfig> = {}
  for (const [name, server] of Object.entries(config.mcpServers)) {
    const at = ['mcpServers', name]
    mcpServers[name] = {
      ...server,
      command: expand(server.command, [...at, 'command']),
      args: server.args.map((arg, index) => expand(arg, [...at, 'args', index])),
      env: Object.fromEntries(
        Object.entries(server.env).map(([key, value]) => [key, expand(value, [...at, 'env', key])]),
      ),
      ...(server.cwd === undefined ? {} : { cwd: expand(server.cwd, [...at, 'cwd']) }),
    }
  }
  if (missing.length > 0) throw refusal(file, missing)
  return { ...config, mcpServers }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
