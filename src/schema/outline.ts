// Prepares a core document for Ajv: cut into functions of bounded size, each subschema weighed (contract G3).
// Ajv makes one function of everything that is not behind a reference, nesting a block for every subschema: a thousand properties or three
// hundred levels overflow the parser, and the time to generate code grows with the square of the nesting. So what is too large is moved behind a
// reference of its own; what is accepted stays the same.
import { type CoreObject, type CoreSchema, fromEntries, isObjectSchema, mapSubschemas, nameIn } from './core.ts'

/** Name of the keyword that every object schema carries; its value is the weight of the schema, in steps. */
export const STEP = 'runcell-step'

/** Subschemas, and levels of them, in one function. */
const MAX_SIZE = 120
const MAX_LEVELS = 6
/** Properties that one schema checks itself. */
const MAX_PROPERTIES = 100

/** Name of the keyword that stands for `$ref`; its value is the name of a definition. */
export const REFERENCE = 'runcell-reference'

/** A schema, and the definitions that it and they refer to. */
export interface Outline {
  readonly root: CoreSchema
  readonly definitions: ReadonlyMap<string, CoreSchema>
}

/** Cuts a document up. */
export function outline(root: CoreSchema): Outline {
  return new Outliner().run(root)
}

interface Part {
  readonly schema: CoreSchema
  readonly size: number
  readonly levels: number
}

class Outliner {
  readonly #definitions = new Map<string, CoreSchema>()
  #count = 0

  run(document: CoreSchema): Outline {
    if (!isObjectSchema(document)) return { root: document, definitions: this.#definitions }
    const { $defs, ...root } = document
    for (const [name, schema] of Object.entries(($defs ?? {}) as { [name: string]: CoreSchema })) {
      this.#definitions.set(name, this.#build(schema).schema)
    }
    return { root: this.#build(root).schema, definitions: this.#definitions }
  }

  /** Recurses over the nesting of the schema, which is bounded. */
  #build(source: CoreSchema): Part {
    if (!isObjectSchema(source)) return { schema: source, size: 0, levels: 0 }
    let size = 1
    let levels = 0
    const schema = mapSubschemas(splitProperties(source), (child) => {
      const part = this.#build(child)
      const isTooLarge = part.size > 1 && (size + part.size > MAX_SIZE || part.levels >= MAX_LEVELS)
      size += isTooLarge ? 1 : part.size
      levels = Math.max(levels, isTooLarge ? 0 : part.levels)
      return isTooLarge ? this.#moveOut(part.schema) : part.schema
    })
    if (typeof schema['$ref'] === 'string') {
      schema[REFERENCE] = nameIn(schema['$ref'])
      delete schema['$ref']
    }
    // An empty schema stays empty, so that Ajv sees that it accepts everything.
    if (Object.keys(schema).length > 0) schema[STEP] = weightOf(schema)
    return { schema, size, levels: levels + 1 }
  }

  #moveOut(schema: CoreSchema): CoreSchema {
    const name = `o${this.#count++}`
    this.#definitions.set(name, schema)
    return { [REFERENCE]: name, [STEP]: REFERENCE_WEIGHT }
  }
}

/** Many properties become groups under `allOf`. Their names stay, so that additional ones are still known. */
function splitProperties(source: CoreObject): CoreObject {
  const entries = Object.entries((source['properties'] ?? {}) as { [name: string]: CoreSchema })
  if (entries.length <= MAX_PROPERTIES) return source
  const groups: CoreObject[] = []
  for (let start = 0; start < entries.length; start += MAX_PROPERTIES) {
    groups.push({ properties: fromEntries(entries.slice(start, start + MAX_PROPERTIES)) })
  }
  const names = fromEntries(entries.map(([name]) => [name, true]))
  return { ...source, properties: names, allOf: [...((source['allOf'] ?? []) as readonly CoreSchema[]), ...groups] }
}

const REFERENCE_WEIGHT = 16
const BRANCH_WEIGHT = 8

/** What trying a schema costs besides its subschemas: a call for a reference, errors of branches, what it lists and compares. */
function weightOf(schema: CoreObject): number {
  const listed = ['required', 'properties', 'patternProperties', 'dependentRequired'].map((keyword) => schema[keyword])
  const entries = listed.reduce<number>(
    (sum, value) => sum + (value === undefined ? 0 : Object.keys(value as object).length),
    0,
  )
  const branches = [schema['anyOf'], schema['oneOf']].reduce<number>(
    (sum, list) => sum + ((list as [] | undefined)?.length ?? 0),
    0,
  )
  const compared = [...((schema['enum'] ?? []) as readonly unknown[]), schema['const']].filter(isObjectSchema)
  return (
    1 +
    (schema[REFERENCE] === undefined ? 0 : REFERENCE_WEIGHT) +
    BRANCH_WEIGHT * branches +
    Math.ceil(entries / 4) +
    Math.ceil(JSON.stringify(compared).length / 4)
  )
}
