// Post-policy (contract D9): listeners see the result of a call that was dispatched, and accept it, with other content or
// another value, or block it. Never turns a failure into a success.
import { HarnessError } from '../errors/harness-error.ts'
import { quoteName } from '../errors/names.ts'
import type { ContentBlock, ContextMessage } from '../tools/content.ts'
import type { PostToolDecision } from '../tools/decisions.ts'
import type { RegisteredTool } from '../tools/environment.ts'
import { withContent } from '../tools/outcomes.ts'
import type { ToolErrorResult, ToolExecutionResult } from '../tools/result.ts'
import { canonicalResult } from './body.ts'
import { readContent, readContexts } from './content.ts'
import { codedFailure, failureFrom, preview } from './failures.ts'
import type { Call } from './stage.ts'

interface Accept {
  readonly kind: 'accept'
  readonly content: readonly ContentBlock[] | undefined
  readonly value: unknown
  readonly contexts: readonly ContextMessage[]
}

interface Block {
  readonly kind: 'block'
  readonly feedback: string
  readonly contexts: readonly ContextMessage[]
}

const ACCEPT: PostToolDecision = Object.freeze({ kind: 'accept' })
const accept = (): Promise<PostToolDecision> => Promise.resolve(ACCEPT)

/** Lets the listeners of `tools/post-execute` decide. Sets the call's standing; never rejects. */
export async function review(
  call: Call,
  tool: RegisteredTool,
  result: ToolExecutionResult,
): Promise<ToolExecutionResult> {
  try {
    const { env, execution } = call
    const answer: unknown = await env.waterfall('tools/post-execute', execution.agent, [execution, result], accept)
    const decision = readDecision(answer)
    if (decision.kind === 'block') return block(call, decision, result)
    const accepted = replaced(call, tool, result, decision)
    call.contexts.append(decision.contexts)
    return accepted
  } catch (thrown) {
    call.standing = 'failed'
    return failureFrom(call, thrown, result.meta)
  }
}

function block(call: Call, decision: Block, result: ToolExecutionResult): ToolErrorResult {
  call.standing = 'failed'
  call.contexts.replace(decision.contexts)
  const { name } = call.execution
  const feedback =
    decision.feedback.trim() === ''
      ? `The result of tool ${quoteName(name)} was withheld; no reason was given.`
      : decision.feedback
  return codedFailure(call, 'TOOL_BLOCKED', feedback, { meta: result.meta })
}

function replaced(
  call: Call,
  tool: RegisteredTool,
  result: ToolExecutionResult,
  { content, value }: Accept,
): ToolExecutionResult {
  if (content !== undefined) return withContent(result, content)
  if (value === undefined) return result
  if (result.isError) return refuse('another value for a failed call, which has none')
  return canonicalResult(call, tool, value, {
    origin: 'got from a tools/post-execute listener',
    concludesTurn: result.concludesTurn,
  })
}

/** Reads a listener's answer, each field once. */
function readDecision(answer: unknown): Accept | Block {
  if (typeof answer !== 'object' || answer === null) return refuse(preview(answer))
  const { kind, content, value, feedback, additionalContexts } = answer as Record<string, unknown>
  if (kind !== 'accept' && kind !== 'block') return refuse(`an object of kind ${preview(kind)}`)
  const contexts = readContexts(additionalContexts, 'additionalContexts')
  if (kind === 'block') {
    if (typeof feedback !== 'string') return refuse('a block without feedback')
    return { kind, feedback, contexts }
  }
  if (content !== undefined && value !== undefined) return refuse('both content and value')
  return { kind, content: content === undefined ? undefined : readContent(content, 'content'), value, contexts }
}

function refuse(what: string): never {
  throw new HarnessError(
    'INVALID_POLICY_DECISION',
    `A tools/post-execute listener answered ${what}; it must answer { kind: 'accept' } with content or value, ` +
      `{ kind: 'block', feedback }, or what next() gave it.`,
  )
}
