// The interface of an SDK renderer (contract I1): all that differs by language when tools are shown to a model as an SDK.
// Pure, total and deterministic: whatever a schema says, a renderer gives something true and never throws; what it
// cannot express becomes the language's widest type. Built-in ones are registered like anybody's (contract C11).
import type { JsonSchema } from './definition.ts'

/** A tool as a renderer sees it. */
export interface SdkTool {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments. */
  readonly parameters: JsonSchema
  /** JSON Schema of the value that a call resolves to. */
  readonly output: JsonSchema
}

/** How much the SDK text says (contract F7). */
export type SdkDetail = 'full' | 'signatures' | 'index'

/** Options of one rendering. */
export interface SdkRenderOptions {
  /** Default `full`. */
  readonly detail?: SdkDetail
}

/** The class that a failed sub-call rejects with, in the program's language. */
export interface SdkErrorClass {
  /** Name of the class, a portable identifier. */
  readonly name: string
  /** Property that holds the name of the tool that failed. */
  readonly memberNameProperty: string
}

/** One language's SDK. */
export interface SdkRenderer {
  /** Language id as the runtime reports it: `typescript`, `python`. */
  readonly language: string
  /** Texts of the `run_code` tool for this language. */
  readonly runCode: {
    readonly description: string
    readonly codeDescription: string
  }
  readonly program: {
    readonly errorClass: SdkErrorClass
    /** The rule of the `tools:code-only` section: only run_code may be called directly. */
    readonly codeOnlyRule: string
  }
  /** The text of the `tools:sdk` section for these tools, in lexicographic order whatever the order given. */
  render(tools: readonly SdkTool[], options?: SdkRenderOptions): string
  /** Ambient declarations that a program is checked against: the same types as `render`, without the prose around them. */
  declarations(tools: readonly SdkTool[]): string
}
