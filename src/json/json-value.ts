// The types of lossless JSON (contract A1). Readonly, because what runcell hands on is deeply frozen (A4).

/** A JSON scalar. Numbers are finite and never -0. */
export type JsonPrimitive = null | boolean | number | string

/** Lossless JSON: what may enter or leave a call. */
export type JsonValue = JsonPrimitive | JsonArray | JsonObject

/** A dense JSON array without extra properties. */
export interface JsonArray extends ReadonlyArray<JsonValue> {}

/** A plain JSON object. Keys are data: `__proto__` is an ordinary own key. */
export interface JsonObject {
  readonly [key: string]: JsonValue
}
