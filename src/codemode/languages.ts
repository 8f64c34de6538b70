// Which language a program is in, and the renderer that belongs to it (contract F4, F6). Fails loudly, saying what to mount.
import { HarnessError } from '../errors/harness-error.ts'
import type { CodeRuntimeService } from '../runtime/service.ts'
import type { SdkRenderer } from '../tools/sdk-renderer.ts'
import type { CodeModeHost } from './host.ts'

/** A language that can be run and shown. */
export interface ReadyLanguage {
  readonly language: string
  readonly renderer: SdkRenderer
  readonly runtime: CodeRuntimeService
}

/**
 * The languages that a scope's `run_code` takes; a program has to name its own where there are several.
 * Throws `NO_CODE_RUNTIME` or `NO_SDK_RENDERER` when one of them cannot be served.
 */
export function readyLanguages(host: CodeModeHost, scope: object | undefined): readonly ReadyLanguage[] {
  const runtime = host.codeRuntime()
  const { mode, languages } = host.presentation(scope)
  if (runtime === undefined || runtime.languages.length === 0) {
    throw new HarnessError(
      'NO_CODE_RUNTIME',
      `Presentation mode "${mode}" needs a code runtime, and none is mounted. Mount one, for example ctx.plugin(TypeScriptRuntime) from "runcell/typescript", or select mode "native".`,
    )
  }
  const wanted = languages.length > 0 ? languages : runtime.languages.slice(0, 1)
  return wanted.map((language) => {
    if (!runtime.languages.includes(language)) {
      throw new HarnessError(
        'NO_CODE_RUNTIME',
        `No code runtime for "${language}" is mounted (mounted: ${runtime.languages.join(', ')}). Mount one for it, or select another language.`,
      )
    }
    const renderer = host.renderer(language)
    if (renderer === undefined) {
      throw new HarnessError(
        'NO_SDK_RENDERER',
        `Language "${language}" has no SDK renderer (registered: ${host.rendererLanguages().join(', ') || 'none'}). Register one with ctx.tools.sdkRenderer(renderer).`,
      )
    }
    return { language, renderer, runtime }
  })
}
