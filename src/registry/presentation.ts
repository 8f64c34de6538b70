// How one scope's tools are shown to its model (contract C8, F6): a declaration a scope, inherited down the chain. What a
// mode contributes is decided elsewhere (src/codemode/presentation.ts); here declarations are checked and kept.
import type { Context } from '@deepseek-ai/cordis'
import { HarnessError } from '../errors/harness-error.ts'
import type { Changes } from '../scope/changes.ts'
import { Layered } from '../scope/layered.ts'
import { type ScopeKey, scopeOf } from '../scope/scope.ts'
import { PRESENTATION_MODES, type PresentationMode } from '../tools/names.ts'

/** Options of a declaration; one of the two, or none for the runtime's first language. */
export interface PresentationOptions {
  /** The language of this scope's programs. */
  readonly language?: string
  /** Several languages; each program then names its own in the `language` argument of `run_code`. */
  readonly languages?: readonly string[]
}

/** A declaration as it was made. */
export interface PresentationDeclaration {
  readonly mode: PresentationMode
  readonly options: PresentationOptions
}

/** The declarations of one registry. */
export class Presentations {
  private readonly layers = new Layered<{ declared?: PresentationDeclaration | undefined }>(() => ({}))
  private readonly changes: Changes

  constructor(changes: Changes) {
    this.changes = changes
  }

  /** Declares a scope's presentation as an effect of the fiber of `ctx`. Throws `INVALID_PRESENTATION`. */
  declare(ctx: Context, mode: PresentationMode, options: PresentationOptions = {}): () => void {
    const scope = scopeOf(ctx)
    if (scope === undefined) {
      throw refuse(
        'it selects one agent’s presentation; call it on agent.ctx.tools. For all agents, set `mode` in the configuration of ToolRuntime.',
      )
    }
    const declared = readDeclaration(mode, options)
    return this.changes.register(ctx, `tools.presentAs(${mode})`, () => {
      const layer = this.layers.open(scope)
      if (layer.declared !== undefined) {
        throw refuse(`this scope is presented as "${layer.declared.mode}" already. Dispose that declaration first.`)
      }
      layer.declared = declared
      return () => {
        layer.declared = undefined
      }
    })
  }

  /** The nearest declaration of the scope's chain. */
  of(scope: ScopeKey | undefined): PresentationDeclaration | undefined {
    for (const { declared } of this.layers.outward(scope)) if (declared !== undefined) return declared
    return undefined
  }
}

function readDeclaration(mode: unknown, options: PresentationOptions): PresentationDeclaration {
  const known = PRESENTATION_MODES.find((candidate) => candidate === mode)
  if (known === undefined) throw refuse(`the mode must be one of ${PRESENTATION_MODES.join(', ')}.`)
  const { language, languages } = options
  if (language !== undefined && languages !== undefined) throw refuse('give `language` or `languages`, not both.')
  if (language !== undefined) {
    if (!isLanguage(language)) throw refuse('`language` must be the id of a language, such as "typescript".')
    return Object.freeze({ mode: known, options: Object.freeze({ language }) })
  }
  if (languages === undefined) return Object.freeze({ mode: known, options: Object.freeze({}) })
  const list: readonly unknown[] = Array.isArray(languages) ? [...languages] : []
  if (list.length === 0 || !list.every(isLanguage) || new Set(list).size !== list.length) {
    throw refuse('`languages` must be a list of different ids of languages, such as ["typescript", "python"].')
  }
  return Object.freeze({ mode: known, options: Object.freeze({ languages: Object.freeze(list) }) })
}

function isLanguage(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function refuse(problem: string): HarnessError {
  return new HarnessError('INVALID_PRESENTATION', `presentAs: ${problem}`)
}
