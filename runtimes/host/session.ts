// One run, from its start message to its one outcome: an explicit state machine with a method for each thing that can
// happen. It believes nothing that the sandbox says beyond its shape (contract K3): run ids, numbers, indexes and turns out
// of order end the run. Kinds of failure follow what the host saw first (contract J2).
//
//   ready ── start() ──▶ computing ── turn ──▶ resting ── answers, timers ──▶ computing ── turn with an end ──▶ done
//                            └──── budget, abort, junk, death, stall: kill the sandbox ────────────────────▶ done
//
// sandbox-host.ts makes one and decides by `reusable` what becomes of the sandbox.
import { describeThrown } from '../../src/errors/describe-thrown.ts'
import type { CheckedMember } from '../../src/runtime/bindings.ts'
import type { CodeRunError, CodeRunResult, RunUsage } from '../../src/runtime/code-runtime.ts'
import { WireError } from '../wire/frames.ts'
import type {
  FatalMessage,
  HostMessage,
  LogMessage,
  SandboxMessage,
  TurnMessage,
  WireCall,
  WireEnd,
} from '../wire/messages.ts'
import { callBinding, refusedCall } from './binding-call.ts'
import { CallLedger } from './call-ledger.ts'
import { type Ending, endingOf } from './endings.ts'
import * as failures from './failures.ts'
import { Outbox } from './outbox.ts'
import { OutputMeter } from './output-meter.ts'
import type { PreparedRun } from './prepared-run.ts'
import type { Sandbox, SandboxExit, SandboxListener } from './sandbox.ts'
import { type Spent, Watchdog } from './watchdog.ts'

/** The outcome of a run, and whether its sandbox ended it cleanly (contract K10). */
export interface SessionOutcome {
  readonly result: CodeRunResult
  readonly reusable: boolean
}

/** Facts about a run that its program does not decide. */
export interface SessionOptions {
  /** Number of the run; every message carries it. */
  readonly id: number
  readonly queuedMs: number
}

type State = 'ready' | 'computing' | 'resting' | 'done'

/** See the head of this file. */
export class Session implements SandboxListener {
  readonly outcome: Promise<SessionOutcome>
  readonly #run: PreparedRun
  readonly #options: SessionOptions
  readonly #sandbox: Sandbox
  readonly #ledger: CallLedger
  readonly #meter: OutputMeter
  readonly #outbox = new Outbox(() => this.#flush())
  readonly #logs: string[] = []
  #watchdog: Watchdog | undefined
  #state: State = 'ready'
  #flushing = false
  #bytesIn = 0
  #bytesOut = 0
  readonly #refuseResult = (bytes: number): string | undefined => this.#ledger.refuseResult(bytes)
  #settle!: (outcome: SessionOutcome) => void

  constructor(run: PreparedRun, sandbox: Sandbox, options: SessionOptions) {
    this.#run = run
    this.#sandbox = sandbox
    this.#options = options
    this.#ledger = new CallLedger(run.namespaces, run.limits)
    this.#meter = new OutputMeter(run.limits.maxOutputBytes)
    this.outcome = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  /** Starts the program. */
  start(): void {
    const { source, file, namespaces, limits, seed = null, now = null } = this.#run
    this.#sandbox.listen(this)
    this.#watchdog = new Watchdog(limits, this.#sandbox, (spent) => this.#onSpent(spent))
    this.#bytesIn += Buffer.byteLength(source)
    this.#enter((entryTimeoutMs) => ({
      type: 'start',
      run: this.#options.id,
      source,
      file,
      namespaces: namespaces.map(({ global, members, errorClass }) => ({
        global,
        members: members.map(({ name }) => name),
        ...(errorClass && { errorClass }),
      })),
      memoryMb: limits.memoryMb,
      entryTimeoutMs,
      seed,
      now,
    }))
  }

  /** Stops the run hard (contract K5). `why` is the message of its outcome. */
  abort(why: string): void {
    this.#fail(failures.aborted(why))
  }

  onMessage(message: SandboxMessage): void {
    if (this.#isOver()) return
    if (message.type === 'ready') this.#break('it said ready twice')
    else if (message.run !== this.#options.id) this.#break('it spoke for another run')
    else if (this.#state !== 'computing') this.#break('it spoke while it was to wait')
    else if (message.type === 'turn') this.#onTurn(message)
    else if (message.type === 'log') this.#onLog(message)
    else this.#onFatal(message)
  }

  onBroken(rule: string): void {
    this.#break(rule)
  }

  onExit(exit: SandboxExit): void {
    const nearMemory = this.#watchdog?.nearMemory ?? false
    this.#fail(failures.processDied(exit, this.#run.limits, nearMemory))
  }

  // ── what the sandbox says

  #onLog({ level, text }: LogMessage): void {
    this.#bytesOut += Buffer.byteLength(text)
    const { kept, full } = this.#meter.addLine(text)
    if (!full || kept !== '') {
      this.#logs.push(kept)
      try {
        this.#run.onLog?.(kept, level)
      } catch {
        // A listener's trouble is not the run's.
      }
    }
    if (full) this.#fail(failures.tooMuchOutput(this.#run.limits, 'The log lines of the program'))
  }

  #onFatal({ reason, message }: FatalMessage): void {
    const { limits } = this.#run
    switch (reason) {
      case 'memory':
        this.#fail(failures.outOfMemory(limits))
        return
      case 'output':
        this.#fail(failures.oversizedTurn(message))
        return
      case 'entry-timeout': {
        const clock = this.#watchdog?.clockOfBackstop()
        if (clock !== undefined) {
          this.#fail(failures.timedOut(clock, limits, this.#ledger.open))
          return
        }
      }
    }
    this.#fail(failures.engineFailed(message))
  }

  #onTurn(turn: TurnMessage): void {
    this.#state = 'resting'
    const spent = this.#watchdog?.leave(turn.cpuUs)
    this.#dispatchAll(turn.calls)
    if (this.#isOver()) return
    if (turn.end !== undefined) this.#onEnd(turn.end)
    else if (spent !== undefined) this.#onSpent(spent)
    else this.#rest(turn.wakeMs)
  }

  #onEnd(end: WireEnd): void {
    const text = end.kind === 'value' ? end.text : end.message
    this.#bytesOut += text === undefined ? 0 : Buffer.byteLength(text)
    this.#finish(endingOf(end, this.#run, this.#meter))
  }

  #rest(wakeMs: number | null): void {
    this.#outbox.setWake(wakeMs)
    if (this.#outbox.hasAnswers) this.#flushSoon()
    else if (this.#ledger.open === 0 && wakeMs === null) this.#fail(failures.stalled())
  }

  // ── calls and answers

  #dispatchAll(calls: readonly WireCall[]): void {
    try {
      for (const call of calls) {
        // A binding that was just called may have aborted the run.
        if (this.#isOver()) return
        const bytes = Buffer.byteLength(call.text)
        this.#bytesOut += bytes
        this.#watchdog?.allowTransit(bytes)
        const { member, refusal } = this.#ledger.admit(call, bytes)
        if (refusal === undefined) void this.#dispatch(call, member)
        else {
          member.onRefused?.()
          this.#outbox.push(refusedCall(call.call, refusal))
        }
      }
    } catch (error) {
      if (error instanceof WireError) this.#break(error.message)
      else this.#fail(failures.engineFailed(describeThrown(error).message))
    }
  }

  async #dispatch(call: WireCall, member: CheckedMember): Promise<void> {
    const answer = await callBinding(call, member, this.#refuseResult)
    if (!this.#ledger.close(call.call) || this.#isOver()) return
    this.#outbox.push(answer)
    this.#flushSoon()
  }

  /**
   * The last open call is answered at once, in a microtask; while others are open, what settles in the same tick goes
   * together. Never from within a message, so that an in-process sandbox is not entered from its own turn.
   */
  #flushSoon(): void {
    if (this.#flushing || this.#state !== 'resting') return
    this.#flushing = true
    if (this.#ledger.open === 0) queueMicrotask(() => this.#flush())
    else setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#flushing = false
    if (this.#state !== 'resting') return
    const due = this.#outbox.take()
    if (due === undefined) return
    const { answers, wake, bytes } = due
    this.#bytesIn += bytes
    this.#watchdog?.allowTransit(bytes)
    this.#enter((entryTimeoutMs) => ({ type: 'deliver', run: this.#options.id, answers, wake, entryTimeoutMs }))
  }

  #enter(message: (entryTimeoutMs: number) => HostMessage): void {
    this.#state = 'computing'
    const entryTimeoutMs = this.#watchdog?.enter() ?? 1
    try {
      this.#sandbox.send(message(entryTimeoutMs))
    } catch (error) {
      this.#fail(failures.engineFailed(describeThrown(error).message))
    }
  }

  // ── ends

  #onSpent(spent: Spent): void {
    const { limits } = this.#run
    this.#fail(spent === 'memory' ? failures.outOfMemory(limits) : failures.timedOut(spent, limits, this.#ledger.open))
  }

  #break(rule: string): void {
    this.#fail(failures.brokeProtocol(rule))
  }

  #fail(error: CodeRunError): void {
    this.#finish({ clean: false, error })
  }

  /** The one way out. A sandbox that did not end cleanly is gone before the run is over. */
  #finish({ clean, ...ending }: Ending): void {
    if (this.#isOver()) return
    this.#state = 'done'
    this.#outbox.clear()
    const result = { ...ending, logs: this.#logs, usage: this.#usage() }
    if (clean && !this.#sandbox.dead) {
      this.#sandbox.listen(undefined)
      this.#settle({ result, reusable: true })
      return
    }
    void this.#sandbox.kill().then(() => {
      this.#sandbox.listen(undefined)
      this.#settle({ result, reusable: false })
    })
  }

  /** A method, because a field would be narrowed over the calls that change it. */
  #isOver(): boolean {
    return this.#state === 'done'
  }

  #usage(): RunUsage {
    const costs = this.#watchdog?.stop() ?? { wallMs: 0, cpuMs: 0, peakMemoryBytes: null }
    return {
      ...costs,
      queuedMs: this.#options.queuedMs,
      calls: this.#ledger.admitted,
      bytesIn: this.#bytesIn,
      bytesOut: this.#bytesOut,
    }
  }
}
