// The sub-calls of one program (contract H3, H7, H11): numbered by submission, run on the scheduler that batches of
// native calls use too, entered in the ledger, refused once the program is over.
//
//   program ── tools.x(args) ──▶ submit(name, args) ──▶ scheduler ──▶ pipeline
//                                   │ ledger entry, opened at submission, closed at settlement
import { quoteName } from '../errors/names.ts'
import type { JsonValue } from '../json/json-value.ts'
import type { Agent } from '../scope/agent.ts'
import type { CallOutcome, SettledCall } from '../tools/call-outcome.ts'
import type { ContextMessage } from '../tools/content.ts'
import type { ToolExecutionInput, ToolExecutionToken } from '../tools/execution.ts'
import type { ToolExecutionResult } from '../tools/result.ts'
import type { Ledger } from './ledger.ts'

/** Runs sub-calls under the contract of D15. */
export interface SubCallScheduler {
  /** Queues a call; resolves when it has settled or was abandoned. Never rejects. */
  submit(input: ToolExecutionInput, hooks: { readonly program: string }): Promise<SettledCall>
  /** Abandons what is still queued and refuses what comes later. */
  close(): void
  /** Resolves when every started call has settled. */
  idle(): Promise<void>
}

/** The enclosing `run_code` call. */
export interface EnclosingCall {
  readonly callId: string
  readonly token: ToolExecutionToken
  /** Source of the program, for whoever is asked to approve one of its calls (contract R4). */
  readonly program: string
  readonly agent?: Agent
  readonly deferContext: (context: ContextMessage) => void
}

interface OpenEntry {
  readonly callId: string
  readonly name: string
  readonly submittedAt: number
  settled?: { outcome: CallOutcome; ms: number | null }
}

/** Calls over a budget that get a line of their own in the ledger; a program can make them by the million. */
const MAX_REFUSED_LINES = 1_000

/** Raised into the program as the text of a ToolCallError. */
class SubCallFailure extends Error {}

/** All sub-calls of one program. */
export class SubCalls {
  private readonly entries: OpenEntry[] = []
  private readonly abort = new AbortController()
  private readonly scheduler: SubCallScheduler
  private readonly enclosing: EnclosingCall
  private open = true
  private refusedLines = 0
  private refusedBeyond = 0

  constructor(scheduler: SubCallScheduler, enclosing: EnclosingCall) {
    this.scheduler = scheduler
    this.enclosing = enclosing
  }

  /** Makes one sub-call. Resolves with the final canonical value; rejects with the message that the program sees. */
  async submit(name: string, args: JsonValue): Promise<JsonValue> {
    if (!this.open) throw new SubCallFailure(`The program is over; ${quoteName(name)} was not called.`)
    const entry = this.enter(name)
    const { outcome, result } = await this.scheduler.submit(
      {
        callId: entry.callId,
        name,
        arguments: args,
        signal: this.abort.signal,
        parent: this.enclosing.token,
        ...(this.enclosing.agent && { agent: this.enclosing.agent }),
      },
      { program: this.enclosing.program },
    )
    entry.settled = { outcome, ms: outcome === 'not-started' ? null : performance.now() - entry.submittedAt }
    if (result === undefined) throw new SubCallFailure(`The program ended before ${quoteName(name)} was started.`)
    this.carry(entry, result)
    if (result.isError) throw new SubCallFailure(result.error.message)
    return result.value
  }

  /** Enters a call that a budget of the run refused: no part of the pipeline saw it (contract H11). */
  refuse(name: string): void {
    if (this.refusedLines >= MAX_REFUSED_LINES) {
      this.refusedBeyond += 1
      return
    }
    this.refusedLines += 1
    this.enter(name).settled = { outcome: 'refused', ms: null }
  }

  /** Aborts open sub-calls, abandons queued ones, and waits for the bodies that run (contract E1, H7). */
  async drain(onSlow: (open: readonly string[]) => void, slowAfterMs: number): Promise<void> {
    this.open = false
    this.scheduler.close()
    this.abort.abort()
    const timer = setTimeout(() => onSlow(this.openNames()), slowAfterMs)
    await this.scheduler.idle()
    clearTimeout(timer)
  }

  /** The ledger, in order of submission. A call that has not settled is `unknown`. */
  ledger(): Ledger {
    const entries = this.entries.map(({ callId, name, settled }) => ({
      callId,
      name,
      outcome: settled?.outcome ?? 'unknown',
      ms: settled?.ms ?? null,
    }))
    return { entries, refusedBeyond: this.refusedBeyond }
  }

  private enter(name: string): OpenEntry {
    const callId = `${this.enclosing.callId}:code:${this.entries.length + 1}`
    const entry: OpenEntry = { callId, name, submittedAt: performance.now() }
    this.entries.push(entry)
    return entry
  }

  private openNames(): string[] {
    return this.entries.filter((entry) => entry.settled === undefined).map(({ name, callId }) => `${name} (${callId})`)
  }

  /** Contexts of a sub-call, and the pictures of a successful one, ride on the `run_code` result (contract H6). */
  private carry(entry: OpenEntry, result: ToolExecutionResult): void {
    for (const context of result.additionalContexts ?? []) this.enclosing.deferContext(context)
    if (result.isError || !result.content.some((block) => block.type === 'image')) return
    this.enclosing.deferContext({
      id: `${entry.callId}:content`,
      role: 'user',
      content: result.content,
      source: entry.name,
    })
  }
}
