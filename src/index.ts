// The public names of `runcell`, one by one. Loads neither an engine nor a compiler: those come with `runcell/typescript`,
// and `createCell` loads them when it mounts a runtime.
export { CC_TO_HARNESS_TOOLS, KNOWN_HARNESS_TOOLS } from './cc-names/map.ts'
export {
  ccCanonicalToolName,
  ccToolAliases,
  type TranslationDiagnostic,
  type TranslationPolicy,
  translateToolNames,
} from './cc-names/translate.ts'
export type { CodeLogEvent } from './codemode/events.ts'
export type { LedgerEntry } from './codemode/ledger.ts'
export { ERROR_CODES, type ErrorCode } from './errors/codes.ts'
export { HarnessError, type HarnessErrorOptions } from './errors/harness-error.ts'
export {
  CodeRunFailedError,
  TOOL_ABORTED,
  TOOL_ABORTED_BEFORE_DISPATCH,
  TOOL_TIMEOUT,
  ToolArgsError,
  ToolNotFoundError,
  ToolOutputError,
  type Violation,
} from './errors/tool-errors.ts'
export type { JsonArray, JsonObject, JsonPrimitive, JsonValue } from './json/json-value.ts'
export { toolTimeouts } from './pipeline/timeouts.ts'
export {
  type Cell,
  type CellCall,
  type CellOptions,
  type CellRunOptions,
  createCell,
} from './presets/create-cell.ts'
export { renderPrompt } from './prompt/render.ts'
export { type PromptAssembly, type PromptRequest, type PromptSection, SystemPrompt } from './prompt/service.ts'
export type { RestrictionFilter } from './registry/restrictions.ts'
export { DEFAULT_LIMITS } from './runtime/budgets.ts'
export type {
  BindingFunction,
  BindingNamespace,
  CodeRunError,
  CodeRunErrorKind,
  CodeRunner,
  CodeRunRequest,
  CodeRunResult,
  LogLevel,
  RunLimits,
  RunUsage,
} from './runtime/code-runtime.ts'
export { CodeRuntime, type CodeRuntimeService, CodeRuntimes } from './runtime/service.ts'
export type { ParameterSchemaSpec, PropertySpec, ValueSchemaSpec } from './schema/dsl.ts'
export type { InferArgs, InferValue } from './schema/infer.ts'
export { parameterSchemaSpecToJsonSchema, valueSchemaSpecToJsonSchema } from './schema/lower.ts'
export { validateArgs } from './schema/validator.ts'
export { type Agent, type AgentOptions, type AgentSession, createAgent } from './scope/agent.ts'
export { bindScopeParent, scopeChainOf } from './scope/chain.ts'
export { type ScopeTarget, scopeTarget } from './scope/delivery.ts'
export { createScope, type ScopeKey, type ScopeOptions, scopeOf } from './scope/scope.ts'
export type { ToolRuntimeConfig, ToolRuntimeConfigInput } from './tool-runtime/config.ts'
export { ToolRuntime } from './tool-runtime/service.ts'
export type { CallOutcome } from './tools/call-outcome.ts'
export type {
  AudioContent,
  ContentBlock,
  ContextMessage,
  ImageContent,
  ResourceContent,
  TextContent,
} from './tools/content.ts'
export type { ExecutionMode, PostToolDecision, PreToolDecision, ToolGuard } from './tools/decisions.ts'
export { defineTool, type ToolOutputSpec, type ToolSpec } from './tools/define-tool.ts'
export type { JsonSchema, ToolDefinition, ToolOutput, ToolSchema } from './tools/definition.ts'
export type { ApprovalOutcome, ApprovalRequest, ApprovalSeam } from './tools/environment.ts'
export type {
  ToolDispatchExecution,
  ToolExecution,
  ToolExecutionInput,
  ToolExecutionToken,
  ToolRunContext,
} from './tools/execution.ts'
export { RUN_CODE_NAME } from './tools/names.ts'
export type { ToolErrorResult, ToolExecutionResult, ToolFailure, ToolSuccessResult } from './tools/result.ts'
export type {
  SdkDetail,
  SdkErrorClass,
  SdkRenderer,
  SdkRenderOptions,
  SdkTool,
} from './tools/sdk-renderer.ts'
export type { ToolCallView, ToolResultView } from './tools/views.ts'
