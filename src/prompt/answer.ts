// Checks what providers and `system-prompt/assemble` listeners answer, and rebuilds it: what goes on holds exactly the
// documented fields, and no later change to the answer reaches it.
import { quoteName } from '../errors/names.ts'
import { PromptError } from './prompt-error.ts'
import type { AssembledSection, PromptAssembly, PromptTool } from './types.ts'

/** The authoritative answer of the waterfall, rebuilt. Throws `INVALID_PROMPT` when it has another shape. */
export function checkAssembly(answer: unknown): PromptAssembly {
  const { sections, tools } = fieldsOf(answer)
  if (!Array.isArray(sections) || !Array.isArray(tools)) {
    throw new PromptError(
      'A system-prompt/assemble listener answered with something that is no assembly. It must answer { sections, tools }, or what next() gave it.',
    )
  }
  const checked = tools.map(checkTool)
  const names = new Set<string>()
  for (const { name } of checked) {
    if (names.has(name))
      throw new PromptError(`A system-prompt/assemble listener answered with tool ${quoteName(name)} twice.`)
    names.add(name)
  }
  return { sections: sections.map(checkSection), tools: checked }
}

/** A contributed tool with exactly its three fields. Throws `INVALID_PROMPT`. */
export function checkTool(tool: unknown): PromptTool {
  const { name, description, parameters } = fieldsOf(tool)
  if (typeof name !== 'string' || name === '')
    throw new PromptError('A contributed tool needs a name, a non-empty string.')
  if (typeof description !== 'string')
    throw new PromptError(`Contributed tool ${quoteName(name)} needs a description, a string.`)
  const isSchema = typeof parameters === 'boolean' || (typeof parameters === 'object' && parameters !== null)
  if (!isSchema) throw new PromptError(`Contributed tool ${quoteName(name)} needs parameters, a JSON Schema.`)
  return { name, description, parameters: parameters as PromptTool['parameters'] }
}

function checkSection(section: unknown): AssembledSection {
  const { name, order, text } = fieldsOf(section)
  if (typeof name === 'string' && typeof order === 'number' && Number.isFinite(order) && typeof text === 'string') {
    return { name, order, text }
  }
  throw new PromptError('A system-prompt/assemble listener answered with a section that is no { name, order, text }.')
}

export function isIterable(value: unknown): value is Iterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.iterator in value
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
