// What code mode may ask of the world. It cuts the knot between code mode and the pipeline: code mode is handed an
// `execute` function and a view of the registry. `src/tool-runtime/service.ts` implements it.
import type { CodeRuntimeService } from '../runtime/service.ts'
import type { Agent } from '../scope/agent.ts'
import type { RegisteredTool } from '../tools/environment.ts'
import type { PresentationMode } from '../tools/names.ts'
import type { SdkRenderer } from '../tools/sdk-renderer.ts'
import type { CodeLogEvent } from './events.ts'
import type { SubCallScheduler } from './sub-calls.ts'

/** What an agent's presentation is, with the defaults of the service filled in. */
export interface Presentation {
  readonly mode: PresentationMode
  /** Languages that `run_code` takes; empty means the runtime's first. */
  readonly languages: readonly string[]
}

/** The world as code mode sees it. One instance serves all calls of a tool runtime. */
export interface CodeModeHost {
  /** Tools that the scope sees, in lexicographic order, `run_code` excluded: another list whenever a registration changed. */
  list(scope: object | undefined): readonly RegisteredTool[]
  presentation(scope: object | undefined): Presentation
  renderer(language: string): SdkRenderer | undefined
  /** Languages that have a renderer, for messages. */
  rendererLanguages(): readonly string[]
  /** The mounted code runtime, looked up for each use. */
  codeRuntime(): CodeRuntimeService | undefined
  /** A scheduler for the sub-calls of one program. */
  scheduler(): SubCallScheduler
  /** Emits `tools/code-log`; never throws. */
  emitLog(agent: Agent | undefined, event: CodeLogEvent): void
}
