// From tools to what an SDK declares: the arguments and result of each tool, and the named types that they share.
// A type gets a name when a schema refers to it, or when it is long and occurs at several places of the catalog: shared
// shapes are printed once a catalog, not once a tool. Renderers print what this gives; all choices here are deterministic
// and depend on nothing but the set of tools (contract F5).
import type { SdkTool } from '../../src/tools/sdk-renderer.ts'
import { shareProperties } from './common-properties.ts'
import { cutAliasCycles, type Representatives, reachableDefinitions, representatives } from './definitions.ts'
import { jsonText } from './json-text.ts'
import { singular, TypeNames } from './names.ts'
import { isObject, read } from './schema-reading.ts'
import { TypeTable } from './type-table.ts'
import { childSlots, type Definition, type Slot, slot, type TypeNode } from './type-tree.ts'
import { SchemaWalk } from './walk.ts'

/** Characters that sharing has to save before it is worth a name, and the least that each use has: a reader pays with a look elsewhere. */
const WORTH_SHARING = 160
const LEAST_SIZE = 48
const MAX_TITLE = 40
const MAX_COMPARED = 10_000

/** A tool in terms of types. */
export interface CatalogTool {
  readonly name: string
  readonly description: string
  readonly args: Slot
  readonly result: Slot
}

/** A type that the SDK declares by name. */
export interface NamedType {
  readonly name: string
  readonly body: Slot
}

/** What a renderer prints. */
export interface Catalog {
  /** In lexicographic order of names, by UTF-16 code unit. */
  readonly tools: readonly CatalogTool[]
  /** In the order in which the tools come upon them. */
  readonly types: readonly NamedType[]
  /** The name to print instead of a type, where it has one. */
  nameOf(type: TypeNode): string | undefined
}

/** Walks the schemas of the tools. `isReserved` says which type names the language has taken. */
export function buildCatalog(tools: readonly SdkTool[], isReserved: (name: string) => boolean): Catalog {
  const walked = [...tools].sort(byName).map(walkTool)
  const standsFor = representatives(reachable(walked))
  const definitions = [...new Set(standsFor.values())]
  cutAliasCycles(definitions, standsFor)
  const order = new Map(definitions.map((definition, index) => [definition, index]))
  const args = shareProperties(
    walked.map((tool) => tool.args),
    (definition) => order.get(standsFor.get(definition) ?? definition) ?? -1,
  )
  const extended = walked.map((tool, index) => ({ ...tool, args: args[index]! }))
  const naming = new Naming(new Sharing(extended, reachable(extended), standsFor), isReserved)
  for (const tool of extended) naming.visitTool(tool)
  return { tools: extended, types: naming.types, nameOf: (type) => naming.nameOf(type) }
}

function reachable(tools: readonly CatalogTool[]): Definition[] {
  return reachableDefinitions(tools.flatMap((tool) => [tool.args, tool.result]))
}

/** By name; tools of one name, which no registry has, by what they say. */
function byName(first: SdkTool, second: SdkTool): number {
  const all = ({ description, parameters, output }: SdkTool): string =>
    jsonText([description, parameters, output], MAX_COMPARED)
  return compare(first.name, second.name) || compare(all(first), all(second))
}

function compare(first: string, second: string): number {
  return first < second ? -1 : first > second ? 1 : 0
}

function walkTool(tool: SdkTool): CatalogTool {
  const { name, description } = tool
  const args = new SchemaWalk(tool.parameters, `${name} args`).root
  const result = new SchemaWalk(tool.output, `${name} result`).root
  return { name, description, args: argumentsSlot(tool, args), result }
}

/** Arguments are an object, whatever the schema says; one that declares an empty list of properties takes none. */
function argumentsSlot({ parameters }: SdkTool, { type, doc }: Slot): Slot {
  if (type.kind === 'any') return { type: { kind: 'object', properties: [], bare: true }, doc }
  const declaresNone = isObject(parameters) && isObject(read(parameters, 'properties'))
  if (type.kind === 'object' && type.bare === true && type.properties.length === 0 && declaresNone) {
    return { type: { kind: 'object', properties: [] }, doc }
  }
  return { type, doc }
}

/** Which types of a catalog are printed once and referred to. */
class Sharing {
  readonly #table: TypeTable
  readonly #standsFor: Representatives
  readonly #definitionOfBody = new Map<number, Definition>()
  readonly #argumentRoots: ReadonlySet<TypeNode>

  constructor(tools: readonly CatalogTool[], reached: readonly Definition[], standsFor: Representatives) {
    const definitions = [...new Set(reached.map((definition) => standsFor.get(definition) ?? definition))]
    const order = new Map(definitions.map((definition, index) => [definition, index]))
    this.#standsFor = standsFor
    this.#table = new TypeTable((definition) => order.get(standsFor.get(definition) ?? definition) ?? -1)
    this.#argumentRoots = new Set(tools.map((tool) => tool.args.type))
    for (const definition of definitions) {
      const number = this.#table.numberOf(definition.body.type)
      if (isShareable(definition.body.type) && !this.#definitionOfBody.has(number)) {
        this.#definitionOfBody.set(number, definition)
      }
    }
    for (const tool of tools) {
      this.#table.numberOf(tool.args.type)
      this.#table.entry(tool.result.type).uses += 1
    }
  }

  /** What stands for all occurrences of a type: its definition, its number where it is shared, or nothing. */
  keyOf(type: TypeNode): Definition | number | undefined {
    if (type.kind === 'ref') return this.#standsFor.get(type.target) ?? type.target
    if (!isShareable(type) || this.#argumentRoots.has(type)) return undefined
    const number = this.#table.numberOf(type)
    const { uses, size } = this.#table.entry(type)
    if (size < LEAST_SIZE) return undefined
    return this.#definitionOfBody.get(number) ?? ((uses - 1) * size > WORTH_SHARING ? number : undefined)
  }
}

function isShareable(type: TypeNode): boolean {
  if (type.kind === 'object') return type.properties.length > 0
  return type.kind === 'union' || type.kind === 'elided' || type.kind === 'intersection'
}

/** Names the types that are printed once, in the order in which they are come upon. */
class Naming {
  readonly types: NamedType[] = []
  readonly #sharing: Sharing
  readonly #names: TypeNames
  readonly #nameOf = new Map<Definition | number, string>()
  #tool = ''

  constructor(sharing: Sharing, isReserved: (name: string) => boolean) {
    this.#sharing = sharing
    this.#names = new TypeNames(isReserved)
  }

  nameOf(type: TypeNode): string | undefined {
    const key = this.#sharing.keyOf(type)
    return key === undefined ? undefined : this.#nameOf.get(key)
  }

  visitTool(tool: CatalogTool): void {
    this.#tool = tool.name
    const before = this.types.length
    this.#visit(tool.args, `${tool.name} args`, tool.name, tool.name)
    this.#visit(tool.result, `${tool.name} result`, tool.name, tool.name)
    // What is named on the way may hold more to be named.
    for (let index = before; index < this.types.length; index += 1) {
      const { name, body } = this.types[index]!
      this.#visitChildren(body.type, name, name)
    }
  }

  /** `hint` is what the place is called, `owner` what it belongs to; what is inside belongs to `hint`, if nothing else is said. */
  #visit(place: Slot, hint: string, owner: string, inside: string = hint): void {
    const key = this.#sharing.keyOf(place.type)
    if (key === undefined) this.#visitChildren(place.type, hint, inside)
    else if (!this.#nameOf.has(key)) {
      const name = this.#claim(key, place, hint, owner)
      this.#nameOf.set(key, name)
      this.types.push({ name, body: typeof key === 'number' ? slot(place.type) : key.body })
    }
  }

  #claim(key: Definition | number, { doc }: Slot, hint: string, owner: string): string {
    if (typeof key !== 'number') {
      return key.general === true
        ? this.#names.claim(key.hint)
        : this.#names.claim(key.hint, `${this.#tool} ${key.hint}`)
    }
    const own = doc.title !== undefined && doc.title.length <= MAX_TITLE ? doc.title : hint
    return this.#names.claim(own, `${owner} ${own}`)
  }

  #visitChildren(type: TypeNode, hint: string, owner: string): void {
    if (type.kind === 'ref') {
      // A definition that is another name of the next one.
      this.#visit(slot(type), hint, owner)
    } else if (type.kind === 'object') {
      for (const property of type.properties) this.#visit(property, property.name, owner)
      if (type.rest !== undefined) this.#visit(type.rest, singular(hint), owner)
    } else if (type.kind === 'array') this.#visit(type.item, singular(hint), owner, singular(owner))
    else for (const child of childSlots(type)) this.#visit(child, hint, owner, owner)
  }
}
