// One remote tool as a raw definition: what a server listed, made into what the registry takes (contract O1, O2).
// Called by tool-set.ts. Throws for a tool that cannot be one; whether its schemas are acceptable is decided at registration.
//
// A program gets the canonical value. A model that calls the tool itself reads the blocks that the server wrote for it: a
// screenshot is a picture, not the base64 inside a JSON text. `render` is given the value alone (contract D7), and a sealed value
// keeps its identity through the pipeline, so the blocks are filed under it. Policy listeners see these blocks like any content;
// a value that a listener put in its place is rendered from itself.
import { clip } from '../errors/describe-thrown.ts'
import { HarnessError } from '../errors/harness-error.ts'
import { formatViolations, ToolArgsError } from '../errors/tool-errors.ts'
import type { JsonObject, JsonValue } from '../json/json-value.ts'
import { prettyPrint } from '../json/print.ts'
import { sealParsed } from '../json/snapshot.ts'
import { type CompiledSchema, compileSchema } from '../schema/validator.ts'
import type { ContentBlock } from '../tools/content.ts'
import type { JsonSchema, ToolDefinition } from '../tools/definition.ts'
import { normalizeNumbers, readAnswer, renderValue } from './values.ts'

const MAX_NAME_CHARS = 1_000
const MAX_SHOWN_CONTENT_CHARS = 2_000

/** A listed tool whose shape is sound: what the server said, detached. */
export interface RemoteTool {
  /** The server's own name of it. */
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  /** Absent when the server declares none. */
  readonly outputSchema?: JsonSchema
  /** `annotations.readOnlyHint` is `true`. */
  readonly isReadOnly: boolean
}

/** How a definition reaches its server. */
export type RemoteCall = (tool: string, args: JsonObject, signal: AbortSignal) => Promise<unknown>

/** What a definition needs beside the tool. */
export interface RemoteToolOptions {
  /** The registered name. */
  readonly name: string
  readonly server: string
  readonly call: RemoteCall
}

/** What is true of every value by the rule of contract O2, where a server declares nothing. */
const UNDECLARED_OUTPUT: JsonSchema = {
  description:
    'Not declared by the server: its structured content, or the JSON that it wrote as text, or else that text.',
}

/** Reads one entry of `tools/list`. Throws an Error that says what is wrong with it. */
export function readRemoteTool(entry: unknown): RemoteTool {
  if (typeof entry !== 'object' || entry === null) throw new Error('it is no object')
  const { name, title, description, inputSchema, outputSchema, annotations } = entry as Record<string, unknown>
  if (typeof name !== 'string' || name === '') throw new Error('it has no name')
  if (name.length > MAX_NAME_CHARS) throw new Error(`its name is longer than ${MAX_NAME_CHARS} characters`)
  const prose = [description, title].find((text) => typeof text === 'string' && text !== '')
  return {
    name,
    description: typeof prose === 'string' ? prose : '',
    inputSchema: readSchema(inputSchema, 'inputSchema') ?? { type: 'object' },
    isReadOnly: isRecord(annotations) && annotations['readOnlyHint'] === true,
    ...withOutputSchema(readSchema(outputSchema, 'outputSchema')),
  }
}

/** The definition that is registered. */
export function remoteToolDefinition(
  tool: RemoteTool,
  options: RemoteToolOptions,
): ToolDefinition<JsonValue, JsonValue> {
  const blocksOf = new WeakMap<object, readonly ContentBlock[]>()
  const assertFits = contentCheck(tool, options)
  return {
    name: options.name,
    description: tool.description,
    parameters: tool.inputSchema,
    output: {
      schema: tool.outputSchema ?? UNDECLARED_OUTPUT,
      render(_args, value) {
        return (typeof value === 'object' && value !== null ? blocksOf.get(value) : undefined) ?? renderValue(value)
      },
    },
    async execute(args, exec) {
      if (!isRecord(args)) throw new ToolArgsError(options.name, [{ path: 'args', message: 'must be an object' }])
      const answer = readAnswer(
        options.server,
        tool.name,
        await options.call(tool.name, args as JsonObject, exec.signal),
      )
      if (answer.isFromContent) assertFits(answer.value)
      const { value, blocks } = answer
      if (typeof value === 'object' && value !== null && blocks.length > 0) blocksOf.set(value, blocks)
      return value
    },
    ...(tool.isReadOnly && { isConcurrencySafe: () => true }),
  }
}

/**
 * A declared output schema with content only (contract O2): a misfit fails the call with the content in the message, which
 * is where such a server says what went wrong. Structured content that does not fit is the pipeline's to refuse, so the
 * schema is compiled a second time only for the servers that need it.
 */
function contentCheck({ name, outputSchema }: RemoteTool, { server }: RemoteToolOptions): (value: JsonValue) => void {
  if (outputSchema === undefined) return () => {}
  let compiled: CompiledSchema | undefined
  return (value) => {
    compiled ??= compileSchema(outputSchema, { owner: `tool "${name}" of MCP server "${server}"`, kind: 'output' })
    const violations = compiled.violations(value)
    if (violations.length === 0) return
    const text = clip(typeof value === 'string' ? value : prettyPrint(value), MAX_SHOWN_CONTENT_CHARS)
    throw new HarnessError(
      'MCP_TOOL',
      `MCP server "${server}", tool "${name}" answered with content that does not fit its output schema:\n` +
        `${formatViolations(violations)}\nThe content: ${text}`,
    )
  }
}

function readSchema(schema: unknown, field: string): JsonSchema | undefined {
  if (schema === undefined || schema === null) return undefined
  if (typeof schema !== 'object' && typeof schema !== 'boolean') throw new Error(`its ${field} is no JSON Schema`)
  return sealParsed(normalizeNumbers(schema).value, field) as JsonSchema
}

function withOutputSchema(outputSchema: JsonSchema | undefined): { outputSchema?: JsonSchema } {
  return outputSchema === undefined ? {} : { outputSchema }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
