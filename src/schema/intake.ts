// Takes a JSON Schema in, whoever wrote it, and gives back the core that Ajv compiles (contract G3): a fresh document of known keywords in
// well-formed shape, one dialect (2020-12), references as plain pointers to `$defs`. Nothing else of the original reaches Ajv: no `$id` that
// could collide with another tool's, no vendor extension, no name that a prototype answers for.
//
//   JsonSchema ── limits ──▶ Intake (vocabulary.ts, references.ts, patterns.ts) ──▶ CoreSchema ── graph.ts ──▶ engine.ts
//
// What cannot be checked is left out with a warning, and always towards acceptance: a schema that has lost a pattern accepts more. Where
// more would turn into less (`not`, `oneOf`, `if`, `maxContains`, `unevaluated…`), those are loosened as well.
import type { JsonObject, JsonValue } from '../json/json-value.ts'
import {
  addReference,
  type CoreObject,
  type CoreSchema,
  definitionPointer,
  fromEntries,
  loosen,
  nameIn,
  own,
  withNull,
} from './core.ts'
import { DEFAULT_DIALECT, type Dialect, dialectOf, type JsonSchema } from './dialects.ts'
import { FORMATS } from './formats.ts'
import { FormReader, pointerTo, quote, type RefuseSchema } from './forms.ts'
import { MAX_PATTERN_SIZE_TOTAL, MAX_SCHEMA_VALUES } from './limits.ts'
import { compilePattern, type LinearPattern } from './patterns.ts'
import { References } from './references.ts'
import { KEYWORDS, type KeywordForm } from './vocabulary.ts'

/** What an intake gives. */
export interface CoreDocument {
  /** The root; reference targets stand in its `$defs`, named t0, t1, … */
  readonly root: CoreSchema
  /** Every expression that the core uses, by its source. */
  readonly patterns: ReadonlyMap<string, LinearPattern>
  /** What is not checked, one sentence each. */
  readonly warnings: readonly string[]
}

/** Options of {@link takeIn}. */
export interface IntakeOptions {
  /** True for a schema of our own making: what cannot be checked is refused instead of left out. */
  readonly isTrusted: boolean
  readonly refuse: RefuseSchema
}

/** Translates a schema into the core. The schema is frozen JSON within the limits of size and depth. */
export function takeIn(schema: JsonSchema, options: IntakeOptions): CoreDocument {
  if (typeof schema === 'boolean') return { root: schema, patterns: new Map(), warnings: [] }
  const first = new Intake(schema, options, false)
  const document = first.run()
  return first.isLoose ? new Intake(schema, options, true).run() : document
}

const MAX_WARNINGS = 20
const PROTO = '__proto__'
const PROTO_PATTERN = '^__proto__$'

class Intake {
  /** True once something was left out. */
  isLoose = false
  readonly #document: JsonObject
  readonly #isTrusted: boolean
  /** Also leave out what would refuse more when another part accepts more. */
  readonly #loosen: boolean
  readonly #dialect: Dialect
  readonly #forms: FormReader
  readonly #references: References
  readonly #patterns = new Map<string, LinearPattern>()
  readonly #refusedPatterns = new Map<string, string>()
  #patternSize = 0
  /** Schemas built so far. */
  #built = 0
  readonly #warnings = new Set<string>()
  /** Reference targets and the pointers to them in the core. */
  readonly #targets = new Map<JsonObject, string>()
  readonly #waiting: { readonly schema: JsonObject; readonly name: string; readonly place: string }[] = []

  constructor(document: JsonObject, { isTrusted, refuse }: IntakeOptions, loosenAll: boolean) {
    this.#document = document
    this.#isTrusted = isTrusted
    this.#loosen = loosenAll
    this.#forms = new FormReader(refuse)
    this.#references = new References(document)
    const named = own(document, '$schema')
    const dialect = typeof named === 'string' ? dialectOf(named) : DEFAULT_DIALECT
    if (dialect === undefined) this.#warn(`The dialect ${quote(named)} is not known: it is read as ${DEFAULT_DIALECT}.`)
    this.#dialect = dialect ?? DEFAULT_DIALECT
  }

  run(): CoreDocument {
    const root = this.#build(this.#document, '#')
    const definitions: CoreObject = {}
    for (let next = this.#waiting.pop(); next !== undefined; next = this.#waiting.pop()) {
      definitions[next.name] = this.#build(next.schema, next.place)
    }
    return { root: this.#assemble(root, definitions), patterns: this.#patterns, warnings: [...this.#warnings] }
  }

  #assemble(root: CoreSchema, definitions: CoreObject): CoreSchema {
    if (typeof root !== 'object' || this.#targets.size === 0) return root
    const pointer = this.#targets.get(this.#document)
    if (pointer === undefined) return { ...root, $defs: definitions }
    return { $ref: pointer, $defs: { ...definitions, [nameIn(pointer)]: root } }
  }

  #build(value: JsonValue, place: string): CoreSchema {
    if (typeof value === 'boolean') return value
    const source = this.#forms.schema(value, place)
    // What is referred to is built once more where it stands: references from many levels into each other would be quadratic.
    if (++this.#built > MAX_SCHEMA_VALUES) this.#forms.refuse('#', 'refers to parts of itself too often')
    const core: CoreObject = {}
    // Draft-07: whatever stands beside a reference is ignored.
    const isReferenceAlone = this.#dialect === 'draft-07' && typeof own(source, '$ref') === 'string'
    for (const [keyword, form] of KEYWORDS) {
      const member = own(source, keyword)
      if (member === undefined || (isReferenceAlone && keyword !== '$ref')) continue
      this.#take(core, source, keyword, form, member, `${place}/${keyword}`)
    }
    if (this.#loosen) loosen(core)
    return withNull(core)
  }

  /** Reads one keyword into the core. */
  #take(
    core: CoreObject,
    source: JsonObject,
    keyword: string,
    form: KeywordForm,
    value: JsonValue,
    place: string,
  ): void {
    switch (keyword) {
      case '$defs':
      case 'definitions':
        // Built when something refers to it.
        break
      case '$ref':
      case '$dynamicRef':
      case '$recursiveRef':
        this.#takeReference(core, source, keyword, this.#read(form, value, place) as string, place)
        break
      case 'pattern':
        if (this.#admitPattern(this.#read(form, value, place) as string, place)) core['pattern'] = value
        break
      case 'format':
        if (FORMATS.has(this.#read(form, value, place) as string)) core['format'] = value
        break
      case 'properties':
        this.#takeProperties(core, value, place)
        break
      case 'patternProperties':
        this.#takePatternProperties(core, source, value, place)
        break
      case 'additionalProperties':
        // patternProperties comes first, and may have decided it.
        core['additionalProperties'] ??= this.#build(value, place)
        break
      case 'items':
        if (!Array.isArray(value)) core['items'] = this.#build(value, place)
        else if (value.length > 0) core['prefixItems'] = this.#read('schemas', value, place)
        break
      case 'additionalItems':
        // Means something only beside a list of items.
        if (Array.isArray(own(source, 'items'))) core['items'] = this.#build(value, place)
        break
      case 'dependencies':
        this.#takeDependencies(core, value, place)
        break
      default:
        core[keyword] = this.#read(form, value, place)
    }
  }

  /** The value of a keyword in its form, subschemas built. */
  #read(form: KeywordForm, value: JsonValue, place: string): unknown {
    switch (form) {
      case 'schema':
        return this.#build(value, place)
      case 'schemas':
        return this.#forms.list(value, place).map((each, index) => this.#build(each, `${place}/${index}`))
      case 'schemaMap':
        return this.#map(value, place, (each, at) => this.#build(each, at))
      case 'nameLists':
        return this.#map(value, place, (each, at) => this.#forms.names(each, at))
      default:
        return this.#forms.read(form, value, place)
    }
  }

  #map(value: JsonValue, place: string, read: (each: JsonValue, at: string) => unknown): CoreObject {
    return fromEntries(this.#forms.entries(value, place).map(([key, each]) => [key, read(each, pointerTo(place, key))]))
  }

  #takeReference(core: CoreObject, source: JsonObject, keyword: string, reference: string, place: string): void {
    if (keyword === '$dynamicRef' && this.#references.isAmbiguous(reference)) {
      this.#leaveOut(place, `The reference ${quote(reference)} depends on the way to it, and is not checked.`)
      return
    }
    const target = this.#references.resolve(reference, source)
    if (target === undefined) {
      this.#forms.refuse(place, `leads nowhere in this schema: ${quote(reference)}; other documents are never fetched`)
    }
    if (target === 'meta-schema') addReference(core, { type: ['object', 'boolean'] })
    else if (typeof target.schema === 'boolean') addReference(core, target.schema)
    else addReference(core, { $ref: this.#pointerOf(target.schema, place) })
  }

  #pointerOf(target: JsonObject, place: string): string {
    const known = this.#targets.get(target)
    if (known !== undefined) return known
    const name = `t${this.#targets.size}`
    const pointer = definitionPointer(name)
    this.#targets.set(target, pointer)
    // The root is built anyway.
    if (target !== this.#document) this.#waiting.push({ schema: target, name, place })
    return pointer
  }

  #takeProperties(core: CoreObject, value: JsonValue, place: string): void {
    const entries = Object.entries(this.#read('schemaMap', value, place) as CoreObject)
    core['properties'] = fromEntries(entries.filter(([name]) => name !== PROTO))
    // Ajv skips a property of that name; as a pattern it is a property like any other.
    const proto = entries.find(([name]) => name === PROTO)
    if (proto !== undefined && this.#admitPattern(PROTO_PATTERN, place))
      core['patternProperties'] = { [PROTO_PATTERN]: proto[1] }
  }

  #takePatternProperties(core: CoreObject, source: JsonObject, value: JsonValue, place: string): void {
    const all = Object.entries(this.#read('schemaMap', value, place) as CoreObject)
    const admitted = all.filter(([pattern]) => this.#admitPattern(pattern, pointerTo(place, pattern)))
    core['patternProperties'] = { ...(core['patternProperties'] as CoreObject | undefined), ...fromEntries(admitted) }
    // Which properties are additional is not known any more.
    if (admitted.length < all.length && own(source, 'additionalProperties') !== undefined)
      core['additionalProperties'] = true
  }

  #takeDependencies(core: CoreObject, value: JsonValue, place: string): void {
    const entries = this.#forms.entries(value, place)
    const names = entries.filter(([, each]) => Array.isArray(each))
    const schemas = entries.filter(([, each]) => !Array.isArray(each))
    core['dependentRequired'] ??= fromEntries(
      names.map(([key, each]) => [key, this.#forms.names(each, pointerTo(place, key))]),
    )
    core['dependentSchemas'] ??= fromEntries(
      schemas.map(([key, each]) => [key, this.#build(each, pointerTo(place, key))]),
    )
  }

  /** True when the expression can be checked. */
  #admitPattern(source: string, place: string): boolean {
    if (this.#patterns.has(source)) return true
    const refusal = this.#refusedPatterns.get(source) ?? this.#compilePattern(source)
    if (refusal === undefined) return true
    this.#refusedPatterns.set(source, refusal)
    if (this.#isTrusted) this.#forms.refuse(place, `${refusal}: ${quote(source)}`)
    this.#leaveOut(place, `The pattern ${quote(source)} is not checked: it ${refusal}.`)
    return false
  }

  #compilePattern(source: string): string | undefined {
    if (this.#patternSize >= MAX_PATTERN_SIZE_TOTAL) return 'stands in a schema with too many patterns'
    const result = compilePattern(source)
    if ('refusal' in result) return result.refusal
    this.#patternSize += result.pattern.size
    this.#patterns.set(source, result.pattern)
    return undefined
  }

  #leaveOut(place: string, warning: string): void {
    this.isLoose = true
    this.#warn(`${place}: ${warning}`)
  }

  #warn(warning: string): void {
    if (this.#warnings.size < MAX_WARNINGS) this.#warnings.add(warning)
  }
}
