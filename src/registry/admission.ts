// What a definition must be to be registered (contract C1, C2). It is read once, here: what goes on is a frozen record of
// what it said, so that neither a later change nor a getter that answers twice can alter a registered tool.
// Callbacks are trusted code of this process; they keep their own object as `this`.
import { describeThrown } from '../errors/describe-thrown.ts'
import { HarnessError } from '../errors/harness-error.ts'
import { quoteName } from '../errors/names.ts'
import type { Violation } from '../errors/tool-errors.ts'
import type { JsonObject, JsonValue } from '../json/json-value.ts'
import { snapshot } from '../json/snapshot.ts'
import type { JsonSchema, ToolDefinition, ToolOutput } from '../tools/definition.ts'
import type { RegisteredTool } from '../tools/environment.ts'
import { RUN_CODE_NAME } from '../tools/names.ts'

/** A compiled output schema. */
export interface CompiledOutput {
  violations(value: JsonValue, root: string): readonly Violation[]
}

/** How schemas are admitted; both throw `INVALID_SCHEMA` naming the owner. */
export interface SchemaAdmission {
  compileOutput(schema: JsonSchema, owner: string): CompiledOutput
  checkParameters(schema: JsonObject, owner: string): void
}

/**
 * Checks a definition and compiles its output schema. Throws `INVALID_TOOL_DEFINITION`, `RESERVED_TOOL_NAME` or
 * `INVALID_SCHEMA`, each naming the tool.
 */
export function admitDefinition(definition: ToolDefinition, schemas: SchemaAdmission): RegisteredTool {
  const name = readName(definition)
  const owner = `tool ${quoteName(name)}`
  try {
    const record = readDefinition(name, definition, owner)
    schemas.checkParameters(record.parameters as JsonObject, owner)
    const compiled = schemas.compileOutput(record.output.schema, owner)
    return Object.freeze({
      definition: record,
      validateOutput: (value: JsonValue) => compiled.violations(value, 'value'),
    })
  } catch (error) {
    if (HarnessError.is(error)) throw error
    throw invalid(owner, `could not be read: ${describeThrown(error).message}`, error)
  }
}

/** Throws `RESERVED_TOOL_NAME` for `run_code`. */
export function refuseReservedName(name: string): void {
  if (name !== RUN_CODE_NAME) return
  throw new HarnessError(
    'RESERVED_TOOL_NAME',
    `"${RUN_CODE_NAME}" is the transport of code mode and reserved in every mode. Choose another name.`,
  )
}

/** Throws `INVALID_TOOL_DEFINITION` unless the value can name a tool: any non-empty string can. */
export function assertToolName(name: unknown): asserts name is string {
  if (typeof name === 'string' && name !== '') return
  throw invalid('a tool', 'needs a name, a non-empty string')
}

function readName(definition: ToolDefinition): string {
  if (typeof definition !== 'object' || definition === null)
    throw invalid('a tool', 'is registered with a definition, an object')
  let name: unknown
  try {
    name = definition.name
  } catch (error) {
    throw invalid('a tool', `has a name that could not be read: ${describeThrown(error).message}`, error)
  }
  assertToolName(name)
  refuseReservedName(name)
  return name
}

function readDefinition(name: string, source: ToolDefinition, owner: string): ToolDefinition {
  const { description, parameters, output, timeoutMs } = source
  if (typeof description !== 'string') throw invalid(owner, 'needs a description, a string')
  const timeout: unknown = timeoutMs
  if (timeout !== undefined && !(typeof timeout === 'number' && Number.isFinite(timeout) && timeout > 0)) {
    throw invalid(owner, 'has a `timeoutMs` that is not positive and finite; leave it out for no timeout')
  }
  return Object.freeze({
    name,
    description,
    parameters: readParameters(parameters, owner),
    output: readOutput(output, owner),
    execute: required(source, source.execute, owner, 'execute'),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...optional(source, source.finalizeContent, owner, 'finalizeContent'),
    ...optional(source, source.isConcurrencySafe, owner, 'isConcurrencySafe'),
    ...optional(source, source.presentCall, owner, 'presentCall'),
    ...optional(source, source.presentResult, owner, 'presentResult'),
  })
}

/** A model passes named arguments, so the root has to describe an object; a root that leaves `type` out is taken to. */
function readParameters(source: unknown, owner: string): JsonObject {
  const schema = typeof source === 'boolean' ? undefined : readSchema(source, owner, 'parameters')
  if (typeof schema === 'object') {
    const { type } = schema
    if (type === undefined || type === 'object' || (Array.isArray(type) && type.includes('object'))) return schema
  }
  throw invalid(owner, 'needs `parameters`, a JSON Schema of an object: { type: "object", properties: { … } }')
}

function readOutput(source: ToolOutput | undefined, owner: string): ToolOutput {
  if (typeof source !== 'object' || source === null) {
    throw invalid(owner, 'needs `output: { schema, render }`: what its body returns, and how a model reads it')
  }
  const { schema, render, presentationMeta } = source
  return Object.freeze({
    schema: readSchema(schema, owner, 'output.schema'),
    render: required(source, render, owner, 'output.render'),
    ...optional(source, presentationMeta, owner, 'presentationMeta'),
  })
}

function readSchema(source: unknown, owner: string, field: string): JsonSchema {
  if (typeof source === 'boolean') return source
  if (typeof source !== 'object' || source === null || Array.isArray(source)) {
    throw invalid(owner, `needs \`${field}\`, a JSON Schema`)
  }
  // Generators hang hidden properties on a schema's root (zod's toJSONSchema does), which are no part of the document.
  const prototype: unknown = Object.getPrototypeOf(source)
  const document = prototype === Object.prototype || prototype === null ? { ...source } : source
  try {
    return snapshot(document, field) as JsonObject
  } catch (error) {
    throw invalid(owner, `has a schema that is no plain JSON: ${describeThrown(error).message}`, error)
  }
}

function required<F extends (...args: any[]) => unknown>(holder: object, callback: F, owner: string, field: string): F {
  if (typeof callback !== 'function') throw invalid(owner, `needs \`${field}\`, a function`)
  return bound(holder, callback)
}

function optional<K extends string, F extends (...args: any[]) => unknown>(
  holder: object,
  callback: F | undefined,
  owner: string,
  field: K,
): { readonly [key in K]?: F } {
  if (callback === undefined) return {}
  if (typeof callback !== 'function')
    throw invalid(owner, `has \`${field}\`, which must be a function where it is given`)
  return { [field]: bound(holder, callback) } as { readonly [key in K]?: F }
}

/** The callback as a method of its own object, whatever happens to either later. */
function bound<F extends (...args: any[]) => unknown>(holder: object, callback: F): F {
  return Reflect.apply(Function.prototype.bind, callback, [holder]) as F
}

function invalid(owner: string, problem: string, cause?: unknown): HarnessError {
  return new HarnessError(
    'INVALID_TOOL_DEFINITION',
    `${owner.replace(/^./, (first) => first.toUpperCase())} ${problem}.`,
    cause === undefined ? {} : { cause },
  )
}
