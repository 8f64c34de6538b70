// The keywords that are checked, and the form that the value of each must have. Everything else in a schema (titles, examples, vendor
// extensions, `$comment`) is annotation: it is never looked at, and never reaches Ajv.
// One table, read by intake.ts and references.ts, so that both agree on where subschemas are.

/** The form of a keyword's value. */
export type KeywordForm =
  | 'schema'
  | 'schemas'
  | 'schemaMap'
  /** A schema, or (older dialects) a list of them. */
  | 'items'
  /** Per property a schema, or a list of names (older dialects). */
  | 'dependencies'
  | 'types'
  | 'names'
  | 'nameLists'
  | 'count'
  | 'number'
  | 'positive'
  | 'text'
  | 'flag'
  | 'values'
  | 'value'

/** Keyword to form, in the order in which intake.ts reads them. */
export const KEYWORDS: ReadonlyMap<string, KeywordForm> = new Map<string, KeywordForm>([
  ['type', 'types'],
  ['nullable', 'flag'],
  ['enum', 'values'],
  ['const', 'value'],
  ['multipleOf', 'positive'],
  ['minimum', 'number'],
  ['maximum', 'number'],
  ['exclusiveMinimum', 'number'],
  ['exclusiveMaximum', 'number'],
  ['minLength', 'count'],
  ['maxLength', 'count'],
  ['pattern', 'text'],
  ['format', 'text'],
  ['minItems', 'count'],
  ['maxItems', 'count'],
  ['uniqueItems', 'flag'],
  ['prefixItems', 'schemas'],
  ['items', 'items'],
  ['additionalItems', 'schema'],
  ['contains', 'schema'],
  ['minContains', 'count'],
  ['maxContains', 'count'],
  ['unevaluatedItems', 'schema'],
  ['minProperties', 'count'],
  ['maxProperties', 'count'],
  ['required', 'names'],
  ['properties', 'schemaMap'],
  ['patternProperties', 'schemaMap'],
  ['additionalProperties', 'schema'],
  ['propertyNames', 'schema'],
  ['unevaluatedProperties', 'schema'],
  ['dependentRequired', 'nameLists'],
  ['dependentSchemas', 'schemaMap'],
  ['dependencies', 'dependencies'],
  ['allOf', 'schemas'],
  ['anyOf', 'schemas'],
  ['oneOf', 'schemas'],
  ['not', 'schema'],
  ['if', 'schema'],
  ['then', 'schema'],
  ['else', 'schema'],
  ['$ref', 'text'],
  ['$dynamicRef', 'text'],
  ['$recursiveRef', 'text'],
  ['$defs', 'schemaMap'],
  ['definitions', 'schemaMap'],
])

/** Keywords whose subschemas look at the same place of the value as the schema that holds them. */
export const IN_PLACE: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
])

/** The type names of JSON Schema. */
export const TYPE_NAMES: ReadonlySet<string> = new Set([
  'null',
  'boolean',
  'integer',
  'number',
  'string',
  'array',
  'object',
])
