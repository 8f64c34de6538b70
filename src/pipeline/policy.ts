// The policy of one call (contract C7, D4): the pre-execute waterfall, approval when it asks, then the guards, whose
// denial nothing turns back. Answers a refusal, or nothing when the call may be dispatched.
import { disown } from '../async/in-flight.ts'
import { HarnessError } from '../errors/harness-error.ts'
import type { PreToolDecision } from '../tools/decisions.ts'
import type { ToolErrorResult } from '../tools/result.ts'
import { askApproval } from './approval.ts'
import { abortedBeforeDispatch, afterAbort } from './cancellation.ts'
import { readObject } from './content.ts'
import { deny, failureFrom, preview } from './failures.ts'
import type { Call } from './stage.ts'

const ALLOW: PreToolDecision = Object.freeze({ kind: 'allow' })
const allow = (): Promise<PreToolDecision> => Promise.resolve(ALLOW)

/** Decides a call. Sets its standing; never throws. */
export async function decide(call: Call): Promise<ToolErrorResult | undefined> {
  try {
    const refusal = call.env.hasListeners('tools/pre-execute') ? await askListeners(call) : undefined
    if (refusal !== undefined || call.execution.signal.aborted) return afterAbort(call, refusal)
    const denial = askGuards(call)
    if (denial === undefined) call.standing = 'allowed'
    return afterAbort(call, denial)
  } catch (thrown) {
    return afterAbort(call, call.refuse('policy-failed', 'policy-failed', failureFrom(call, thrown)))
  }
}

async function askListeners(call: Call): Promise<ToolErrorResult | undefined> {
  const { env, execution } = call
  const answer: unknown = await env.waterfall('tools/pre-execute', execution.agent, [execution], allow)
  const decision = readDecision(answer)
  switch (decision.kind) {
    case 'allow':
      return undefined
    case 'deny':
      return deny(call, decision.reason, decision.info)
    case 'cancel':
      return call.refuse('cancelled', 'aborted', abortedBeforeDispatch(call))
    case 'ask':
      return execution.signal.aborted ? undefined : askApproval(call, decision)
  }
}

function askGuards(call: Call): ToolErrorResult | undefined {
  const { env, execution } = call
  for (const guard of env.guards(execution.agent)) {
    const answer: unknown = guard(execution)
    if (answer === undefined) continue
    if (typeof answer === 'string') return deny(call, answer)
    disown(answer)
    throw new HarnessError(
      'INVALID_POLICY_DECISION',
      `A guard answered ${preview(answer)}; a guard is synchronous and answers a reason or undefined.`,
    )
  }
  return undefined
}

/** Reads a listener's answer, each field once. Throws INVALID_POLICY_DECISION. */
function readDecision(answer: unknown): PreToolDecision {
  if (typeof answer !== 'object' || answer === null) return refuse(preview(answer))
  const { kind, reason, displayReason, info } = answer as Record<string, unknown>
  switch (kind) {
    case 'allow':
    case 'cancel':
      return { kind }
    case 'deny':
      if (typeof reason !== 'string') return refuse('a denial without a reason')
      return info === undefined ? { kind, reason } : { kind, reason, info: readObject(info, 'info') }
    case 'ask':
      if (!isTextOrAbsent(reason) || !isTextOrAbsent(displayReason)) return refuse('a reason that is no text')
      return { kind, ...(reason !== undefined && { reason }), ...(displayReason !== undefined && { displayReason }) }
    default:
      return refuse(`an object of kind ${preview(kind)}`)
  }
}

function refuse(what: string): never {
  throw new HarnessError(
    'INVALID_POLICY_DECISION',
    `A tools/pre-execute listener answered ${what}; it must answer { kind: 'allow' }, { kind: 'deny', reason }, ` +
      `{ kind: 'ask' }, { kind: 'cancel' }, or what next() gave it.`,
  )
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string'
}
