// What sections, tool providers and variables are, and what an assembly consists of (contract F1). Types only.
import type { JsonObject } from '../json/json-value.ts'
import type { ScopeKey } from '../scope/scope.ts'

/** What is assembled for whom; handed to every provider and to `system-prompt/assemble` listeners. */
export interface PromptRequest {
  /** The agent (or other scope) whose prompt it is; absent: the view of no agent in particular. */
  readonly scope?: ScopeKey
  /** Cancellation; providers that wait should observe it. */
  readonly signal?: AbortSignal
}

/** A named piece of the prompt. */
export interface PromptSection {
  /** Unique in its layer; a scope's section shadows an inherited one of the same name. */
  readonly name: string
  /** Sections stand in ascending order, those of equal order by name. Finite. */
  readonly order: number
  /**
   * A string is a template: every `{{variable}}` in it must be registered. What a function answers is taken as it is (it
   * may hold text of strangers), and `undefined` leaves the section out, a shadowed one of the same name included.
   */
  readonly text: string | ((request: PromptRequest) => string | undefined | Promise<string | undefined>)
}

/** A tool as a model is told of it. */
export interface PromptTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly parameters: JsonObject | boolean
}

/** What a provider contributes when it says more than its tools. */
export interface ToolContribution {
  readonly tools: readonly PromptTool[]
  /** Further names that `toolOrder` may list although they are not contributed now: reserved names, hidden tools. */
  readonly known?: Iterable<string>
}

/** Contributes tools to an assembly. */
export type PromptToolProvider = (
  request: PromptRequest,
) => readonly PromptTool[] | ToolContribution | Promise<readonly PromptTool[] | ToolContribution>

/** Gives the value of a variable, at most once an assembly and only if it is used. A string is that value. */
export type PromptVariableProvider = string | ((request: PromptRequest) => string | Promise<string>)

/** A section with its text. */
export interface AssembledSection {
  readonly name: string
  readonly order: number
  readonly text: string
}

/** A prompt, ready to be rendered and sent. */
export interface PromptAssembly {
  readonly sections: readonly AssembledSection[]
  readonly tools: readonly PromptTool[]
}
