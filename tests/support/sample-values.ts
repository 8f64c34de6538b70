// Makes valid values for schemas that are simple enough, and proves each with Ajv before a test relies on it.
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts'
import type { JsonSchema } from '../../src/tools/definition.ts'

const MAX_DEPTH = 5
const ANNOTATIONS = new Set(['description', 'title', 'default', 'examples', '$schema'])

/** Which of the valid values is made. */
export interface SampleChoice {
  /** True gives optional properties, too. */
  readonly optional: boolean
  /** Which branch of a union, value of an enum and type of several is taken, modulo their number. Default 0. */
  readonly branch?: number
}

/** Distinct values that a schema accepts; none where this generator does not know any. */
export function sampleValues(schema: JsonSchema, choices: readonly SampleChoice[]): JsonValue[] {
  const made = choices
    .map((choice) => new Sampler(schema, choice).sample(schema, 0))
    .filter((value) => value !== undefined)
  const distinct = new Map(made.map((value) => [JSON.stringify(value), value]))
  if (distinct.size === 0) return []
  const accepts = validatorOf(schema)
  return [...distinct.values()].filter((value) => accepts(value))
}

/** Minimal and full arguments that a tool accepts. */
export function sampleArguments(schema: JsonSchema): JsonObject[] {
  return sampleValues(schema, [{ optional: false }, { optional: true }]).filter(isPlain)
}

function validatorOf(schema: JsonSchema): (value: JsonValue) => boolean {
  // One schema is a hundred lines of regular expressions; only its shape counts here.
  const ajv = new Ajv2020({
    strict: false,
    validateFormats: false,
    validateSchema: false,
    logger: false,
    code: { optimize: false },
  })
  // A schema that refers only to itself does not compile, or runs until the stack ends: then nothing is known to be valid.
  const quietly = (run: () => boolean): boolean => {
    try {
      return run()
    } catch {
      return false
    }
  }
  let validate: (value: JsonValue) => boolean = () => false
  quietly(() => {
    const compiled = ajv.compile(withoutKeywords(schema, new Set(['pattern', '$schema'])) as object)
    validate = (value) => compiled(value) === true
    return true
  })
  return (value) => quietly(() => validate(value))
}

function withoutKeywords(value: JsonValue, keywords: ReadonlySet<string>): JsonValue {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((item: JsonValue) => withoutKeywords(item, keywords))
  return Object.fromEntries(
    Object.entries(value as JsonObject)
      .filter(([key, item]) => !(keywords.has(key) && typeof item === 'string'))
      .map(([key, item]) => [key, withoutKeywords(item, keywords)]),
  )
}

class Sampler {
  readonly #root: JsonSchema
  readonly #optional: boolean
  readonly #branch: number

  constructor(root: JsonSchema, { optional, branch = 0 }: SampleChoice) {
    this.#root = root
    this.#optional = optional
    this.#branch = branch
  }

  sample(schema: JsonValue | undefined, depth: number): JsonValue | undefined {
    if (schema === true || schema === undefined) return 'anything'
    if (typeof schema !== 'object' || schema === null || Array.isArray(schema) || depth > MAX_DEPTH) return undefined
    const { $ref, const: constant, enum: values, anyOf, oneOf, allOf, type } = schema as JsonObject
    if (typeof $ref === 'string') return this.sample(this.#follow($ref), depth + 1)
    if (constant !== undefined) return constant
    if (Array.isArray(values)) return this.#pick(values)
    const branches = anyOf ?? oneOf
    if (Array.isArray(branches)) return this.#merged(schema as JsonObject, this.#pick(branches), depth)
    if (Array.isArray(allOf)) {
      return (allOf as JsonValue[]).reduce<JsonValue | undefined>(
        (value, part) => merge(value, this.sample(part, depth + 1)),
        this.#typed(this.#pick(type), schema as JsonObject, depth),
      )
    }
    return this.#typed(this.#pick(type), schema as JsonObject, depth)
  }

  #pick(of: JsonValue | undefined): JsonValue | undefined {
    return Array.isArray(of) ? (of as JsonValue[])[this.#branch % Math.max(1, of.length)] : of
  }

  /** A branch of a union together with what stands beside it. */
  #merged(schema: JsonObject, branch: JsonValue | undefined, depth: number): JsonValue | undefined {
    const value = this.sample(branch, depth + 1)
    return schema['properties'] === undefined ? value : merge(this.#object(schema, depth), value)
  }

  #typed(type: JsonValue | undefined, schema: JsonObject, depth: number): JsonValue | undefined {
    switch (type) {
      case 'string':
        return 'x'.repeat(Math.max(1, Number(schema['minLength'] ?? 1)))
      case 'integer':
      case 'number':
        return Number(schema['minimum'] ?? schema['exclusiveMinimum'] ?? 0) + 1
      case 'boolean':
        return this.#branch % 2 === 0
      case 'null':
        return null
      case 'array':
        return this.#array(schema, depth)
      case 'object':
        return this.#object(schema, depth)
      default:
        return type === undefined ? this.#untyped(schema, depth) : undefined
    }
  }

  #untyped(schema: JsonObject, depth: number): JsonValue | undefined {
    if (schema['properties'] !== undefined) return this.#object(schema, depth)
    return Object.keys(schema).every((key) => ANNOTATIONS.has(key)) ? 'anything' : undefined
  }

  #array(schema: JsonObject, depth: number): JsonValue | undefined {
    const prefix = schema['prefixItems']
    if (Array.isArray(prefix)) {
      const items = (prefix as JsonValue[]).map((item) => this.sample(item, depth + 1))
      return items.includes(undefined) ? undefined : (items as JsonValue[])
    }
    const item = this.sample(schema['items'], depth + 1)
    if (item === undefined) return schema['minItems'] === undefined ? [] : undefined
    return Array.from({ length: Number(schema['minItems'] ?? 1) }, () => item)
  }

  #object(schema: JsonObject, depth: number): JsonValue | undefined {
    const required = new Set((schema['required'] ?? []) as readonly string[])
    const value: [string, JsonValue][] = []
    for (const [name, property] of Object.entries((schema['properties'] ?? {}) as JsonObject)) {
      if (!this.#optional && !required.has(name)) continue
      const sample = this.sample(property, depth + 1)
      if (sample === undefined) {
        if (required.has(name)) return undefined
      } else value.push([name, sample])
    }
    const others = schema['additionalProperties']
    if (this.#optional && typeof others === 'object') {
      const sample = this.sample(others, depth + 1)
      if (sample !== undefined) value.push(['some_other_key', sample])
    }
    return Object.fromEntries(value)
  }

  #follow(reference: string): JsonValue | undefined {
    let place: JsonValue | undefined = this.#root
    for (const step of reference.split('/').slice(1)) {
      place = (place as JsonObject | undefined)?.[decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')]
    }
    return place
  }
}

function merge(first: JsonValue | undefined, second: JsonValue | undefined): JsonValue | undefined {
  if (!isPlain(first) || !isPlain(second)) return second
  return { ...first, ...second }
}

function isPlain(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
