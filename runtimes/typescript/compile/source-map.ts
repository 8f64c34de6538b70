// Reads the mappings of a source map (version 3): where a piece of generated text was written. Called by lower.ts. The map is the
// compiler's own.

/** One piece of generated text; all numbers from 0. */
export interface Mapping {
  readonly line: number
  readonly column: number
  readonly sourceLine: number
  readonly sourceColumn: number
}

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** The mappings of a source map's JSON text, in the order of the generated text. */
export function decodeMappings(sourceMap: string): readonly Mapping[] {
  const parsed = sourceMap === '' ? {} : (JSON.parse(sourceMap) as { mappings?: string })
  const mappings: Mapping[] = []
  let sourceLine = 0
  let sourceColumn = 0
  for (const [line, segments] of (parsed.mappings ?? '').split(';').entries()) {
    let column = 0
    for (const segment of segments.split(',')) {
      // Each number is the distance from the one before it: column, source, line and column there, and a name, which is not used.
      const [toColumn, , toLine, toSourceColumn] = decodeNumbers(segment)
      if (toColumn === undefined) continue
      column += toColumn
      if (toLine === undefined || toSourceColumn === undefined) continue
      sourceLine += toLine
      sourceColumn += toSourceColumn
      mappings.push({ line, column, sourceLine, sourceColumn })
    }
  }
  return mappings
}

/** Numbers in base 64, least digits first; bit 5 of a digit says that more follow, bit 0 of the number is its sign. */
function decodeNumbers(segment: string): number[] {
  const numbers: number[] = []
  let value = 0
  let shift = 0
  for (const character of segment) {
    const digit = DIGITS.indexOf(character)
    value += (digit & 31) << shift
    shift += 5
    if ((digit & 32) !== 0) continue
    numbers.push((value & 1) === 1 ? -(value >> 1) : value >> 1)
    value = 0
    shift = 0
  }
  return numbers
}
