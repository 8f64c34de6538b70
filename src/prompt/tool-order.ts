// The order in which tools are offered (contract F1): lexicographic, or as `toolOrder` says.
import { compareNames, quoteName, quoteNames } from '../errors/names.ts'
import { PromptError } from './prompt-error.ts'
import type { PromptTool } from './types.ts'

/** Entry of `toolOrder` that stands for every tool that it does not list, in lexicographic order. */
export const UNLISTED_TOOLS = '<unlisted-tools>'

/** What is wrong with a `toolOrder`, as a sentence; `undefined` when nothing is. */
export function toolOrderProblem(order: readonly string[]): string | undefined {
  const markers = order.filter((entry) => entry === UNLISTED_TOOLS).length
  if (markers !== 1) {
    return `must contain "${UNLISTED_TOOLS}" once, where the tools that it does not list belong; it is there ${markers} times`
  }
  const twice = order.find((entry, index) => order.indexOf(entry) !== index)
  return twice === undefined ? undefined : `lists ${quoteName(twice)} twice`
}

/**
 * Puts contributed tools in order. `known` are names that may be listed although nothing contributes them now.
 * Throws `INVALID_PROMPT` for any other entry that is not contributed.
 */
export function orderTools(
  tools: ReadonlyMap<string, PromptTool>,
  order: readonly string[] | undefined,
  known: ReadonlySet<string>,
): PromptTool[] {
  const sorted = [...tools.values()].sort((a, b) => compareNames(a.name, b.name))
  if (order === undefined) return sorted
  const strange = order.find((entry) => entry !== UNLISTED_TOOLS && !tools.has(entry) && !known.has(entry))
  if (strange !== undefined) {
    throw new PromptError(
      `toolOrder lists ${quoteName(strange)}, which nothing contributes to this prompt (contributed: ${quoteNames(tools.keys())}). Correct or remove the entry; in code mode only run_code is contributed.`,
    )
  }
  const listed = new Set(order)
  return order.flatMap((entry) => {
    if (entry === UNLISTED_TOOLS) return sorted.filter((tool) => !listed.has(tool.name))
    const tool = tools.get(entry)
    return tool === undefined ? [] : [tool]
  })
}
