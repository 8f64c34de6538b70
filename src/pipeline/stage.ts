// The record of one call that the stages of the pipeline pass on: what is fixed at its start, how far it came, and what
// its body did. Owns no behaviour but the account of the call; execute.ts moves it from stage to stage.
import type { CallOutcome } from '../tools/call-outcome.ts'
import type { CallEnvironment, RegisteredTool } from '../tools/environment.ts'
import type { ToolExecution } from '../tools/execution.ts'
import type { ToolErrorResult, ToolExecutionResult } from '../tools/result.ts'
import { CallContexts } from './contexts.ts'

/** How far a call came, and what stands at that point. cancellation.ts says for each what an abort makes of it. */
export type Standing =
  /** Its input or its arguments could not be read (contract D2). */
  | 'unreadable'
  /** Materialized; nothing else has run. */
  | 'ready'
  /** The presentation forbids it (contract F3). */
  | 'hidden'
  /** Policy, approval or a guard said no. */
  | 'denied'
  /** A policy listener answered `cancel`. */
  | 'cancelled'
  /** A policy listener, the approval or a guard failed. */
  | 'policy-failed'
  /** Policy let it through. */
  | 'allowed'
  /** Nothing of that name is visible (contract D14). */
  | 'unknown'
  /** A wrapper answered with a success; no body ran. */
  | 'answered'
  /** The body returned and the result is a success. */
  | 'succeeded'
  /** The tool, a wrapper or a post-execute listener failed, or a listener blocked the result. */
  | 'failed'

/** Why a body did not run. */
export type CallRefusal = 'invalid-call' | 'invalid-args' | 'unknown-tool' | 'denied' | 'policy-failed' | 'aborted'

/** What happened to a call, whatever its result says. */
export interface CallAccount {
  readonly outcome: CallOutcome
  /** True when a body ran. */
  readonly started: boolean
  /** With several attempts (a retrying wrapper) the one that matters most: returned before threw. */
  readonly body: 'returned' | 'threw' | 'not-started'
  /** True when a body threw after its signal had fired. */
  readonly signalAborted: boolean
  readonly refusal?: CallRefusal
}

/** How the owner of a call follows it from outside. Trusted code; none of these may throw. */
export interface ExecuteHooks {
  /** The program that makes the call; an approval request shows it (contract R4). */
  readonly program?: string
  /** Called around the wait for an approval, which is on no clock (contract H12). */
  readonly onApproval?: (state: 'asked' | 'answered') => void
  /** Called once, before the result is handed on. */
  readonly onSettled?: (account: CallAccount, result: ToolExecutionResult) => void
}

/** Called with a sentence and the error when something went wrong that no result shows. */
export type LogFunction = (message: string, error: unknown) => void

/** What materialize.ts makes of a caller's input. */
export interface CallStart {
  readonly env: CallEnvironment
  readonly log: LogFunction
  readonly hooks: ExecuteHooks
  readonly execution: ToolExecution
  /** Set when the call cannot run: its arguments or its input are refused. */
  readonly problem?: { readonly thrown: unknown; readonly refusal: CallRefusal }
}

/** Codes of errors that leave open whether the tool's effects happened: the connection to it was lost. */
const UNCERTAIN_CODES: ReadonlySet<string> = new Set(['MCP_SERVER'])

/** One call in the pipeline. */
export class Call {
  readonly env: CallEnvironment
  readonly log: LogFunction
  readonly hooks: ExecuteHooks
  readonly execution: ToolExecution
  readonly problem: CallStart['problem']
  /** `presentationMeta` and the meta of errors are for top-level calls alone (contract D8). */
  readonly topLevel: boolean
  readonly contexts = new CallContexts()
  /** The definition's finalizer as it was when the call started (contract D11). */
  readonly finalizer: ((result: ToolExecutionResult) => unknown) | undefined
  standing: Standing = 'ready'
  refusal: CallRefusal | undefined
  private body: CallAccount['body'] = 'not-started'
  private abortedThrow = false
  private uncertain = false

  constructor(start: CallStart, finalizer: Call['finalizer']) {
    this.env = start.env
    this.log = start.log
    this.hooks = start.hooks
    this.execution = start.execution
    this.problem = start.problem
    this.topLevel = start.execution.parent === undefined
    this.finalizer = finalizer
  }

  /** The tool that the agent sees under the call's name at this moment. */
  resolve(): RegisteredTool | undefined {
    return this.env.resolve(this.execution.name, this.execution.agent)
  }

  /** Ends the call before its body, with the reason that the account gives. */
  refuse(standing: Standing, refusal: CallRefusal, result: ToolErrorResult): ToolErrorResult {
    this.standing = standing
    this.refusal = refusal
    return result
  }

  get bodyStarted(): boolean {
    return this.body !== 'not-started'
  }

  /** A body returned: its effects have happened, whatever becomes of the value. */
  noteReturned(): void {
    this.body = 'returned'
    this.refusal = undefined
  }

  /** The tool refused its arguments: that check stands ahead of the author's body, and nothing has happened. */
  noteRefusedArguments(): void {
    if (this.body === 'not-started') this.refusal = 'invalid-args'
  }

  /** A body threw. `code` is that of a HarnessError. */
  noteThrew(code: string | undefined, signalAborted: boolean): void {
    this.refusal = undefined
    this.abortedThrow ||= signalAborted
    this.uncertain ||= signalAborted || (code !== undefined && UNCERTAIN_CODES.has(code))
    if (this.body === 'not-started') this.body = 'threw'
  }

  /** The account of the call. */
  account(result: ToolExecutionResult): CallAccount {
    const { body, abortedThrow: signalAborted, refusal } = this
    const facts = { outcome: this.outcome(result), started: this.bodyStarted, body, signalAborted }
    return refusal === undefined ? facts : { ...facts, refusal }
  }

  private outcome(result: ToolExecutionResult): CallOutcome {
    if (this.body === 'returned') return 'committed'
    if (this.body === 'threw') return this.uncertain ? 'unknown' : 'failed'
    if (this.refusal === 'aborted') return 'not-started'
    // A wrapper's own answer: the caller has a value, or was refused by the wrapper.
    return result.isError ? 'refused' : 'committed'
  }
}
