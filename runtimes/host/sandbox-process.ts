// A sandbox in a process of its own: spawns it, cuts its pipe into checked messages, measures it, kills it.
// Who may talk to it, and when, is the business of pool.ts and session.ts. What arrives is untrusted (contract K3): the first
// byte that breaks the protocol kills the process, and nothing after it is read.
import { type ChildProcess, spawn } from 'node:child_process'
import type { Socket } from 'node:net'
import { MAX_SANDBOX_HEAD_BYTES } from '../wire/caps.ts'
import { readSandboxMessage } from '../wire/check.ts'
import { encodeMessage } from '../wire/encode.ts'
import { FrameDecoder, WireError } from '../wire/frames.ts'
import type { HostMessage, SandboxMessage } from '../wire/messages.ts'
import { WIRE_VERSION } from '../wire/version.ts'
import type { LaunchCommand } from './launch.ts'
import { descend, ProcessProbe } from './process-probe.ts'
import type { Sandbox, SandboxExit, SandboxListener } from './sandbox.ts'
import { fatalLine, StderrTail } from './stderr-tail.ts'

/** A process that has not said `ready` by then is given up. */
const START_TIMEOUT_MS = 30_000
/** After the process is gone, its pipes normally close at once; after SIGKILL, the process is normally gone at once. */
const CLOSE_TIMEOUT_MS = 5_000

/** See the head of this file. */
export class SandboxProcess implements Sandbox {
  readonly isolation = 'process'
  readonly ready: Promise<void>
  readonly exited: Promise<SandboxExit>
  readonly #child: ChildProcess
  /** Absent when the process could not be spawned for want of file descriptors. */
  readonly #pipe: Socket | undefined
  readonly #stderr = new StderrTail()
  readonly #decoder = new FrameDecoder(MAX_SANDBOX_HEAD_BYTES)
  readonly #launched: boolean
  readonly #startTimer: NodeJS.Timeout
  #exitTimer: NodeJS.Timeout | undefined
  #probe: ProcessProbe | undefined
  #worker: number | undefined
  #listener: SandboxListener | undefined
  #started = false
  #dead = false
  #gone = false
  #spawnError: Error | undefined
  #becomeReady!: () => void
  #failToStart!: (error: Error) => void
  #leave!: (exit: SandboxExit) => void

  constructor(command: LaunchCommand) {
    this.ready = new Promise((resolve, reject) => {
      this.#becomeReady = resolve
      this.#failToStart = reject
    })
    this.ready.catch(() => {}) // Whoever does not ask is not told; the exit says it too.
    this.exited = new Promise((resolve) => {
      this.#leave = resolve
    })
    this.#launched = command.launched
    this.#child = spawn(command.file, command.args, {
      env: command.env,
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      windowsHide: true,
    })
    this.#worker = this.#child.pid
    this.#pipe = (this.#child.stdio as ChildProcess['stdio'] | undefined)?.[3] as Socket | undefined
    this.#startTimer = setTimeout(() => this.#giveUp('did not become ready in time'), START_TIMEOUT_MS)
    this.#observe()
  }

  get pid(): number | undefined {
    return this.#worker
  }

  get dead(): boolean {
    return this.#dead
  }

  listen(listener: SandboxListener | undefined): void {
    this.#listener = listener
  }

  send(message: HostMessage): void {
    if (this.#dead) return
    this.#pipe?.write(encodeMessage(message))
  }

  kill(): Promise<SandboxExit> {
    this.#dead = true
    this.#signal()
    if (!this.#gone) this.setRef(true) // Whoever waits for the exit must not find the event loop empty first.
    return this.exited
  }

  cpuMs(): number | undefined {
    return this.#probe?.cpuMs()
  }

  residentBytes(): number | undefined {
    return this.#probe?.residentBytes()
  }

  setRef(ref: boolean): void {
    const stderr = this.#child.stderr as Socket | null | undefined
    for (const handle of [this.#child, this.#pipe, stderr, this.#startTimer]) {
      if (ref) handle?.ref()
      else handle?.unref()
    }
  }

  #observe(): void {
    const child = this.#child
    child.on('error', (error) => {
      this.#spawnError = error
      if (child.pid === undefined) this.#left(null, null)
    })
    // `exit` may come before the last bytes were read; `close` comes after them, unless something else holds the pipes.
    child.on('exit', (code, signal) => {
      this.#leaveBy(code, signal)
    })
    child.on('close', (code, signal) => this.#left(code, signal))
    child.stderr?.on('data', (chunk: Buffer) => this.#stderr.push(chunk))
    child.stderr?.on('error', () => {})
    this.#pipe?.on('data', (chunk: Buffer) => this.#read(chunk))
    this.#pipe?.on('error', () => {}) // A pipe breaks when its process dies; `close` tells how.
  }

  #read(chunk: Buffer): void {
    this.#decoder.push(chunk)
    while (!this.#dead) {
      const message = this.#next()
      if (message === undefined) return
      this.#take(message)
    }
  }

  #next(): SandboxMessage | undefined {
    try {
      const frame = this.#decoder.next()
      return frame === undefined ? undefined : readSandboxMessage(frame)
    } catch (error) {
      this.#break(error instanceof WireError ? error.message : 'a message could not be read')
      return undefined
    }
  }

  #take(message: SandboxMessage): void {
    if (!this.#started) this.#firstMessage(message)
    else if (message.type === 'ready') this.#break('it said ready twice')
    else if (this.#listener === undefined) this.#break('it spoke while no program ran')
    else this.#listener.onMessage(message)
  }

  #firstMessage(message: SandboxMessage): void {
    if (message.type !== 'ready') {
      this.#giveUp('spoke before it was ready')
      return
    }
    if (message.version !== WIRE_VERSION) {
      this.#giveUp(`speaks version ${message.version} of the protocol, not ${WIRE_VERSION}`)
      return
    }
    this.#started = true
    clearTimeout(this.#startTimer)
    if (this.#launched && this.#worker !== undefined) this.#worker = descend(this.#worker)
    if (this.#worker !== undefined) this.#probe = new ProcessProbe(this.#worker)
    this.#becomeReady()
  }

  #break(rule: string): void {
    if (!this.#started) {
      this.#giveUp(`broke protocol: ${rule}`)
      return
    }
    void this.kill()
    this.#listener?.onBroken(rule)
  }

  #giveUp(problem: string): void {
    this.#failToStart(new Error(`The sandbox process ${problem}.`))
    void this.kill()
  }

  #signal(): void {
    if (this.#gone) return
    // A launcher's death need not end what it launched.
    if (this.#launched && this.#worker !== undefined && this.#worker !== this.#child.pid) killQuietly(this.#worker)
    this.#child.kill('SIGKILL')
    this.#leaveBy(null, 'SIGKILL')
  }

  /** Counts the process as gone after a while, whatever the kernel or a launcher does with it. */
  #leaveBy(code: number | null, signal: string | null): void {
    clearTimeout(this.#exitTimer)
    this.#exitTimer = setTimeout(() => this.#left(code, signal), CLOSE_TIMEOUT_MS)
  }

  #left(code: number | null, signal: string | null): void {
    if (this.#gone) return
    this.#gone = true
    this.#dead = true
    clearTimeout(this.#startTimer)
    clearTimeout(this.#exitTimer)
    this.#probe?.close()
    this.#pipe?.destroy()
    const exit = { code, signal, stderr: this.#spawnError?.message ?? this.#stderr.text() }
    this.#failToStart(new Error(startProblem(exit)))
    this.#leave(exit)
    this.#listener?.onExit(exit)
  }
}

function startProblem(exit: SandboxExit): string {
  const how = exit.signal === null ? `exited with code ${exit.code}` : `was killed by ${exit.signal}`
  if (exit.code === null && exit.signal === null) return `The sandbox process could not be spawned: ${exit.stderr}`
  return `The sandbox process ${how} before it was ready${exit.stderr === '' ? '' : `: ${fatalLine(exit.stderr) ?? ''}`}`
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already.
  }
}
