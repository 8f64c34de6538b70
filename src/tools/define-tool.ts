// `defineTool`: a tool from plain literals, with the types of its arguments and its value inferred, and its arguments checked (contract G1, G2, G4).
//
//   { parameters, output.schema } ── lower.ts ──▶ JSON Schema ── validator.ts, once ──▶ the checks around execute,
//   presenters and isConcurrencySafe
//
// The pipeline sees an ordinary ToolDefinition. Whether its output is what it declares is the pipeline's to check (D7), as for any tool.
import { HarnessError } from '../errors/harness-error.ts'
import { quoteName } from '../errors/names.ts'
import { ToolArgsError } from '../errors/tool-errors.ts'
import type { JsonObject, JsonValue } from '../json/json-value.ts'
import { isLosslessJson, snapshot } from '../json/snapshot.ts'
import { stringify } from '../json/stringify.ts'
import type { ParameterSchemaSpec, ValueSchemaSpec } from '../schema/dsl.ts'
import type { CheckedParameters, CheckedValue, InferArgs, InferValue } from '../schema/infer.ts'
import { parameterSchemaSpecToJsonSchema, valueSchemaSpecToJsonSchema } from '../schema/lower.ts'
import { type CompiledSchema, compileSchema } from '../schema/validator.ts'
import type { ContentBlock } from './content.ts'
import type { ToolDefinition } from './definition.ts'
import type { ToolExecution, ToolRunContext } from './execution.ts'
import type { ToolExecutionResult } from './result.ts'
import type { ToolCallView, ToolResultView } from './views.ts'

/** What a tool returns, in the terms of {@link defineTool}. */
export interface ToolOutputSpec<Args, Value, Spec> {
  /** Form of the value. */
  readonly schema: Spec
  /** What a model reads. Default: a string as it is, other values as compact JSON. */
  render?(args: Args, value: Value): string | readonly ContentBlock[]
  /** Facts for hosts and presenters, for top-level calls (contract D8). */
  presentationMeta?(args: Args, value: Value): JsonObject | undefined
}

/** What {@link defineTool} takes. `parameters` and `output.schema` come before the functions that use their types. */
export interface ToolSpec<Parameters, Output, Returned = InferValue<Output>> {
  readonly name: string
  readonly description: string
  /** The arguments by name. Unknown ones pass; `required: true` marks those that must be there. Defaults are the body's business. */
  readonly parameters: Parameters & CheckedParameters<Parameters>
  readonly output: ToolOutputSpec<InferArgs<Parameters>, InferValue<Output>, Output & CheckedValue<Output>>
  /** The body. Its arguments fit the parameters; it stops through `exec.signal`. */
  execute(args: InferArgs<Parameters>, exec: ToolRunContext): Returned | Promise<Returned>
  /** Has the last word on `content` (contract D11). */
  finalizeContent?(exec: ToolExecution, result: ToolExecutionResult): readonly ContentBlock[] | undefined
  /** Budget of the body in milliseconds, positive and finite. Default: none. */
  readonly timeoutMs?: number
  /** True for calls that may overlap others. Not asked for arguments that do not fit: those are exclusive. Default: exclusive. */
  isConcurrencySafe?(args: InferArgs<Parameters>): boolean
  /** How a UI may show the call. Not asked for arguments that do not fit; a throw is `undefined`. */
  presentCall?(args: InferArgs<Parameters>): ToolCallView | undefined
  /** How a UI may show the result. As {@link presentCall}. */
  presentResult?(args: InferArgs<Parameters>, result: ToolExecutionResult): ToolResultView | undefined
}

/**
 * What holds the body to the output. A type parameter of its own keeps the literals that a body returns (`kind: 'hit'`); a constraint on it
 * would have to be resolved for every possible spec, which does not end.
 */
type Returning<Parameters, Output, Returned> = [Returned] extends [InferValue<Output>]
  ? unknown
  : { execute(args: InferArgs<Parameters>, exec: ToolRunContext): InferValue<Output> | Promise<InferValue<Output>> }

/**
 * Makes a tool definition for `ctx.tools.register` or `createCell({ tools })`. Its body runs only with arguments that fit: others fail the call as
 * ToolArgsError (`INVALID_ARGS`) with every violation. Wrong forms do not compile; forged ones throw HarnessError INVALID_SCHEMA, naming tool and place.
 *
 * @example
 * const add = defineTool({
 *   name: 'add',
 *   description: 'Adds two numbers.',
 *   parameters: { a: { type: 'number', required: true }, b: { type: 'number', required: true } },
 *   output: { schema: { type: 'number' } },
 *   execute: ({ a, b }) => a + b,
 * })
 */
export function defineTool<
  const Parameters extends ParameterSchemaSpec,
  const Output extends ValueSchemaSpec,
  const Returned,
>(
  spec: ToolSpec<Parameters, Output, Returned> & Returning<Parameters, Output, Returned>,
): ToolDefinition<InferArgs<Parameters>, InferValue<Output>> {
  // Inside, types are erased: inference over an unknown literal would not end.
  return build(spec as unknown as LooseSpec) as ToolDefinition<InferArgs<Parameters>, InferValue<Output>>
}

type LooseSpec = Omit<ToolDefinition, 'parameters' | 'output'> & {
  readonly parameters: ParameterSchemaSpec
  readonly output: ToolOutputSpec<unknown, JsonValue, ValueSchemaSpec>
}

function build(spec: LooseSpec): ToolDefinition {
  const { name, description, output, finalizeContent, timeoutMs, isConcurrencySafe, presentCall, presentResult } = spec
  const owner = `tool ${quoteName(String(name))}`
  if (typeof output !== 'object' || output === null) {
    throw new HarnessError('INVALID_TOOL_DEFINITION', `The ${owner} has no output: give it { schema, render? }.`)
  }
  const parameters = parameterSchemaSpecToJsonSchema(spec.parameters, `${owner}: parameters`)
  const schema = valueSchemaSpecToJsonSchema(output.schema, `${owner}: output.schema`)
  const check = new ArgumentCheck(name, compileSchema(parameters, { owner, kind: 'parameters', trusted: true }))
  // Enforced by the pipeline; here an author hears at once what registration would refuse.
  compileSchema(schema, { owner, kind: 'output', trusted: true })
  return {
    name,
    description,
    parameters,
    output: {
      schema,
      render: output.render?.bind(output) ?? renderPlainly,
      ...(output.presentationMeta && { presentationMeta: output.presentationMeta.bind(output) }),
    },
    execute: (args, exec) => spec.execute(check.require(args), exec),
    ...(finalizeContent && { finalizeContent: finalizeContent.bind(spec) }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(isConcurrencySafe && {
      isConcurrencySafe: (args) => check.admit(args, (fitting) => isConcurrencySafe.call(spec, fitting)) === true,
    }),
    ...(presentCall && {
      presentCall: (args) => softly(() => check.admit(args, (fitting) => presentCall.call(spec, fitting))),
    }),
    ...(presentResult && {
      presentResult: (args, result) =>
        softly(() => check.admit(args, (fitting) => presentResult.call(spec, fitting, result))),
    }),
  }
}

/** The check of one tool's arguments, compiled once. */
class ArgumentCheck {
  readonly #name: string
  readonly #schema: CompiledSchema

  constructor(name: string, schema: CompiledSchema) {
    this.#name = name
    this.#schema = schema
  }

  /** The arguments, frozen. Throws ToolArgsError with every violation, and NOT_LOSSLESS_JSON for what is no data. */
  require(args: unknown): JsonValue {
    const frozen = snapshot(args, 'args')
    const violations = this.#schema.violations(frozen, 'args')
    if (violations.length > 0) throw new ToolArgsError(this.#name, violations)
    return frozen
  }

  /** What `use` says of arguments that fit, frozen; `undefined` for others, which may be anything: presenters read logs. */
  admit<Answer>(args: unknown, use: (fitting: JsonValue) => Answer): Answer | undefined {
    if (!isLosslessJson(args)) return undefined
    const frozen = snapshot(args, 'args')
    return this.#schema.violations(frozen, 'args').length === 0 ? use(frozen) : undefined
  }
}

/** A view, or none: presenters are for show, and never fail anything. */
function softly<View>(present: () => View | undefined): View | undefined {
  try {
    return present()
  } catch {
    return undefined
  }
}

function renderPlainly(_args: unknown, value: JsonValue): string {
  return typeof value === 'string' ? value : stringify(value)
}
