// What a scope's model is shown (contract F2–F5): native schemas, `run_code` with the SDK text, or both. The SDK text is
// rendered once per set of tools and kept until the registry changes.
import type { PromptRequest } from '../prompt/types.ts'
import type { ToolSchema } from '../tools/definition.ts'
import type { RegisteredTool } from '../tools/environment.ts'
import type { SdkTool } from '../tools/sdk-renderer.ts'
import type { CodeModeHost } from './host.ts'
import { type ReadyLanguage, readyLanguages } from './languages.ts'
import { runCodeSchema } from './request.ts'

/** Name and order of the rule that only `run_code` may be called directly. */
export const CODE_ONLY_SECTION = { name: 'tools:code-only', order: 99 } as const
/** Name and order of the generated SDK. */
export const SDK_SECTION = { name: 'tools:sdk', order: 150 } as const

interface Rendered {
  readonly text: string
  readonly declarations: string
}

/** Answers the prompt's providers for a tool runtime. */
export class CodePresentation {
  private readonly host: CodeModeHost
  /** By the list of tools that was rendered, which scopes that see the same share; then by language. */
  private readonly cache = new WeakMap<readonly RegisteredTool[], Map<string, Rendered>>()

  constructor(host: CodeModeHost) {
    this.host = host
  }

  /** Schemas that the mode contributes. */
  tools(scope: object | undefined, native: () => readonly ToolSchema[]): readonly ToolSchema[] {
    const { mode } = this.host.presentation(scope)
    if (mode === 'native') return native()
    const runCode = runCodeSchema(readyLanguages(this.host, scope))
    return mode === 'code' ? [runCode] : [...native(), runCode]
  }

  /** Text of the `tools:code-only` section; `undefined` unless the mode is `code`. */
  codeOnlyText({ scope }: PromptRequest): string | undefined {
    if (this.host.presentation(scope).mode !== 'code') return undefined
    return unique(readyLanguages(this.host, scope).map(({ renderer }) => renderer.program.codeOnlyRule)).join('\n')
  }

  /** Text of the `tools:sdk` section; `undefined` in native mode. */
  sdkText({ scope }: PromptRequest): string | undefined {
    if (this.host.presentation(scope).mode === 'native') return undefined
    return readyLanguages(this.host, scope)
      .map((ready) => this.rendered(scope, ready).text)
      .join('\n\n')
  }

  /** Ambient declarations that a program of this scope is checked against. */
  declarations(scope: object | undefined, ready: ReadyLanguage): string {
    return this.rendered(scope, ready).declarations
  }

  private rendered(scope: object | undefined, { language, renderer }: ReadyLanguage): Rendered {
    const visible = this.host.list(scope)
    const byLanguage = this.cache.get(visible) ?? new Map<string, Rendered>()
    this.cache.set(visible, byLanguage)
    const known = byLanguage.get(language)
    if (known !== undefined) return known
    const tools = visible.map(
      ({ definition }): SdkTool => ({
        name: definition.name,
        description: definition.description,
        parameters: definition.parameters,
        output: definition.output.schema,
      }),
    )
    const rendered = { text: renderer.render(tools), declarations: renderer.declarations(tools) }
    byLanguage.set(language, rendered)
    return rendered
  }
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}
