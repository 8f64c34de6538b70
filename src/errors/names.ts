// Names of tools, sections and variables: how messages quote them, and the one order in which they are listed.
import { clip } from './describe-thrown.ts'

const MAX_NAME_LENGTH = 128
const MAX_LISTED = 40

/** A name for a message: `"read"`; long ones are cut. */
export function quoteName(name: string): string {
  return JSON.stringify(clip(name, MAX_NAME_LENGTH))
}

/** Names for a message, in lexicographic order: `"a", "b"`, at most forty of them, or `none`. */
export function quoteNames(names: Iterable<string>): string {
  const sorted = [...names].sort(compareNames)
  if (sorted.length === 0) return 'none'
  const listed = sorted.slice(0, MAX_LISTED).map(quoteName).join(', ')
  return sorted.length > MAX_LISTED ? `${listed} and ${sorted.length - MAX_LISTED} more` : listed
}

/** Lexicographic order by UTF-16 code unit, the same on every machine; for `sort`. */
export function compareNames(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
