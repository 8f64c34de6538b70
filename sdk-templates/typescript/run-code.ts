// What a model reads around the declarations: the texts of the run_code tool, the rule of code mode, and the few lines at
// the head of the SDK. Every word is paid for in every conversation; tests hold their length.
import type { SdkErrorClass } from '../../src/tools/sdk-renderer.ts'

/** The class that a failed call rejects with in a program. */
export const ERROR_CLASS: SdkErrorClass = { name: 'ToolCallError', memberNameProperty: 'toolName' }

/** Description of the run_code tool. */
export const RUN_CODE_DESCRIPTION =
  'Runs a TypeScript program that calls tools through the global `tools`. You get back what it logged and the JSON value that it returned; the results of its calls stay inside it.'

/** Description of its `code` parameter. */
export const CODE_DESCRIPTION =
  'The program: the body of an async TypeScript function, with top-level `await` and `return`. No imports, no network, no files other than through `tools`.'

/** The rule of the `tools:code-only` section. */
export const CODE_ONLY_RULE =
  'Call only `run_code` directly. Every other tool is a member of `tools` inside a run_code program.'

/** The head of the SDK text. */
export const INSTRUCTIONS = `Write each run_code program as the body of an async function: top-level await and return work.
Call tools as members of tools (tools["odd-name"] where a name is no identifier), and await every call.
Start independent calls together with Promise.all; loop, filter and join in the program instead of returning raw data.
A failed call rejects with ToolCallError; catch it where the program can go on without that call.
What you console.log and the JSON value that you return come back to you, nothing else does.`

/** What stands over an index of tools, where the declarations are not printed. */
export const LOOK_UP = `// The declarations of the tools are not printed here. In a program, sdk.search(query), sdk.list(group) and
// sdk.describe(name) return them; log what you need, then write the program that uses it.`
