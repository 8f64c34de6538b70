// The types of arguments and values, from the literal that an author wrote (contract G1): exact through sixteen levels of arrays and
// objects, `JsonValue` below. And the checks that the type system cannot make with a plain constraint: no unknown keywords, no
// `enum` beside `const`. A literal that is inferred for a type parameter is not checked for excess properties, so these types do it.
import type { JsonValue } from '../json/json-value.ts'
import type {
  ArraySpec,
  BooleanSpec,
  JsonSpec,
  NullSpec,
  NumberSpec,
  ObjectSpec,
  OneOfSpec,
  StringSpec,
  ValueSchemaSpec,
} from './dsl.ts'

/** One level less. */
type Fewer = [never, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]

/** Levels that are inferred. */
type Levels = 16

/** The value that a spec describes. */
export type InferValue<Spec> = Value<Spec, Levels>

/** The arguments that parameters describe. Optional ones may be absent; they are never `undefined`. */
export type InferArgs<Parameters> = Members<Parameters, Levels>

type Value<Spec, Level extends number> = Spec extends { readonly const: infer Only }
  ? Only
  : Spec extends { readonly enum: readonly (infer Choice)[] }
    ? Choice
    : Spec extends { readonly oneOf: readonly (infer Branch)[] }
      ? Branch extends unknown
        ? Value<Branch, Level>
        : never
      : Spec extends { readonly type: infer Type }
        ? OfType<Spec, Type, Level>
        : JsonValue

type OfType<Spec, Type, Level extends number> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'null'
        ? null
        : Level extends 0
          ? JsonValue
          : Type extends 'array'
            ? Spec extends { readonly items: infer Items }
              ? readonly Value<Items, Fewer[Level]>[]
              : never
            : Type extends 'object'
              ? ObjectOf<Spec, Fewer[Level]>
              : JsonValue

type ObjectOf<Spec, Level extends number> = Spec extends { readonly properties: infer Properties }
  ? Spec extends { readonly additionalProperties: false }
    ? Members<Properties, Level>
    : Members<Properties, Level> & { readonly [name: string]: JsonValue | undefined }
  : never

type Members<Properties, Level extends number> = Flat<
  {
    readonly [Name in keyof Properties as Properties[Name] extends { readonly required: true } ? Name : never]: Value<
      Properties[Name],
      Level
    >
  } & {
    readonly [Name in keyof Properties as Properties[Name] extends { readonly required: true } ? never : Name]?: Value<
      Properties[Name],
      Level
    >
  }
>

/** One object type instead of an intersection, which is what an editor shows. */
type Flat<Type> = { [Name in keyof Type]: Type[Name] }

/** The keywords of the spec that a literal is meant to be. */
type KeywordsOf<Spec> = Spec extends { readonly oneOf: unknown }
  ? keyof OneOfSpec
  : Spec extends { readonly type: infer Type }
    ? Type extends 'string'
      ? keyof StringSpec
      : Type extends 'number' | 'integer'
        ? keyof NumberSpec
        : Type extends 'boolean'
          ? keyof BooleanSpec
          : Type extends 'null'
            ? keyof NullSpec
            : Type extends 'array'
              ? keyof ArraySpec
              : Type extends 'object'
                ? keyof ObjectSpec
                : keyof JsonSpec
    : keyof ValueSchemaSpec

/** `never` for what a spec must not have: an unknown keyword, a fraction for an integer, `enum` beside `const`. */
type Refused<Spec, Extra extends string> = {
  readonly [Key in Exclude<keyof Spec, KeywordsOf<Spec> | Extra>]: never
} & (Spec extends { readonly enum: unknown; readonly const: unknown } ? { readonly const: never } : unknown) &
  (Spec extends { readonly type: 'integer' } ? WholeNumbers<Spec> : unknown)

/** Numbers of an integer spec are whole: a literal with a fraction is no bigint in text. */
type WholeNumbers<Spec> = {
  readonly [Key in keyof Spec & ('const' | 'multipleOf')]: Whole<Spec[Key]>
} & (Spec extends { readonly enum: readonly (infer Choice)[] } ? { readonly enum: readonly Whole<Choice>[] } : unknown)

type Whole<Value> = Value extends number
  ? number extends Value
    ? Value
    : `${Value}` extends `${bigint}`
      ? Value
      : never
  : Value

/** What a value spec must also be; intersect it with the inferred type of the literal. */
export type CheckedValue<Spec> = Checked<Spec, never>

/** What parameters must also be. */
export type CheckedParameters<Parameters> = {
  readonly [Name in keyof Parameters]: Checked<Parameters[Name], 'required'>
}

type Checked<Spec, Extra extends string> = Refused<Spec, Extra> &
  (Spec extends { readonly items: infer Items } ? { readonly items: Checked<Items, never> } : unknown) &
  (Spec extends { readonly properties: infer Properties }
    ? { readonly properties: CheckedParameters<Properties> }
    : unknown) &
  (Spec extends { readonly oneOf: infer Branches }
    ? { readonly oneOf: { readonly [Index in keyof Branches]: Checked<Branches[Index], never> } }
    : unknown)
