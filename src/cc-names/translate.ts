// Translates tool names that people wrote for Claude Code at the point where they come in (contract N3, N4). `restrict`
// compares names strictly, so lists that are bound for it are translated first; rules are matched against aliases.
import { CC_TO_HARNESS_TOOLS, KNOWN_HARNESS_TOOLS } from './map.ts'

/**
 * What becomes of a name that nobody knows: `strict` passes it on, so that `restrict` fails loudly (agent definitions);
 * `lenient` drops it with a diagnostic (lists that a user or a model made).
 */
export type TranslationPolicy = 'strict' | 'lenient'

/** Told of each name that was dropped, and of a list of which nothing is left. */
export type TranslationDiagnostic = (message: string) => void

/**
 * Harness names for a list, in order of first occurrence and without duplicates. An argument part is stripped
 * (`Bash(git status)` is `bash`), which widens a rule to the whole tool. `undefined` when a lenient list has nothing left:
 * an empty list would restrict everything.
 */
export function translateToolNames(
  names: readonly string[],
  policy: TranslationPolicy,
  onDiagnostic: TranslationDiagnostic = () => {},
): string[] | undefined {
  const translated = new Set<string>()
  for (const written of names) {
    const name = withoutArguments(written)
    const known = CC_TO_HARNESS_TOOLS[name] ?? (KNOWN_HARNESS_TOOLS.has(name) ? [name] : undefined)
    if (known !== undefined) for (const tool of known) translated.add(tool)
    else if (policy === 'strict') translated.add(name)
    else onDiagnostic(`Tool name ${JSON.stringify(written)} is not known and was dropped.`)
  }
  if (translated.size > 0 || policy === 'strict') return [...translated]
  onDiagnostic('No known tool name is left in the list, so it is ignored.')
  return undefined
}

/** Every name under which a rule may mean the same tool, the given one first. For matching alone, never for `restrict`. */
export function ccToolAliases(name: string): string[] {
  const written = Object.keys(CC_TO_HARNESS_TOOLS).filter((ccName) => CC_TO_HARNESS_TOOLS[ccName]?.includes(name))
  return [...new Set([name, ...(CC_TO_HARNESS_TOOLS[name] ?? []), ...written])]
}

/** The Claude Code name of a harness tool, for what Claude Code reads; a name without one is returned as it is. */
export function ccCanonicalToolName(name: string): string {
  return Object.keys(CC_TO_HARNESS_TOOLS).find((ccName) => CC_TO_HARNESS_TOOLS[ccName]?.includes(name)) ?? name
}

function withoutArguments(written: string): string {
  const open = written.indexOf('(')
  return (open > 0 && written.trimEnd().endsWith(')') ? written.slice(0, open) : written).trim()
}
