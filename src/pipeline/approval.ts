// The approval of one call (contract D5): asks the mounted service, and turns its outcome into a refusal or none.
// Where nobody can be asked, the answer is no.
import { HarnessError } from '../errors/harness-error.ts'
import { quoteName } from '../errors/names.ts'
import type { PreToolDecision } from '../tools/decisions.ts'
import type { ApprovalOutcome, ApprovalRequest, ApprovalSeam } from '../tools/environment.ts'
import type { ToolErrorResult } from '../tools/result.ts'
import { abortedBeforeDispatch } from './cancellation.ts'
import { deny, preview } from './failures.ts'
import type { Call } from './stage.ts'

type Ask = Extract<PreToolDecision, { kind: 'ask' }>

const DENIALS: ReadonlyMap<unknown, string> = new Map<Exclude<ApprovalOutcome, 'allowed-once'>, string>([
  ['rejected', 'and it was rejected'],
  ['cancelled', 'and the request was cancelled before anybody decided'],
  ['unavailable', 'and nobody was available to decide'],
])

/** Asks for one call. Throws what the service throws, and INVALID_POLICY_DECISION for an outcome that it cannot have. */
export async function askApproval(call: Call, ask: Ask): Promise<ToolErrorResult | undefined> {
  const { agent, signal } = call.execution
  if (agent === undefined) return denyUnasked(call, ask, 'and a call without an agent has nobody to ask')
  const service = call.env.approval()
  if (service === undefined) return denyUnasked(call, ask, 'and no approval service is mounted')
  const outcome = await request(call, service, { ...ask, agent })
  if (outcome === 'allowed-once') return undefined
  const problem = DENIALS.get(outcome)
  if (problem === undefined) {
    throw new HarnessError(
      'INVALID_POLICY_DECISION',
      `The approval service answered ${preview(outcome)}; it must answer allowed-once, rejected, cancelled or unavailable.`,
    )
  }
  // The request was cancelled because the call was: nobody denied anything.
  if (outcome === 'cancelled' && signal.aborted) return call.refuse('cancelled', 'aborted', abortedBeforeDispatch(call))
  return denyUnasked(call, ask, problem)
}

async function request(call: Call, service: ApprovalSeam, ask: Ask & Pick<ApprovalRequest, 'agent'>): Promise<unknown> {
  const { execution, hooks } = call
  const { kind: _kind, ...asked } = ask
  const approval: ApprovalRequest = Object.freeze({
    ...asked,
    toolName: execution.name,
    callId: execution.callId,
    arguments: execution.arguments,
    ...(hooks.program !== undefined && { program: hooks.program }),
    signal: execution.signal,
  })
  hooks.onApproval?.('asked')
  try {
    return await service.request(approval)
  } finally {
    hooks.onApproval?.('answered')
  }
}

function denyUnasked(call: Call, ask: Ask, problem: string): ToolErrorResult {
  const why = ask.reason === undefined ? '' : ` (${ask.reason})`
  return deny(call, `Tool ${quoteName(call.execution.name)} needs approval${why}, ${problem}; it was not executed.`)
}
