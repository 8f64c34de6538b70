// `{{variable}}` references in section templates (contract F1). Strict: a reference that is malformed or unknown fails the
// assembly. Values are put in as they are and never searched for references again.
import { quoteName, quoteNames } from '../errors/names.ts'
import { PromptError } from './prompt-error.ts'

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/

/** True when a variable can have this name. */
export function isVariableName(name: string): boolean {
  return NAME.test(name)
}

/** Where references are looked up; `undefined` for an unknown name. */
export interface VariableSource {
  valueOf(name: string): Promise<string> | undefined
  names(): Iterable<string>
}

type Part = string | { readonly variable: string }

/** The template of a section with its references replaced. Rejects with `INVALID_PROMPT`. */
export async function expandTemplate(section: string, template: string, source: VariableSource): Promise<string> {
  const parts = parseTemplate(section, template)
  const texts = parts.map((part) => {
    if (typeof part === 'string') return part
    const value = source.valueOf(part.variable)
    if (value !== undefined) return value
    throw new PromptError(
      `Section ${quoteName(section)} refers to {{${part.variable}}}, and there is no such variable (registered: ${quoteNames(source.names())}). Correct the reference, or register it with systemPrompt.variable(name, provider).`,
    )
  })
  return (await Promise.all(texts)).join('')
}

function parseTemplate(section: string, template: string): Part[] {
  const parts: Part[] = []
  let at = 0
  for (let open = template.indexOf('{{'); open >= 0; open = template.indexOf('{{', at)) {
    const close = template.indexOf('}}', open + 2)
    const variable = close < 0 ? '' : template.slice(open + 2, close).trim()
    if (!isVariableName(variable)) {
      throw new PromptError(
        `Section ${quoteName(section)} has "{{" at offset ${open} and no reference of the form {{variable}} there. Correct it; text that is no template is given by a function: text: () => "…".`,
      )
    }
    parts.push(template.slice(at, open), { variable })
    at = close + 2
  }
  parts.push(template.slice(at))
  return parts
}
