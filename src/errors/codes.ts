// The table of codes: what each means and what to do about it. A test holds it to the docs and to the classes.
// A code is never reused for another meaning; one that is no longer thrown moves to RETIRED_CODES.

/** What one code stands for. */
export interface CodeEntry {
  /** When it is raised. */
  readonly meaning: string
  /** What the person (or model) who meets it can do. */
  readonly remedy: string
}

export const ERROR_CODES = {
  NOT_LOSSLESS_JSON: {
    meaning: 'A value that crosses the boundary of a call is not lossless JSON; the message names the path.',
    remedy:
      'Pass null, booleans, finite numbers, strings, dense arrays and plain objects only; convert dates and maps first.',
  },
  INVALID_ARGS: {
    meaning: 'The arguments of a call do not fit the parameters that its tool declares.',
    remedy: 'Correct every listed path and call again; nothing was executed.',
  },
  UNKNOWN_TOOL: {
    meaning: 'No tool of that name is visible to the caller, or in code mode it may only be called from a program.',
    remedy: 'Use a name from the tool list; in code mode call it as a member of `tools` inside a run_code program.',
  },
  INVALID_TOOL_OUTPUT: {
    meaning: 'A tool returned a value that its own output schema refuses, or its renderer failed.',
    remedy: 'Mend the tool (or its output schema); the call may have had effects already.',
  },
  CODE_RUN_FAILED: {
    meaning:
      'A run_code program did not complete; the message names the kind (exception, timeout, abort, worker-exit, …).',
    remedy: 'Read the message and the list of calls that were committed before deciding whether to try again.',
  },
  ABORTED: {
    meaning: 'The caller cancelled the call after its body had started; its effects may have happened.',
    remedy: 'Check what the tool did before calling it again.',
  },
  ABORTED_BEFORE_DISPATCH: {
    meaning: 'The caller cancelled the call before its body started; nothing was executed.',
    remedy: 'Call again if the work is still wanted.',
  },
  TOOL_TIMEOUT: {
    meaning: 'The body of a tool did not settle within its `timeoutMs`; its signal was aborted and it was awaited.',
    remedy: 'Ask for less in one call, or raise the timeout of the tool.',
  },
  TOOL_DENIED: {
    meaning: 'A policy listener, a guard or the approval step refused the call; the message has the reason.',
    remedy: 'Follow the reason; do not repeat the same call unchanged.',
  },
  TOOL_BLOCKED: {
    meaning: 'A post-execute listener withheld the result of a call whose body had run; the message is its feedback.',
    remedy: 'Follow the feedback; the effects of the call have happened.',
  },
  INVALID_CALL: {
    meaning: '`execute` was given something that is no call; the message names the field.',
    remedy: 'Pass `{ callId, name, arguments, signal, agent?, parent? }`; nothing was executed.',
  },
  INVALID_CONTENT: {
    meaning: 'Content blocks or a context message have none of the documented shapes; the message names the path.',
    remedy: 'Use text, image, audio or resource blocks, and contexts of the form `{ id, role: "user", content }`.',
  },
  CALL_ENDED: {
    meaning:
      'A tool or a wrapper kept a function of a call (`next`, `deferContext`) and used it after the call had ended.',
    remedy: 'Await all work before the body or the wrapper settles.',
  },
  INVALID_POLICY_DECISION: {
    meaning: 'A listener of a pipeline event answered with something that is no decision.',
    remedy: 'Mend the listener: it answers with one of the documented decision objects, or with what `next()` gave it.',
  },
  INVALID_TOOL_DEFINITION: {
    meaning: 'A tool definition was refused at registration; the message names the tool and the field.',
    remedy: 'Mend the named field.',
  },
  DUPLICATE_TOOL: {
    meaning: 'The same layer has a tool of that name already.',
    remedy:
      "Choose another name, dispose the first registration, or register the variant through one agent's `agent.ctx`.",
  },
  RESERVED_TOOL_NAME: {
    meaning: '`run_code` belongs to the registry in every mode.',
    remedy: 'Choose another name.',
  },
  INVALID_RESTRICTION: {
    meaning: '`restrict` was called without a scope, with an empty filter, or with names that cannot be restricted.',
    remedy: 'Call it on `agent.ctx.tools`, with names that the agent inherits.',
  },
  INVALID_SCHEMA: {
    meaning: 'A schema is malformed, too large, too deep, or expands to too many paths to be checked safely.',
    remedy: 'Simplify the schema at the named place.',
  },
  INVALID_SCOPE: {
    meaning: 'A scope key was bound twice, or its parents would form a cycle.',
    remedy: 'Bind a key to one parent, once, before it is used.',
  },
  INVALID_PRESENTATION: {
    meaning: '`presentAs` was called without a scope, twice in one scope, or with an unknown mode or language.',
    remedy: 'Call it once, on `agent.ctx.tools`, with native, code or both.',
  },
  INVALID_RENDERER: {
    meaning: 'An SDK renderer was refused: its shape is incomplete, or its language has one already.',
    remedy: 'Give every member of `SdkRenderer`; dispose the other renderer of that language first.',
  },
  INVALID_PROMPT: {
    meaning:
      'The system prompt cannot be assembled or added to: a malformed section, a taken name, an unknown `{{variable}}`, a `toolOrder` entry that nothing contributes, or a provider or listener that failed.',
    remedy: 'Correct the named section, variable, tool or entry.',
  },
  NO_CODE_RUNTIME: {
    meaning: 'A code mode is selected, but no code runtime (or none for that language) is mounted.',
    remedy: 'Mount one, for example `ctx.plugin(TypeScriptRuntime)` from `runcell/typescript`.',
  },
  NO_SDK_RENDERER: {
    meaning: 'The language of the code runtime has no SDK renderer.',
    remedy: 'Register one with `ctx.tools.sdkRenderer(renderer)`.',
  },
  INVALID_BINDINGS: {
    meaning: 'A run was asked for with a binding global or function name that a runtime refuses.',
    remedy: 'Use a portable identifier that is no reserved word and is not owned by the runtime.',
  },
  RUNTIME_DISPOSED: {
    meaning: 'A run was asked for after its runtime was disposed.',
    remedy: 'Mount the runtime again.',
  },
  SANDBOX_START: {
    meaning: 'No sandbox could be started for a program; the message has what the process said.',
    remedy:
      'Check that this Node can load the addon isolated-vm and may start processes; the log of the runtime has the details.',
  },
  INVALID_CONFIG: {
    meaning: 'A configuration value is refused; the message names the key and the rule.',
    remedy: 'Correct the named key.',
  },
  MCP_CONFIG: {
    meaning: 'The `mcpServers` configuration cannot be read; the message names the file and the place.',
    remedy:
      'Correct it; the shape is that of other MCP hosts: { "mcpServers": { "<name>": { "command": …, "args": […] } } }.',
  },
  MCP_SERVER: {
    meaning:
      'An MCP server did not start, did not answer, or closed its connection; the message has what it wrote to stderr.',
    remedy: 'Run its command by hand; check its arguments and credentials.',
  },
  MCP_TOOL: {
    meaning: 'An MCP server answered a tool call with an error.',
    remedy: 'Read its message; it comes from the server.',
  },
} as const satisfies Record<string, CodeEntry>

/** A code of the table. */
export type ErrorCode = keyof typeof ERROR_CODES

/** Codes that were once thrown; they stay reserved. */
export const RETIRED_CODES: readonly string[] = []
