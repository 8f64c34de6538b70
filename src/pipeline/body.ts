// The body of a tool and its canonical result (contract D7, D8): called once, its value snapshotted, validated, frozen,
// rendered. The same way from value to result serves values that wrappers and post-execute listeners give.
import { disown } from '../async/in-flight.ts'
import { describeThrown } from '../errors/describe-thrown.ts'
import { HarnessError } from '../errors/harness-error.ts'
import { ToolArgsError, ToolOutputError } from '../errors/tool-errors.ts'
import type { JsonObject, JsonValue } from '../json/json-value.ts'
import { snapshot } from '../json/snapshot.ts'
import type { ContentBlock } from '../tools/content.ts'
import type { RegisteredTool } from '../tools/environment.ts'
import type { ToolRunContext } from '../tools/execution.ts'
import { successResult, textContent } from '../tools/outcomes.ts'
import type { ToolExecutionResult, ToolSuccessResult } from '../tools/result.ts'
import { readContent, readObject } from './content.ts'
import { failureFrom } from './failures.ts'
import type { Call } from './stage.ts'

/** Runs the body with this signal and awaits it, however long it takes. Never rejects. */
export async function runBody(call: Call, tool: RegisteredTool, signal: AbortSignal): Promise<ToolExecutionResult> {
  let concludesTurn = false
  const context: ToolRunContext = Object.freeze({
    ...call.execution,
    signal,
    deferContext: (message: unknown) => call.contexts.defer(message),
    concludeTurn: () => {
      concludesTurn = true
    },
  })
  let returned: unknown
  try {
    returned = await tool.definition.execute(call.execution.arguments, context)
  } catch (thrown) {
    if (ToolArgsError.refuses(thrown, call.execution.name)) call.noteRefusedArguments()
    else call.noteThrew(describeThrown(thrown).info?.code, signal.aborted)
    return failureFrom(call, thrown)
  }
  call.noteReturned()
  try {
    return canonicalResult(call, tool, returned, { origin: 'returned', concludesTurn })
  } catch (thrown) {
    return failureFrom(call, thrown)
  }
}

/** Makes the success of a value. `origin` says in messages where it came from. Throws a ToolOutputError. */
export function canonicalResult(
  call: Call,
  tool: RegisteredTool,
  raw: unknown,
  options: { readonly origin: string; readonly concludesTurn?: boolean | undefined },
): ToolSuccessResult {
  const { name, arguments: args } = call.execution
  const value = lossless(raw, name, options.origin)
  const violations = tool.validateOutput(value)
  if (violations.length > 0) {
    throw new ToolOutputError(name, `${options.origin} a value that its output schema refuses:`, violations)
  }
  try {
    return successResult(value, rendered(tool, args, value), {
      meta: call.topLevel ? metaOf(tool, args, value) : undefined,
      additionalContexts: call.contexts.all,
      concludesTurn: options.concludesTurn,
    })
  } catch (thrown) {
    throw new ToolOutputError(name, `could not present its value: ${describeThrown(thrown).message}`)
  }
}

function lossless(raw: unknown, name: string, origin: string): JsonValue {
  try {
    return snapshot(raw, 'value')
  } catch (thrown) {
    throw new ToolOutputError(name, `${origin} a value that is not lossless JSON: ${describeThrown(thrown).message}`)
  }
}

function rendered(tool: RegisteredTool, args: JsonValue, value: JsonValue): readonly ContentBlock[] {
  const content: unknown = tool.definition.output.render(args, value)
  if (typeof content === 'string') return textContent(content)
  refusePromise(content, 'output.render')
  return readContent(content, 'content')
}

function metaOf(tool: RegisteredTool, args: JsonValue, value: JsonValue): JsonObject | undefined {
  const meta: unknown = tool.definition.output.presentationMeta?.(args, value)
  if (meta === undefined) return undefined
  refusePromise(meta, 'output.presentationMeta')
  return readObject(meta, 'meta')
}

function refusePromise(answer: unknown, what: string): void {
  if (!(answer instanceof Promise)) return
  disown(answer)
  throw new HarnessError('INVALID_CONTENT', `${what} answered a promise; it must be synchronous.`)
}
