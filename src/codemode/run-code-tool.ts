// The reserved definition of `run_code` and its body (contract H). A definition is made for each call, so that what one
// run leaves beside its value (usage, ledger) stays with that call.
//
//   arguments ─▶ request ─▶ bindings over SubCalls ─▶ codeRuntime.run ─▶ drain ─▶ value, or CODE_RUN_FAILED
import { CodeRunFailedError } from '../errors/tool-errors.ts'
import type { JsonObject, JsonValue } from '../json/json-value.ts'
import type { BindingFunction, BindingNamespace, CodeRunResult, LogLevel } from '../runtime/code-runtime.ts'
import type { Agent } from '../scope/agent.ts'
import type { JsonSchema, ToolDefinition } from '../tools/definition.ts'
import type { ToolRunContext } from '../tools/execution.ts'
import { RUN_CODE_NAME } from '../tools/names.ts'
import type { CodeModeHost } from './host.ts'
import { readyLanguages } from './languages.ts'
import type { CodePresentation } from './presentation.ts'
import { type ProgramRequest, readRequest } from './request.ts'
import { SubCalls } from './sub-calls.ts'
import { describeFailure, describeSuccess, type RunCodeValue } from './text.ts'
import { runMeta } from './usage-meta.ts'

/** Global of the program that holds the tools (contract H2). */
export const TOOLS_GLOBAL = 'tools'
/** After this long a drain says which bodies it waits for (contract H7). */
const SLOW_DRAIN_MS = 5_000

/** JSON Schema of the canonical value of `run_code` (contract H8). */
export const RUN_CODE_OUTPUT: JsonSchema = {
  type: 'object',
  properties: { logs: { type: 'array', items: { type: 'string' } }, result: true },
  required: ['logs'],
  additionalProperties: false,
}

/** Makes the definition that serves one call of `run_code`. What a model is told of it is `runCodeSchema`'s. */
export function runCodeDefinition(
  host: CodeModeHost,
  presentation: CodePresentation,
): ToolDefinition<JsonValue, JsonValue> {
  let meta: JsonObject | undefined
  return {
    name: RUN_CODE_NAME,
    description: 'Runs a program that calls tools.',
    parameters: true,
    output: {
      schema: RUN_CODE_OUTPUT,
      render: (_args, value) => describeSuccess(value as unknown as RunCodeValue),
      presentationMeta: () => meta,
    },
    execute: async (args, exec) => {
      const request = readRequest(args, readyLanguages(host, exec.agent))
      const subCalls = new SubCalls(host.scheduler(), {
        callId: exec.callId,
        token: exec.token,
        program: request.code,
        deferContext: (context) => exec.deferContext(context),
        ...(exec.agent && { agent: exec.agent }),
      })
      const result = await runAndDrain(host, presentation, request, exec, subCalls)
      const ledger = subCalls.ledger()
      meta = runMeta(result.usage, ledger, result.error)
      if (result.error !== undefined) {
        throw new CodeRunFailedError(result.error.kind, describeFailure(result.error, result.logs, ledger), { meta })
      }
      return { logs: result.logs, ...(result.value !== undefined && { result: result.value }) }
    },
  }
}

/** Runs the program, then aborts and awaits what it left open, however it ended (contract H7). */
async function runAndDrain(
  host: CodeModeHost,
  presentation: CodePresentation,
  { code, language }: ProgramRequest,
  exec: ToolRunContext,
  subCalls: SubCalls,
): Promise<CodeRunResult> {
  const log = (text: string, level: LogLevel) =>
    host.emitLog(exec.agent, { callId: exec.callId, level, text, ...(exec.agent && { agent: exec.agent }) })
  try {
    return await language.runtime.run({
      program: code,
      language: language.language,
      bindings: [toolsNamespace(host, exec.agent, language.renderer.program.errorClass, subCalls)],
      declarations: presentation.declarations(exec.agent, language),
      signal: exec.signal,
      onLog: log,
    })
  } finally {
    await subCalls.drain(
      (open) => log(`run_code waits for calls that do not settle: ${open.join(', ')}`, 'warn'),
      SLOW_DRAIN_MS,
    )
  }
}

/** One own property per tool that the agent sees, whatever its name (contract H2). */
function toolsNamespace(
  host: CodeModeHost,
  agent: Agent | undefined,
  errorClass: { readonly name: string; readonly memberNameProperty: string },
  subCalls: SubCalls,
): BindingNamespace {
  const functions: Record<string, BindingFunction> = Object.create(null)
  for (const { definition } of host.list(agent)) {
    const { name } = definition
    functions[name] = (args) => subCalls.submit(name, args)
  }
  return { global: TOOLS_GLOBAL, functions, errorClass, onRefused: (name) => subCalls.refuse(name) }
}
