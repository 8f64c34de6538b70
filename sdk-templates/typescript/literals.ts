// Strings and names as TypeScript writes them: the same bytes, with nothing hidden in them.
import type { LiteralNode } from '../shared/type-tree.ts'

// What JSON.stringify leaves as it is, although a reader cannot see it or a TypeScript scanner ends the line there.
const INVISIBLE =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udfff]/g

/** A string literal. Control characters, lone surrogates and what is invisible are escaped. */
export function stringLiteral(text: string): string {
  return JSON.stringify(text).replace(INVISIBLE, (match) =>
    [...Array(match.length).keys()]
      .map((index) => `\\u${match.charCodeAt(index).toString(16).padStart(4, '0')}`)
      .join(''),
  )
}

/** A literal type. */
export function literalText({ value }: LiteralNode): string {
  return typeof value === 'string' ? stringLiteral(value) : String(value)
}

/** The name of a property: as it is where that is plain, quoted where it is no identifier. */
export function propertyKey(name: string): string {
  // In an object literal `__proto__: x` sets the prototype; only a computed name makes a property of it. Show it so.
  if (name === '__proto__') return '["__proto__"]'
  return isPlainName(name) ? name : stringLiteral(name)
}

/** The name of a method. */
export function methodKey(name: string): string {
  // `new(…)` in a type is a construct signature.
  return isPlainName(name) && name !== 'new' ? name : stringLiteral(name)
}

function isPlainName(name: string): boolean {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name)
}
