// Paths in messages: `args.items[3].when`. Called wherever a place in a JSON value is named.
// Names are the attacker's data: they are quoted where they are no identifiers, and both they and the whole path are bounded.
import { clip } from '../errors/describe-thrown.ts'
import { MAX_PATH_NAME, MAX_PATH_SEGMENTS } from './limits.ts'

/** One step into a value: a property's name or an index. */
export type PathSegment = string | number

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/** The path as a model reads it. Long ones keep both ends: `args.a.b…(9 960 more levels)….z`. */
export function formatPath(root: string, segments: readonly PathSegment[]): string {
  if (segments.length <= MAX_PATH_SEGMENTS) return root + segments.map(formatSegment).join('')
  const kept = MAX_PATH_SEGMENTS / 2
  const head = segments.slice(0, kept).map(formatSegment).join('')
  const tail = segments.slice(-kept).map(formatSegment).join('')
  return `${root}${head}…(${segments.length - 2 * kept} more levels)…${tail}`
}

/** One step of a path: `.when`, `[3]`, `["odd name"]`. */
export function formatSegment(segment: PathSegment): string {
  if (typeof segment === 'number') return `[${segment}]`
  if (segment.length <= MAX_PATH_NAME && IDENTIFIER.test(segment)) return `.${segment}`
  return `[${JSON.stringify(clip(segment, MAX_PATH_NAME))}]`
}
