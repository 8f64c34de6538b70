// Which known names are close to a misspelled one, for messages that a model corrects itself from.

const MAX_SUGGESTIONS = 3
/** Longer names are compared by their first part only: the distance is quadratic in length. */
const MAX_COMPARED = 64
/** A shorter name is a part of too many others to be meant by them. */
const MIN_CONTAINED = 3

/** Up to three names near `wanted`, nearest first: those within a third of its length in edits, or one of which contains the other. */
export function nearestNames(wanted: string, known: Iterable<string>): string[] {
  const target = normalize(wanted)
  const limit = Math.max(1, Math.floor(target.length / 3))
  const scored: { readonly name: string; readonly distance: number }[] = []
  for (const name of known) {
    const candidate = normalize(name)
    const shorter = Math.min(target.length, candidate.length)
    const contains = shorter >= MIN_CONTAINED && (candidate.includes(target) || target.includes(candidate))
    const distance = contains ? 0.5 : editDistance(target, candidate, limit)
    if (distance <= limit) scored.push({ name, distance })
  }
  scored.sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
  return scored.slice(0, MAX_SUGGESTIONS).map(({ name }) => name)
}

function normalize(name: string): string {
  return name
    .slice(0, MAX_COMPARED)
    .toLowerCase()
    .replaceAll(/[-_.\s]/g, '')
}

/** Levenshtein's distance, given up (as infinity) once it must exceed `limit`. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return Number.POSITIVE_INFINITY
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(substitution, (previous[j] as number) + 1, (row[j - 1] as number) + 1))
    }
    if (Math.min(...row) > limit) return Number.POSITIVE_INFINITY
    previous = row
  }
  return previous[b.length] as number
}
