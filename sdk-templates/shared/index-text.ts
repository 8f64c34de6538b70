// The shortest view of a catalog (contract F7): names with one-line summaries; of larger ones the names by group; of the
// largest only groups with counts. Chosen by length, so that an index of any catalog stays under some 1 000 tokens.
import type { SdkTool } from '../../src/tools/sdk-renderer.ts'
import { proseLine, summaryLine } from './prose.ts'

/** Length of an index, in UTF-16 units: under 1 000 tokens for names of ASCII letters. */
const MAX_LENGTH = 3000
const MAX_SUMMARY = 80
const MAX_NAME = 80
/** Names that a group shows where not all fit. */
const EXAMPLES = 2

/** The index as lines; which of the three forms depends on the set of tools alone. */
export function indexLines(tools: readonly SdkTool[]): string[] {
  const sorted = [...tools].sort((first, second) => (first.name < second.name ? -1 : first.name > second.name ? 1 : 0))
  const summaries = sorted.map(({ name, description }) => {
    const summary = summaryLine(description, MAX_SUMMARY)
    return summary === '' ? shown(name) : `${shown(name)}: ${summary}`
  })
  if (fits(summaries)) return summaries
  const groups = [...Map.groupBy(sorted, ({ name }) => groupOf(name))]
  const names = groups.map(
    ([group, members]) => `${shown(group)}: ${members.map(({ name }) => shown(name)).join(', ')}`,
  )
  if (fits(names)) return names
  return counts(groups.map(([group, members]) => [group, members.map(({ name }) => name)]))
}

/** The group of a tool: its name up to the first separator or capital letter. */
export function groupOf(name: string): string {
  const prefix = /^[^A-Za-z0-9]*(?:[A-Z]?[a-z0-9]+|[A-Z]+)/.exec(name)?.[0] ?? name
  return prefix === '' ? name : prefix
}

/** Groups, the largest first as far as they fit; the rest as one line. */
function counts(groups: readonly (readonly [string, readonly string[]])[]): string[] {
  const ordered = [...groups].sort(
    (first, second) => second[1].length - first[1].length || (first[0] < second[0] ? -1 : 1),
  )
  const lines: string[] = []
  let left = MAX_LENGTH
  for (const [index, [group, names]] of ordered.entries()) {
    const line = `${shown(group)}: ${names.length} (${names.slice(0, EXAMPLES).map(shown).join(', ')}${names.length > EXAMPLES ? ', …' : ''})`
    left -= line.length + 1
    if (left < 0) {
      const rest = ordered.slice(index)
      const total = rest.reduce((sum, [, members]) => sum + members.length, 0)
      return [...lines, `${rest.length} more groups with ${total} tools`]
    }
    lines.push(line)
  }
  return lines
}

function fits(lines: readonly string[]): boolean {
  return lines.reduce((sum, line) => sum + line.length + 1, 0) <= MAX_LENGTH
}

function shown(name: string): string {
  const line = proseLine(name)
  return line.length <= MAX_NAME ? line : `${line.slice(0, MAX_NAME - 1).toWellFormed()}…`
}
