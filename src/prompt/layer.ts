// What one scope has registered with the prompt service, and what each registration must look like.
import { quoteName } from '../errors/names.ts'
import { PromptError } from './prompt-error.ts'
import type { PromptSection, PromptToolProvider, PromptVariableProvider } from './types.ts'
import { isVariableName } from './variables.ts'

/** One scope's own part of the prompt, or the global part. */
export class PromptLayer {
  readonly sections = new Map<string, PromptSection>()
  /** One entry a registration, in order. */
  readonly providers = new Set<{ readonly provide: PromptToolProvider }>()
  readonly variables = new Map<string, PromptVariableProvider>()
}

/** Reads a section once. Throws `INVALID_PROMPT`. */
export function readSection(section: PromptSection): PromptSection {
  const { name, order, text } = section
  if (typeof name !== 'string' || name === '') throw new PromptError('A section needs a name, a non-empty string.')
  if (typeof order !== 'number' || !Number.isFinite(order)) {
    throw new PromptError(`Section ${quoteName(name)} needs \`order\`, a finite number.`)
  }
  if (typeof text !== 'string' && typeof text !== 'function') {
    throw new PromptError(`Section ${quoteName(name)} needs \`text\`, a string or a function that answers one.`)
  }
  return Object.freeze({ name, order, text })
}

/** Throws `INVALID_PROMPT` unless a variable can be registered like this. */
export function checkVariable(name: string, provider: PromptVariableProvider): void {
  if (typeof name !== 'string' || !isVariableName(name)) {
    throw new PromptError(
      `${quoteName(String(name))} cannot name a variable. Use letters, digits, "_", "-" and ".", beginning with a letter or "_".`,
    )
  }
  if (typeof provider !== 'string' && typeof provider !== 'function') {
    throw new PromptError(`Variable ${quoteName(name)} needs a string, or a function that answers one.`)
  }
}
