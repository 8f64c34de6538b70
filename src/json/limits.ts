// How deep and how large a JSON value may be, with the reason for each figure. A value beyond a limit is refused with an
// error that names the limit (contract A3); nothing is ever cut.

/**
 * Deepest nesting of arrays and objects; a lone array is one level. No real value comes near it, and every walk of this folder
 * keeps its own stack, so that this many levels cost memory and no process.
 */
export const MAX_DEPTH = 10_000

/**
 * Most values, containers and scalars together, in one tree. One object may stand in many places and is copied for each:
 * thirty arrays that hold the next one twice would be a billion values. A tree of this size holds about a gigabyte.
 */
export const MAX_VALUES = 16_777_216

/** Longest path that a message spells out, in segments: the first and the last ones stay, the middle is counted. */
export const MAX_PATH_SEGMENTS = 32

/** Longest property name that a path spells out, in UTF-16 units. */
export const MAX_PATH_NAME = 64

/**
 * Levels that {@link prettyPrint} indents further; what stands deeper is indented no more than this. Indentation grows with the square of the
 * depth: ten thousand levels would be 200 MB of spaces.
 */
export const MAX_INDENTED_LEVELS = 32
