// The schemas that authors of tools write (contract G1): plain literals, from which argument and value types are inferred (infer.ts) and
// JSON Schema is made (lower.ts). Types only.

interface Described {
  /** What a model reads about the value. */
  readonly description?: string
}

/** A string. */
export interface StringSpec extends Described {
  readonly type: 'string'
  readonly enum?: readonly [string, ...string[]]
  readonly const?: string
  readonly minLength?: number
  readonly maxLength?: number
  /** An ECMA-262 regular expression, matched in linear time: no look-around, no back references. */
  readonly pattern?: string
  /** A format of JSON Schema, such as `date-time` or `uri`; checked where it is known. */
  readonly format?: string
}

/** A number, or a whole number. */
export interface NumberSpec extends Described {
  readonly type: 'number' | 'integer'
  readonly enum?: readonly [number, ...number[]]
  readonly const?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly multipleOf?: number
}

/** True or false. */
export interface BooleanSpec extends Described {
  readonly type: 'boolean'
  readonly enum?: readonly [boolean, ...boolean[]]
  readonly const?: boolean
}

/** Null. */
export interface NullSpec extends Described {
  readonly type: 'null'
}

/** An array whose items are all of one form. */
export interface ArraySpec extends Described {
  readonly type: 'array'
  readonly items: ValueSchemaSpec
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
}

/** An object. Whether it may have other properties has to be said. */
export interface ObjectSpec extends Described {
  readonly type: 'object'
  readonly properties: ParameterSchemaSpec
  readonly additionalProperties: boolean
}

/** Any JSON value. There is no such type in JSON Schema: it becomes a schema without conditions. */
export interface JsonSpec extends Described {
  readonly type: 'json'
}

/** Exactly one of several forms. */
export interface OneOfSpec extends Described {
  readonly oneOf: readonly [ValueSchemaSpec, ...ValueSchemaSpec[]]
}

/** The form of a value. */
export type ValueSchemaSpec =
  | StringSpec
  | NumberSpec
  | BooleanSpec
  | NullSpec
  | ArraySpec
  | ObjectSpec
  | JsonSpec
  | OneOfSpec

/** The form of a property; it may be left out unless it is `required`. */
export type PropertySpec = ValueSchemaSpec & { readonly required?: boolean }

/** Properties by name. As the parameters of a tool they are the arguments; other arguments are let through. */
export interface ParameterSchemaSpec {
  readonly [name: string]: PropertySpec
}
