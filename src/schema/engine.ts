// Ajv, and all that is said to it (contract G3). One instance for each schema: nothing that one tool's schema registers can be seen by,
// collide with or outlive another's. It is given the core that intake.ts built, never a schema as it was written.
//
// Replaced here: `uniqueItems` (quadratic in Ajv), `enum` and `const` (Ajv's deep equality recurses and calls `valueOf` of the data), regular
// expressions and formats. Added: a keyword that every subschema carries, which charges the meter and ends a flood of errors.
import { Ajv2020, _ as code, type ErrorObject, type KeywordCxt, Name } from 'ajv/dist/2020.js'
import { callRef } from 'ajv/dist/vocabularies/core/ref.js'
import { jsonEqual } from '../json/equal.ts'
import type { JsonArray, JsonObject, JsonValue } from '../json/json-value.ts'
import { type CoreSchema, definitionPointer } from './core.ts'
import { findDuplicate, ValueNumbers } from './duplicates.ts'
import { FORMATS } from './formats.ts'
import type { SchemaShape } from './graph.ts'
import type { CoreDocument } from './intake.ts'
import { EXHAUSTED, Meter } from './meter.ts'
import { outline, REFERENCE, STEP } from './outline.ts'

/** One error of Ajv, with the schema and the data it is about. */
export type SchemaError = ErrorObject

/** How a validation ended. */
export type Outcome =
  | { readonly kind: 'valid' }
  /** With the first error, or with all of them, up to the limit. */
  | { readonly kind: 'invalid'; readonly errors: readonly SchemaError[] }
  /** The budget of steps was spent. */
  | { readonly kind: 'exhausted' }
  /** The stack was: the value is nested too deep for this schema. */
  | { readonly kind: 'overflow' }

/** Options of {@link Engine}. */
export interface EngineOptions {
  readonly shape: SchemaShape
  /** True for a schema of our own making, which is not metered. */
  readonly isTrusted: boolean
  /** Errors that are collected before the rest is given up. */
  readonly maxErrors: number
  /** False: stop at the first error, which is fast. True: collect them all. */
  readonly allErrors: boolean
}

/** Thrown through Ajv's code when there are enough errors. */
class ErrorFlood {
  readonly errors: readonly SchemaError[]
  constructor(errors: readonly SchemaError[]) {
    this.errors = errors
  }
}

/** A function that Ajv made. The context is Ajv's: where in the value it is. */
interface CompiledFunction {
  (value: JsonValue, context?: unknown): unknown
  errors?: readonly ErrorObject[] | null | undefined
  evaluated?: Evaluated | undefined
}

/** Which members and items a function saw, for `unevaluated…`; absent where no schema asks. */
interface Evaluated {
  props?: true | { readonly [name: string]: true } | undefined
  items?: true | number | undefined
}

/** Variables of the functions that Ajv makes: how many errors there are, and the list of them. */
const ERRORS = new Name('errors')
const COLLECTED = new Name('vErrors')

/** Errors of a definition that are carried on where only the first counts. */
const MAX_CARRIED_ERRORS = 100

/** One compiled schema. Throws whatever Ajv throws while it compiles. */
export class Engine {
  readonly #validate: CompiledFunction
  /**
   * Definitions by name. References go through the holder when they run: Ajv would compile each definition inside the first reference to
   * it, and a long chain would overflow the stack.
   */
  readonly #definitions = new Map<string, { validate: CompiledFunction | undefined }>()
  readonly #meter = new Meter()
  /** Numbers of one validation; they hold on to the value. */
  #numbers: ValueNumbers | undefined

  constructor(document: CoreDocument, options: EngineOptions) {
    const { patterns } = document
    const ajv = new Ajv2020({
      // The core is well formed by construction, and no meta-schema is loaded.
      meta: false,
      validateSchema: false,
      strict: false,
      logger: false,
      addUsedSchema: false,
      // An inlined reference is compiled again wherever it stands: code would grow with the square of the schema.
      inlineRefs: false,
      // `constructor` and `toString` are properties only where the value has its own.
      ownProperties: true,
      allErrors: options.allErrors,
      // Errors carry data and schema; the sentences are ours (violations.ts).
      verbose: true,
      messages: false,
      // 1.1 is a multiple of 0.1, whatever floating point says.
      multipleOfPrecision: 9,
      formats: Object.fromEntries([...FORMATS].map(([name, { test }]) => [name, test])),
      code: {
        // Ajv's optimizer takes time with the square of the nesting, and V8 does the same work later.
        optimize: false,
        regExp: Object.assign((source: string) => this.#regExp(source, patterns, options), { code: 'runcellPattern' }),
      },
    })
    // Ajv2020 sets it for every schema; where nothing asks for it, `anyOf` may stop at the first branch that fits.
    ajv.opts.unevaluated = options.shape.hasUnevaluated
    this.#addKeywords(ajv, options)
    const { root, definitions } = outline(document.root)
    for (const name of definitions.keys()) this.#definitions.set(name, { validate: undefined })
    for (const [name, schema] of definitions) this.#compileDefinition(ajv, name, schema, options)
    this.#validate = ajv.compile(root) as CompiledFunction
  }

  /** Validates a value, which is a frozen tree of JSON. What schema and value do to each other is an outcome, never a throw. */
  run(value: JsonValue): Outcome {
    this.#meter.reset()
    try {
      if (this.#validate(value) === true) return { kind: 'valid' }
      return { kind: 'invalid', errors: this.#validate.errors ?? [] }
    } catch (thrown) {
      if (thrown === EXHAUSTED) return { kind: 'exhausted' }
      if (thrown instanceof ErrorFlood) return { kind: 'invalid', errors: thrown.errors }
      if (thrown instanceof RangeError) return { kind: 'overflow' }
      throw thrown
    } finally {
      // Both hold on to the value.
      this.#validate.errors = null
      this.#numbers = undefined
    }
  }

  /** Compiles one definition. What it reports says where it comes from, and is kept short: errors are copied at every reference. */
  #compileDefinition(ajv: Ajv2020, name: string, schema: CoreSchema, { allErrors, maxErrors }: EngineOptions): void {
    const inner = ajv.compile(schema) as CompiledFunction
    const maxCarried = allErrors ? maxErrors : MAX_CARRIED_ERRORS
    const validate: CompiledFunction = (value, context) => {
      const isValid = inner(value, context)
      validate.evaluated = detached(inner.evaluated)
      validate.errors =
        isValid === true ? null : inner.errors?.slice(0, maxCarried).map((error) => placeIn(name, error))
      return isValid
    }
    const holder = this.#definitions.get(name)
    if (holder !== undefined) holder.validate = validate
  }

  /** Ajv takes equal texts for equal expressions, so each needs a text of its own. */
  #regExp(source: string, patterns: CoreDocument['patterns'], { isTrusted }: EngineOptions) {
    const pattern = patterns.get(source)
    if (pattern === undefined) throw new Error(`pattern ${source} was not admitted`)
    return {
      test: isTrusted ? pattern.test : (text: string) => this.#meter.test(pattern, text),
      toString: () => source,
    }
  }

  #addKeywords(ajv: Ajv2020, { allErrors, isTrusted, maxErrors }: EngineOptions): void {
    const charge = (weight: number, data: JsonValue, errors: number): void => this.#meter.charge(weight, data, errors)
    const stop = (errors: readonly SchemaError[]): never => {
      throw new ErrorFlood(errors)
    }
    const spend = isTrusted ? undefined : (steps: number): void => this.#meter.spend(steps)
    for (const keyword of ['uniqueItems', 'enum', 'const']) ajv.removeKeyword(keyword)
    ajv.addKeyword({
      keyword: STEP,
      schemaType: 'number',
      code({ gen, data, schemaCode }: KeywordCxt) {
        if (!isTrusted) gen.code(code`${gen.scopeValue('func', { ref: charge })}(${schemaCode}, ${data}, ${ERRORS})`)
        if (!allErrors) return
        const isFlood = code`${ERRORS} > ${maxErrors}`
        gen.if(isFlood, () => gen.code(code`${gen.scopeValue('func', { ref: stop })}(${COLLECTED})`))
      },
    })
    const definitions = this.#definitions
    ajv.addKeyword({
      keyword: REFERENCE,
      schemaType: 'string',
      code(cxt: KeywordCxt) {
        const holder = cxt.gen.scopeValue('wrapper', { ref: definitions.get(cxt.schema as string) })
        callRef(cxt, code`${holder}.validate`, undefined, false)
      },
    })
    ajv.addKeyword({ keyword: 'enum', schemaType: 'array', errors: false, compile: memberTest })
    ajv.addKeyword({ keyword: 'const', errors: false, compile: (value: JsonValue) => memberTest([value]) })
    ajv.addKeyword({
      keyword: 'uniqueItems',
      type: 'array',
      schemaType: 'boolean',
      errors: false,
      compile: (isWanted: boolean) => (items: JsonArray) => {
        if (!isWanted) return true
        this.#numbers ??= new ValueNumbers()
        return findDuplicate(items, this.#numbers, spend) === undefined
      },
    })
  }
}

/** A test of membership: scalars at once, containers one by one, but only those with as many members. */
function memberTest(values: JsonArray): (data: JsonValue) => boolean {
  const scalars = new Set(values.filter((value) => typeof value !== 'object' || value === null))
  const containers = values.filter((value) => typeof value === 'object' && value !== null) as JsonObject[]
  const sizes = containers.map((value) => Object.keys(value).length)
  return (data) => {
    if (typeof data !== 'object' || data === null) return scalars.has(data)
    if (containers.length === 0) return false
    const size = Object.keys(data).length
    return containers.some((value, index) => sizes[index] === size && jsonEqual(value, data))
  }
}

/** An error with the definition in its schema path, unless a definition further in put itself there already. */
function placeIn(name: string, error: ErrorObject): ErrorObject {
  const isPlaced = error.schemaPath.startsWith(definitionPointer(''))
  return isPlaced ? error : { ...error, schemaPath: `${definitionPointer(name)}${error.schemaPath.slice(1)}` }
}

/** A copy: whoever refers to a definition adds what it saw itself to what it is given. */
function detached(evaluated: Evaluated | undefined): Evaluated | undefined {
  if (evaluated === undefined) return undefined
  const { props = {}, items = 0 } = evaluated
  return { props: props === true ? true : { ...props }, items }
}
