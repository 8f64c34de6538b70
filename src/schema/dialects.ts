// What a JSON Schema document is, and in which dialect it is written (contract G3). The dialects differ little where tools use
// them; intake.ts translates all of them into one core, and asks here what `$schema` says.
import type { JsonObject } from '../json/json-value.ts'

/** A JSON Schema document: an object, or `true`/`false`. */
export type JsonSchema = JsonObject | boolean

/** A dialect that is understood. */
export type Dialect = '2020-12' | '2019-09' | 'draft-07'

/** The dialect of a schema that names none. */
export const DEFAULT_DIALECT: Dialect = '2020-12'

const DIALECTS: ReadonlyMap<string, Dialect> = new Map([
  ['json-schema.org/draft/2020-12/schema', '2020-12'],
  ['json-schema.org/schema', '2020-12'],
  ['json-schema.org/draft/2019-09/schema', '2019-09'],
  ['json-schema.org/draft-07/schema', 'draft-07'],
  // Draft-06 is draft-07 without if/then/else.
  ['json-schema.org/draft-06/schema', 'draft-07'],
])

/** The dialect that a `$schema` URI names, if it is understood. Authors mix up http and https, and the empty fragment. */
export function dialectOf(uri: string): Dialect | undefined {
  return DIALECTS.get(uri.replace(/^https?:\/\//, '').replace(/#$/, ''))
}
