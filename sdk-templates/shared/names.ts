// Names of the types that an SDK declares. Tools and properties keep their names, byte for byte; types get theirs here,
// from what the schemas call them, in the order in which they are asked for.

const MAX_LENGTH = 60

/** Hands out identifiers in PascalCase, each once. */
export class TypeNames {
  readonly #taken = new Set<string>()
  /** The next number to try behind a name. */
  readonly #numbers = new Map<string, number>()
  readonly #isReserved: (name: string) => boolean

  /** `isReserved` says which names the language, or the SDK itself, has taken. */
  constructor(isReserved: (name: string) => boolean) {
    this.#isReserved = isReserved
  }

  /** The first of the hints that is free, or else the last one with a number. */
  claim(...hints: readonly string[]): string {
    const names = hints.map(pascalCase)
    const free = names.find((name) => this.#isFree(name))
    if (free !== undefined) return this.#take(free)
    const base = names.at(-1) ?? 'Type'
    for (let number = this.#numbers.get(base) ?? 2; ; number += 1) {
      const name = `${base}${number}`
      this.#numbers.set(base, number + 1)
      if (this.#isFree(name)) return this.#take(name)
    }
  }

  #isFree(name: string): boolean {
    return !this.#taken.has(name) && !this.#isReserved(name)
  }

  #take(name: string): string {
    this.#taken.add(name)
    return name
  }
}

/** `simple-user`, `simple user` and `SimpleUser` are `SimpleUser`; what has no ASCII letter is `Type`. */
export function pascalCase(hint: string): string {
  const words = hint.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const name = words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
  const cut = name.slice(0, MAX_LENGTH)
  return /^[A-Z]/.test(cut) ? cut : `Type${cut}`
}

/** `labels` is a list of `label`; enough English for a name. */
export function singular(name: string): string {
  if (/[^aeiou]ies$/i.test(name)) return `${name.slice(0, -3)}y`
  if (/(ss|us|is)$/i.test(name) || !/[a-z]s$/i.test(name)) return name
  return /(x|ch|sh)es$/i.test(name) ? name.slice(0, -2) : name.slice(0, -1)
}
