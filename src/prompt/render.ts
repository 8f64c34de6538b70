// An assembly as text.
import type { PromptAssembly } from './types.ts'

/** The sections of an assembly, in its order, with a blank line between them; blank ones are left out. Tools are sent beside the text. */
export function renderPrompt(assembly: PromptAssembly): string {
  return assembly.sections
    .map((section) => section.text.trimEnd())
    .filter((text) => text !== '')
    .join('\n\n')
}
