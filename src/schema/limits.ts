// What a schema may cost, with the reason for each figure (contract G3). Schemas come from servers that nobody here wrote: they are
// bounded before they are compiled, and their work is metered while they run.

/** Values in a schema, containers and scalars together. The largest one known has about 3 000; compiling this many takes about half a second. */
export const MAX_SCHEMA_VALUES = 15_000

/** Characters in the strings and keys of a schema. */
export const MAX_SCHEMA_CHARS = 2_000_000

/** Nesting of a schema as JSON. Real ones have up to 40 levels; reading and compiling recurse, and have room for more than this. */
export const MAX_SCHEMA_DEPTH = 512

/** Members of one `allOf`, `anyOf`, `oneOf`, `prefixItems`, `patternProperties` or `dependentSchemas`. Real ones have up to 40. */
export const MAX_BRANCHES = 200

/**
 * Subschemas that one place of a value may have to be tried against, through references and applicators. Eighteen chained
 * `anyOf: [A, A]` would be half a million.
 */
export const MAX_PATHS = 10_000

/** References and applicators that may lead from one to the next without a step into the value: each takes a frame of the stack. */
export const MAX_PATH_LENGTH = 100

/** Deepest value that a recursive schema checks (contract A3): each level takes one or more frames of the stack. */
export const MAX_RECURSIVE_DEPTH = 1_000

/** Subschemas tried, plus items, members and characters looked at, in one validation by a foreign schema: about a second. */
export const MAX_STEPS = 10_000_000

/** Longest regular expression, in characters. */
export const MAX_PATTERN_CHARS = 4_000

/** Instructions of one compiled expression, and of all of one schema: compiling takes about 5 µs for each. */
export const MAX_PATTERN_SIZE = 5_000
export const MAX_PATTERN_SIZE_TOTAL = 40_000

/**
 * Characters times instructions that all expressions of a foreign schema may cost in one validation. The engine takes up to 100 ns for each
 * (for ordinary expressions a hundredth of it), so this is two seconds at the very worst.
 */
export const MAX_PATTERN_WORK = 20_000_000

/** Violations that are reported, for a schema of our own and for a foreign one (contract G2, G3). */
export const MAX_VIOLATIONS = { trusted: 1_000, foreign: 20 } as const
