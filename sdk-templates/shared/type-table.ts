// Tells equal types apart from different ones, prose included, and counts where each is used: the tree of a catalog seen
// as a graph in which equal types are one.
import { childSlots, type Definition, type Doc, type Slot, type TypeNode } from './type-tree.ts'

/** One type of the graph. */
export interface TypeEntry {
  /** Places that hold this type, each counted once however often what holds them is itself used. */
  uses: number
  /** About how many characters it takes to print it, prose included. */
  readonly size: number
}

/** The types of a catalog by number. */
export class TypeTable {
  readonly #numberOf = new Map<TypeNode, number>()
  readonly #numbers = new Map<string, number>()
  readonly #entries: TypeEntry[] = []
  readonly #definitionKey: (definition: Definition) => number

  /** `definitionKey` is equal for definitions that count as one. */
  constructor(definitionKey: (definition: Definition) => number) {
    this.#definitionKey = definitionKey
  }

  /** The number of a type, equal for equal types. */
  numberOf(type: TypeNode): number {
    const known = this.#numberOf.get(type)
    if (known !== undefined) return known
    const children = childSlots(type)
    const key = `${this.#shape(type)}|${children.map(({ type: child, doc }) => this.numberOf(child) + docKey(doc)).join()}`
    let number = this.#numbers.get(key)
    if (number === undefined) {
      number = this.#entries.length
      this.#numbers.set(key, number)
      this.#entries.push({
        uses: 0,
        size: ownSize(type) + children.reduce((sum, child) => sum + this.#sizeOf(child), 0),
      })
      for (const child of children) this.entry(child.type).uses += 1
    }
    this.#numberOf.set(type, number)
    return number
  }

  /** What is known of a type. */
  entry(type: TypeNode): TypeEntry {
    return this.#entries[this.numberOf(type)]!
  }

  #sizeOf({ type, doc }: Slot): number {
    return this.entry(type).size + docSize(doc) + 2
  }

  /** A type without what is inside it. */
  #shape(type: TypeNode): string {
    switch (type.kind) {
      case 'scalar':
        return type.name
      case 'literal':
        return JSON.stringify(type.value)
      case 'ref':
        return `ref ${this.#definitionKey(type.target)}`
      case 'object': {
        const names = type.properties.map(({ name, required }) => [name, required])
        return `object ${JSON.stringify(names)} ${type.rest !== undefined} ${type.bare === true}`
      }
      case 'tuple':
        return `tuple ${type.required} ${type.rest !== undefined}`
      case 'elided':
        return `elided ${type.total} ${JSON.stringify(type.shown.map(({ value }) => value))}`
      default:
        return type.kind
    }
  }
}

function docKey(doc: Doc): string {
  return doc.description === undefined && doc.title === undefined && doc.notes.length === 0
    ? ''
    : JSON.stringify([doc.description, doc.title, doc.notes])
}

function docSize(doc: Doc): number {
  return (doc.description?.length ?? 0) + doc.notes.reduce((sum, note) => sum + note.length, 0)
}

function ownSize(type: TypeNode): number {
  switch (type.kind) {
    case 'literal':
      return String(type.value).length + 2
    case 'object':
      return type.properties.reduce((sum, { name }) => sum + name.length + 2, 4)
    case 'elided':
      return type.shown.reduce((sum, { value }) => sum + String(value).length + 4, 30)
    default:
      return 6
  }
}
