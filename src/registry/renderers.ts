// SDK renderers by language (contract C11). The built-in ones are registered like anybody's.
import type { Context } from '@deepseek-ai/cordis'
import { HarnessError } from '../errors/harness-error.ts'
import { quoteName } from '../errors/names.ts'
import type { Changes } from '../scope/changes.ts'
import type { SdkRenderer } from '../tools/sdk-renderer.ts'

/** The renderers of one registry; not scoped. */
export class Renderers {
  private readonly byLanguage = new Map<string, SdkRenderer>()
  private readonly changes: Changes

  constructor(changes: Changes) {
    this.changes = changes
  }

  /** Registers a renderer as an effect of the fiber of `ctx`. Throws `INVALID_RENDERER` on a bad shape and on a second one for a language. */
  add(ctx: Context, renderer: SdkRenderer): () => void {
    const language = readRenderer(renderer)
    return this.changes.register(ctx, `tools.sdkRenderer(${quoteName(language)})`, () => {
      if (this.byLanguage.has(language)) {
        throw refuse(`language ${quoteName(language)} has a renderer already. Dispose that one first.`)
      }
      this.byLanguage.set(language, renderer)
      return () => this.byLanguage.delete(language)
    })
  }

  get(language: string): SdkRenderer | undefined {
    return this.byLanguage.get(language)
  }

  /** Languages that have a renderer, in order of registration. */
  languages(): string[] {
    return [...this.byLanguage.keys()]
  }
}

/** Fails early on what would otherwise fail when a prompt is assembled. Returns the language. */
function readRenderer(renderer: SdkRenderer): string {
  const { language, runCode, program, render, declarations } = renderer
  if (typeof language !== 'string' || language === '') throw refuse('`language` must be a non-empty string.')
  const texts: readonly (readonly [string, unknown])[] = [
    ['runCode.description', runCode?.description],
    ['runCode.codeDescription', runCode?.codeDescription],
    ['program.codeOnlyRule', program?.codeOnlyRule],
    ['program.errorClass.name', program?.errorClass?.name],
    ['program.errorClass.memberNameProperty', program?.errorClass?.memberNameProperty],
  ]
  const missing = texts.find(([, text]) => typeof text !== 'string' || text === '')
  if (missing !== undefined)
    throw refuse(`the one for ${quoteName(language)} needs \`${missing[0]}\`, a non-empty string.`)
  if (typeof render !== 'function' || typeof declarations !== 'function') {
    throw refuse(`the one for ${quoteName(language)} needs the functions \`render\` and \`declarations\`.`)
  }
  return language
}

function refuse(problem: string): HarnessError {
  return new HarnessError('INVALID_RENDERER', `sdkRenderer refuses this renderer: ${problem}`)
}
