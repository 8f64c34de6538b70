// A server process and the pipes to it, as a transport of the SDK's client. In place of the SDK's own one, which is quadratic in the
// length of a message, drops answers that it cannot parse, and on `close` reaches only the process that it started: behind
// `npx` the server itself would stay. Owned by connection.ts.
//
// The connection lasts as long as the server's stdout, whatever becomes of the first process of its group.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { getDefaultEnvironment } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { LineBuffer } from './line-buffer.ts'
import { readMessages } from './messages.ts'

/** How long a server may take to end after its input was closed, and again after it was told to terminate. */
const END_GRACE_MS = 2_000
/** How long the exit code may come after the end of the output. */
const EXIT_CODE_GRACE_MS = 250
/** How long what a server left behind may take to end after it was told to terminate. */
const LEFTOVER_GRACE_MS = 500
// A process group of its own: a Ctrl-C at the terminal is ours to act on, and `close` reaches what the server started.
// Windows has no groups, and opens a console window for a detached process.
const HAS_GROUPS = process.platform !== 'win32'

/** What is started. */
export interface StdioTransportOptions {
  readonly command: string
  readonly args: readonly string[]
  /** Added to the few variables that every server inherits. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string | undefined
  /** Largest message, in bytes; one beyond it ends the connection. */
  readonly maxMessageBytes: number
  /** Called with what it writes to stderr. */
  onStderr(text: string): void
}

type ServerProcess = ChildProcessByStdio<Writable, Readable, Readable>

/** Speaks with a process over its stdin and stdout, a message a line. */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #options: StdioTransportOptions
  readonly #lines: LineBuffer
  readonly #exited = Promise.withResolvers<string>()
  readonly #closed = Promise.withResolvers<void>()
  #child: ServerProcess | undefined
  #closing: Promise<void> | undefined

  constructor(options: StdioTransportOptions) {
    this.#options = options
    this.#lines = new LineBuffer(options.maxMessageBytes)
  }

  /** Starts the process. Rejects with Node's error when it cannot be started. */
  start(): Promise<void> {
    const { command, args, env, cwd } = this.#options
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const child = spawn(command, args, {
      env: { ...getDefaultEnvironment(), ...env },
      cwd,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: HAS_GROUPS,
      windowsHide: true,
    })
    child.on('error', (error) => {
      this.#exited.resolve('was never started')
      reject(error)
    })
    child.on('spawn', () => {
      this.#child = child
      resolve()
    })
    child.on('exit', (code, signal) => {
      this.#exited.resolve(code === null ? `was killed by ${signal}` : `ended with exit code ${code}`)
    })
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk))
    child.stdout.on('close', () => {
      this.#closed.resolve()
      this.onclose?.()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => this.#options.onStderr(text))
    // A pipe that breaks is the end of the server, which its stdout tells.
    for (const pipe of child.stdio) pipe?.on('error', (error) => this.onerror?.(error))
    return promise
  }

  /** Writes a message; resolves when it is on its way. */
  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin
    if (stdin === undefined || !stdin.writable)
      return Promise.reject(new Error('the server takes no messages any more'))
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()))
    return promise
  }

  /** `ended with exit code 3`, `was killed by SIGKILL`; `undefined` while it runs. Waits a moment for the news. */
  howItEnded(): Promise<string | undefined> {
    return Promise.race([this.#exited.promise, delay(EXIT_CODE_GRACE_MS, undefined, { ref: false })])
  }

  /** Ends the process: closes its input, then terminates, then kills; what it left in its group as well. Idempotent. */
  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  async #end(): Promise<void> {
    const child = this.#child
    if (child === undefined) return
    child.stdin.end()
    const endsAlone = await this.#exitsInTime()
    const anyoneLeft = this.#signal(child, 'SIGTERM')
    if (!endsAlone) await this.#exitsInTime()
    // The first process is gone and the server behind it is not: that happens behind `npx`.
    else if (anyoneLeft) await delay(LEFTOVER_GRACE_MS)
    this.#signal(child, 'SIGKILL')
    await this.#exited.promise
    // The output closes when the last of the group is gone, or never: somebody outside the group may hold it.
    await Promise.race([this.#closed.promise, delay(LEFTOVER_GRACE_MS)])
    child.stdout.destroy()
    child.stderr.destroy()
  }

  async #exitsInTime(): Promise<boolean> {
    return (await Promise.race([this.#exited.promise, delay(END_GRACE_MS, undefined, { ref: false })])) !== undefined
  }

  /** Says whether there was anyone to signal. */
  #signal(child: ServerProcess, signal: NodeJS.Signals): boolean {
    if (child.pid === undefined) return false
    try {
      return HAS_GROUPS ? process.kill(-child.pid, signal) : child.kill(signal)
    } catch {
      return false
    }
  }

  #read(chunk: Buffer): void {
    try {
      for (const line of this.#lines.push(chunk)) if (line.trim() !== '') this.#deliver(line)
    } catch (error) {
      this.onerror?.(error as Error)
      this.#child?.stdout.removeAllListeners('data').resume()
      void this.close()
    }
  }

  /** Noise between messages is reported and passed over; a handler that throws must not end up in the stream's callback. */
  #deliver(line: string): void {
    try {
      for (const message of readMessages(line)) this.onmessage?.(message)
    } catch (error) {
      this.onerror?.(error as Error)
    }
  }
}
