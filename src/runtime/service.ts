// How runtimes mount (contract J6): alone, a runtime is `ctx.codeRuntime`; where a `CodeRuntimes` service is mounted
// first, runtimes register with it and it is `ctx.codeRuntime`, choosing by language.
import type { Context } from '@deepseek-ai/cordis'
import { HarnessError } from '../errors/harness-error.ts'
import type { CodeRunner, CodeRunRequest, CodeRunResult } from './code-runtime.ts'

declare module '@deepseek-ai/cordis' {
  interface Context {
    /** The mounted code runtime, or the one that chooses among several. */
    codeRuntime: CodeRuntimeService
  }
}

/** What `ctx.codeRuntime` offers, however many runtimes stand behind it. */
export interface CodeRuntimeService {
  /** Languages that can be run, in order of mounting; the first is the default. */
  readonly languages: readonly string[]
  /** Runs a program in `request.language`, or in the first language. */
  run(request: CodeRunRequest): Promise<CodeRunResult>
}

/**
 * The class that a runtime extends, as a Cordis plugin: `ctx.plugin(MyRuntime, config)`. Its constructor registers it with
 * the calling fiber; when that fiber ends, the runtime first stops being offered and is then disposed.
 */
export abstract class CodeRuntime implements CodeRunner, CodeRuntimeService {
  readonly language: string
  abstract readonly isolation: string

  protected constructor(ctx: Context, language: string) {
    this.language = language
    ctx.effect(() => () => this.dispose(), `codeRuntime.dispose(${language})`)
    const mounted: unknown = ctx.get('codeRuntime', false)
    if (mounted instanceof CodeRuntimes) ctx.effect(() => mounted.add(this), `codeRuntimes.add(${language})`)
    else ctx.provide('codeRuntime', this)
  }

  get languages(): readonly string[] {
    return [this.language]
  }

  abstract run(request: CodeRunRequest): Promise<CodeRunResult>

  /** Aborts runs in flight and waits for them (contract J4). Idempotent. */
  abstract dispose(): Promise<void>

  /** Throws unless the request names this language or none. */
  protected assertLanguage(request: CodeRunRequest): void {
    if (request.language !== undefined && request.language !== this.language)
      throw noRuntime(request.language, this.languages)
  }
}

/** Several runtimes behind one `ctx.codeRuntime`. Mount it before them, as a plugin: `ctx.plugin(CodeRuntimes)`. */
export class CodeRuntimes implements CodeRuntimeService {
  static readonly name = 'codeRuntimes'
  private readonly byLanguage = new Map<string, CodeRunner>()

  constructor(ctx: Context) {
    ctx.provide('codeRuntime', this)
  }

  get languages(): readonly string[] {
    return [...this.byLanguage.keys()]
  }

  /** Adds a runtime; the returned function takes it back. A second runtime of one language is refused. */
  add(runtime: CodeRunner): () => void {
    const { language } = runtime
    if (this.byLanguage.has(language)) {
      throw new HarnessError('INVALID_CONFIG', `A runtime for "${language}" is mounted already; dispose it first.`)
    }
    this.byLanguage.set(language, runtime)
    return () => {
      if (this.byLanguage.get(language) === runtime) this.byLanguage.delete(language)
    }
  }

  async run(request: CodeRunRequest): Promise<CodeRunResult> {
    const language = request.language ?? this.languages[0]
    const runtime = language === undefined ? undefined : this.byLanguage.get(language)
    if (runtime === undefined) throw noRuntime(language, this.languages)
    return runtime.run(request)
  }
}

function noRuntime(language: string | undefined, mounted: readonly string[]): HarnessError {
  const what = language === undefined ? 'No code runtime is mounted' : `No code runtime for "${language}" is mounted`
  const have = mounted.length === 0 ? '' : ` (mounted: ${mounted.join(', ')})`
  return new HarnessError(
    'NO_CODE_RUNTIME',
    `${what}${have}. Mount one, for example ctx.plugin(TypeScriptRuntime) from "runcell/typescript".`,
  )
}
