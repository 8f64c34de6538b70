// What a tool is (contract C2, D7, G2): the schema that a model sees, the body, and the mandatory declaration of its output.
import type { JsonObject } from '../json/json-value.ts'
import type { JsonSchema } from '../schema/dialects.ts'
import type { ContentBlock } from './content.ts'
import type { ToolExecution, ToolRunContext } from './execution.ts'
import type { ToolExecutionResult } from './result.ts'
import type { ToolCallView, ToolResultView } from './views.ts'

export type { JsonSchema } from '../schema/dialects.ts'

/** Exactly what a model is told of a tool (contract C6). */
export interface ToolSchema {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments; its root describes an object. */
  readonly parameters: JsonSchema
}

/** What a tool returns and how a model reads it. Mandatory for every tool. */
export interface ToolOutput<Args = any, Value = any> {
  /** JSON Schema of the canonical value; enforced on every success. */
  readonly schema: JsonSchema
  /** Model-facing text or blocks of a value. Pure; a string is one text block. A throw is `INVALID_TOOL_OUTPUT`. */
  render(args: Args, value: Value): string | readonly ContentBlock[]
  /** Facts for hosts and presenters, computed for top-level calls only (contract D8). */
  presentationMeta?(args: Args, value: Value): JsonObject | undefined
}

/**
 * A tool as it is registered. A raw definition (an MCP server's, say) checks its own arguments; `defineTool` adds the check.
 * Callbacks are trusted code of this process.
 */
export interface ToolDefinition<Args = any, Value = any> extends ToolSchema {
  readonly output: ToolOutput<Args, Value>
  /** The body. Gets frozen arguments, returns the canonical value, and stops cooperatively through `exec.signal`. */
  execute(args: Args, exec: ToolRunContext): Value | Promise<Value>
  /** Owns the last word on `content`: runs exactly once for every outcome, failures included; `undefined` keeps it (contract D11). */
  finalizeContent?(exec: ToolExecution, result: ToolExecutionResult): readonly ContentBlock[] | undefined
  /** Budget of the body in milliseconds, enforced by the `toolTimeouts` plugin; positive and finite. Never shown to a model. */
  readonly timeoutMs?: number
  /** `true` means that this call may overlap its neighbours; anything else, a throw included, means exclusive (contract C9). */
  isConcurrencySafe?(args: Args): boolean
  /** How a UI may show the call; `undefined` leaves it to the host. */
  presentCall?(args: Args): ToolCallView | undefined
  /** How a UI may show the result. */
  presentResult?(args: Args, result: ToolExecutionResult): ToolResultView | undefined
}
