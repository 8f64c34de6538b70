// One connection to one stdio server: start, list, call, lose, close. It knows the protocol and nothing of the registry.
// Created by plugin.ts, one a fiber. Requests go out raw, with schemas that accept almost anything: `listTools()` and
// `callTool()` of the SDK's client throw for a whole server on one bad schema, and run foreign patterns on the native engine.
//
//   starting ──▶ ready ──▶ lost      (the process ended by itself)
//       └──────────┴─────▶ closed    (we ended it)
import { existsSync, statSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ErrorCode, McpError, ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { onAbort } from '../async/signals.ts'
import { clip } from '../errors/describe-thrown.ts'
import { HarnessError } from '../errors/harness-error.ts'
import { TOOL_ABORTED } from '../errors/tool-errors.ts'
import type { JsonObject } from '../json/json-value.ts'
import type { McpServerConfig } from './config.ts'
import { StderrTail, withoutControls } from './stderr-tail.ts'
import { StdioTransport } from './stdio-transport.ts'

/** Largest single message of a server, in bytes; one beyond it ends the connection. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024
/** Bounds of one listing: a server that lies about its pages harms itself alone. */
export const MAX_LIST_PAGES = 200
export const MAX_LISTED_TOOLS = 5_000

const MAX_TIMER_MS = 2 ** 31 - 1
const MAX_COMMAND_CHARS = 400
const MAX_PROBLEM_CHARS = 2_000
const MAX_NOISE_CHARS = 300

const listPageSchema = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.unknown().optional() })
const anyResultSchema = z.unknown()

/** What a listing found. `warnings` says what was left out, and why. */
export interface ToolListing {
  readonly tools: readonly unknown[]
  readonly warnings: readonly string[]
}

/** What the owner of a connection hears. */
export interface ConnectionListener {
  /** The server says that its tools changed. */
  onToolsChanged(): void
  /** The process ended without being asked to; called once, never before {@link McpConnection.start} resolved. */
  onLost(error: HarnessError): void
}

/** A server process and the client that speaks with it. */
export class McpConnection {
  readonly server: string
  readonly #config: McpServerConfig
  readonly #listener: ConnectionListener
  readonly #transport: StdioTransport
  readonly #client: Client
  readonly #stderr = new StderrTail()
  #state: 'starting' | 'ready' | 'lost' | 'closed' = 'starting'
  /** What it wrote between its messages. */
  #noise: string | undefined
  /** Why it was ended, when a message of it was too large. */
  #oversize: string | undefined

  /** @param version told to the server as this client's version. */
  constructor(server: string, config: McpServerConfig, listener: ConnectionListener, version: string) {
    this.server = server
    this.#config = config
    this.#listener = listener
    const { command, args, env, cwd } = config
    this.#transport = new StdioTransport({
      command,
      args,
      env,
      cwd,
      maxMessageBytes: MAX_MESSAGE_BYTES,
      onStderr: (text) => this.#stderr.append(text),
    })
    this.#client = new Client({ name: 'runcell', version }, { capabilities: {} })
  }

  /** True from the end of {@link start} until the connection is lost or closed. */
  get isReady(): boolean {
    return this.#state === 'ready'
  }

  /**
   * Starts the process and shakes hands.
   * @throws HarnessError `MCP_SERVER` with the command, the reason and what the server wrote to stderr; the process is gone then.
   */
  async start(): Promise<void> {
    const { cwd, startTimeoutMs } = this.#config
    // A missing directory makes spawn report ENOENT for the command, which would send people looking for the wrong thing.
    if (cwd !== undefined && !(existsSync(cwd) && statSync(cwd).isDirectory())) {
      this.#state = 'closed'
      throw this.#failure(`did not start: its directory "${cwd}" does not exist`)
    }
    this.#client.onerror = (error) => this.#noteProtocolError(error)
    this.#client.onclose = () => this.#onClose()
    this.#client.setNotificationHandler(ToolListChangedNotificationSchema, () => this.#listener.onToolsChanged())
    try {
      await this.#client.connect(this.#transport, { timeout: startTimeoutMs })
    } catch (error) {
      const problem = await this.#startProblem(error)
      await this.close()
      throw this.#failure(`did not start: ${problem}`, error)
    }
    this.#state = 'ready'
  }

  /** All pages of `tools/list`, within bounds. A server without tools gives none. Throws `MCP_SERVER`. */
  async listTools(): Promise<ToolListing> {
    const tools: unknown[] = []
    const warnings: string[] = []
    const seen = new Set<string>()
    let cursor: string | undefined
    for (let page = 1; ; page += 1) {
      const answer = await this.#listPage(cursor)
      const room = MAX_LISTED_TOOLS - tools.length
      tools.push(...answer.tools.slice(0, room))
      cursor = typeof answer.nextCursor === 'string' && answer.nextCursor !== '' ? answer.nextCursor : undefined
      let stop: string | undefined
      if (answer.tools.length > room) stop = `it has more than ${MAX_LISTED_TOOLS} tools`
      else if (cursor === undefined) return { tools, warnings }
      else if (seen.has(cursor)) stop = 'it gives the same page again'
      else if (page >= MAX_LIST_PAGES) stop = `it has more than ${MAX_LIST_PAGES} pages`
      if (stop !== undefined || cursor === undefined) {
        warnings.push(`MCP server "${this.server}": its list of tools was read up to ${tools.length}: ${stop}.`)
        return { tools, warnings }
      }
      seen.add(cursor)
    }
  }

  /**
   * Calls a tool by the server's own name and gives its raw answer. Aborting the signal tells the server and rejects.
   * @throws HarnessError `MCP_TOOL` for a protocol error, `MCP_SERVER` when the connection is lost, `ABORTED`.
   */
  async callTool(tool: string, args: JsonObject, signal: AbortSignal): Promise<unknown> {
    // The SDK never takes its listener off the signal it is given, so each request gets one of its own.
    const cancellation = new AbortController()
    const release = onAbort(signal, (reason) => cancellation.abort(reason))
    try {
      return await this.#client.request(
        { method: 'tools/call', params: { name: tool, arguments: args } },
        anyResultSchema,
        {
          signal: cancellation.signal,
          timeout: MAX_TIMER_MS,
        },
      )
    } catch (error) {
      throw await this.#callFailure(tool, error, signal.aborted)
    } finally {
      release()
    }
  }

  /** Ends the process: closes its input, then terminates, then kills. Idempotent; never rejects. */
  async close(): Promise<void> {
    this.#state = 'closed'
    await this.#client.close().catch(() => {})
    // The client lets go of its transport when the connection is lost; the process may still be there.
    await this.#transport.close()
  }

  async #listPage(cursor: string | undefined): Promise<z.output<typeof listPageSchema>> {
    try {
      return await this.#client.request(
        { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
        listPageSchema,
        { timeout: this.#config.startTimeoutMs },
      )
    } catch (error) {
      if (error instanceof McpError && error.code === ErrorCode.MethodNotFound) return { tools: [] }
      await nextTurn()
      throw this.#failure(
        `did not list its tools: ${error instanceof McpError ? problemOf(error) : 'its answer is no list'}`,
        error,
      )
    }
  }

  /** What a program and a model read, so without the command line and the server's stderr: both may hold secrets. */
  async #callFailure(tool: string, error: unknown, isAborted: boolean): Promise<HarnessError> {
    const server = `MCP server "${this.server}"`
    if (isAborted) {
      const message = `The call of "${tool}" was cancelled and ${server} was told; it may have acted already.`
      return new HarnessError(TOOL_ABORTED, message)
    }
    if (this.#state === 'ready') {
      return new HarnessError('MCP_TOOL', `${server}, tool "${tool}": ${problemOf(error)}`, { cause: error })
    }
    const ending = this.#oversize ?? `its process ${await this.#howItEnded()}`
    const message = `${server} was lost during a call of "${tool}", which may have had effects: ${ending}.`
    return new HarnessError('MCP_SERVER', message, { cause: error })
  }

  async #howItEnded(): Promise<string> {
    return (await this.#transport.howItEnded()) ?? 'closed its output'
  }

  /** The transport reports what is no message and goes on; it is the usual reason why a handshake never ends. */
  #noteProtocolError(error: Error): void {
    if (error instanceof SyntaxError) {
      this.#noise ??= `its stdout is not clean JSON-RPC: ${clip(withoutControls(error.message), MAX_NOISE_CHARS)}`
    } else if (error instanceof RangeError) {
      this.#oversize ??= error.message
    }
  }

  #onClose(): void {
    if (this.#state !== 'ready') return
    this.#state = 'lost'
    void this.#reportLoss()
  }

  async #reportLoss(): Promise<void> {
    // What it wrote last may still be on its way through the pipe; what it started may still be there.
    this.#listener.onLost(this.#failure(`${await this.#howItEnded()} without being asked to; its tools are gone`))
    await this.#transport.close()
  }

  async #startProblem(error: unknown): Promise<string> {
    const code = (error as NodeJS.ErrnoException).code
    const { command, startTimeoutMs } = this.#config
    if (code === 'ENOENT') return `the command "${command}" was not found`
    if (code === 'EACCES') return `the command "${command}" may not be executed`
    if (!(error instanceof McpError)) return problemOf(error)
    if (error.code === ErrorCode.RequestTimeout)
      return `it did not answer within ${startTimeoutMs} ms (startTimeoutMs); it gets only a few variables of the environment, so one that it needs, for a proxy or a certificate say, must stand in its \`env\``
    if (error.code !== ErrorCode.ConnectionClosed) return problemOf(error)
    return `its process ${await this.#howItEnded()} before it had answered`
  }

  /** What an operator reads. */
  #failure(what: string, cause?: unknown): HarnessError {
    const { command, args, cwd } = this.#config
    const line = clip([command, ...args].map(quoteWord).join(' '), MAX_COMMAND_CHARS)
    const said = this.#stderr.lines()
    const parts = [
      `MCP server "${this.server}" ${what}.`,
      `Command: ${line}${cwd === undefined ? '' : ` (in ${cwd})`}`,
      said.length === 0
        ? 'It wrote nothing to stderr.'
        : `It wrote to stderr:\n${said.map((each) => `  ${each}`).join('\n')}`,
    ]
    for (const also of [this.#oversize, this.#noise]) if (also !== undefined) parts.push(`Also: ${also}`)
    parts.push('Run the command by hand to see what it needs.')
    return new HarnessError('MCP_SERVER', parts.join('\n'), cause === undefined ? {} : { cause })
  }
}

function problemOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return clip(withoutControls(message), MAX_PROBLEM_CHARS)
}

function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)
}
