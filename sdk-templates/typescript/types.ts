// Prints the tree of types as TypeScript: a line a property, with what is said about it as a comment at the end of the line.
// A type is printed as lines whose first continues what stands before it. Types without prose that are short stay on one line.
import type { Catalog } from '../shared/catalog.ts'
import { cut } from '../shared/json-text.ts'
import { docLine } from '../shared/prose.ts'
import type { Doc, LiteralNode, ObjectNode, Property, Slot, TypeNode } from '../shared/type-tree.ts'
import { literalText, propertyKey } from './literals.ts'

/** The widest type. `any` and not `unknown`: a program may read what a tool without an output schema returns without a cast. */
export const WIDEST = 'Json'
/** A number without a fraction; costs no more than `number` and says more. */
export const INTEGER = 'int'
/** An object without properties; `{}` would accept anything. */
export const EMPTY = 'Empty'

/** Length up to which an object without prose stays on one line. */
const ONE_LINE = 100
const MAX_INDENT = 24
/** Longest rest of a union behind a member of several lines. */
const MAX_TAIL = 30
/** Longest value that is shown of an enumeration that is too long. */
const MAX_SHOWN_VALUE = 80
/** Longest type that is said in a comment. */
const MAX_SAID_TYPE = 200

/** How much is printed. */
export interface TypePrinterOptions {
  /** False leaves out all prose. */
  readonly docs: boolean
  /** Length up to which an object without prose stays on one line. Default 100. */
  readonly oneLine?: number
}

/** Prints the types of a catalog. */
export class TypePrinter {
  readonly #catalog: Pick<Catalog, 'nameOf'>
  readonly #docs: boolean
  readonly #oneLine: number

  constructor(catalog: Pick<Catalog, 'nameOf'>, options: TypePrinterOptions) {
    this.#catalog = catalog
    this.#docs = options.docs
    this.#oneLine = options.oneLine ?? ONE_LINE
  }

  /** ` // what is said`, or nothing. `name` is what stands on the line, which need not be repeated. */
  comment(doc: Doc, type: TypeNode, name: string): string {
    const text = this.#docs ? this.#said(doc, type, name) : ''
    return text === '' ? '' : ` // ${commentText(text)}`
  }

  /** A type, by its name where it has one. A closed type can be followed by more text on its last line. */
  lines(type: TypeNode, indent: number, closed: boolean): string[] {
    const name = this.#catalog.nameOf(type)
    return name === undefined ? this.structure(type, indent, closed) : [name]
  }

  /** A type, spelled out even where it has a name. */
  structure(type: TypeNode, indent: number, closed: boolean): string[] {
    switch (type.kind) {
      case 'any':
        return [WIDEST]
      case 'unknown':
      case 'never':
        return [type.kind]
      case 'scalar':
        return [type.name === 'integer' ? INTEGER : type.name]
      case 'literal':
        return [literalText(type)]
      case 'elided':
        return [`${this.lines(type.base, indent, true).join('\n')}${this.#elision(type.shown, type.total)}`]
      case 'ref':
        return [this.#catalog.nameOf(type) ?? WIDEST]
      case 'array':
        return append(this.#operand(type.item.type, indent), '[]')
      case 'tuple':
        return this.#tuple(type, indent)
      case 'object':
        return this.#object(type, indent)
      case 'union':
        return this.#union(type.members, indent, closed)
      case 'intersection':
        return type.members.map((member) => this.#operand(member, indent)).reduce((all, next) => join(all, ' & ', next))
    }
  }

  /** What is said about a place and about the items inside it that have no line of their own. */
  #said(doc: Doc, type: TypeNode, name: string): string {
    const own = docLine(doc, name)
    if (this.#catalog.nameOf(type) !== undefined) return own
    const inner = innerPlace(type)
    if (inner === undefined) return own
    const said = this.#said(inner[1].doc, inner[1].type, name)
    return said === '' ? own : `${own}${own === '' ? '' : ' '}${inner[0]}: ${said}`
  }

  #elision(shown: readonly LiteralNode[], total: number): string {
    const values = [...shown.map((value) => commentText(cut(literalText(value), MAX_SHOWN_VALUE))), '…'].join(', ')
    return ` /* one of ${total} values: ${values} */`
  }

  #object(type: ObjectNode, indent: number): string[] {
    const rest = type.rest ?? (type.bare === true ? ANYTHING : undefined)
    if (type.properties.length === 0) {
      return rest === undefined ? [EMPTY] : this.#map(rest, indent)
    }
    const members = type.properties.map((property) => this.#property(property, indent + 1))
    if (rest !== undefined) members.push(this.#index(rest, indent + 1))
    const isPlain = members.every(({ lines, comment }) => lines.length === 1 && comment === '')
    const line = isPlain ? `{ ${members.map(({ lines }) => lines[0]).join('; ')} }` : ''
    if (isPlain && line.length <= this.#oneLine) return [line]
    const inner = members.flatMap(({ lines: [first = '', ...others], comment }) => [
      `${pad(indent + 1)}${first}${comment}`,
      ...others,
    ])
    return ['{', ...inner, `${pad(indent)}}`]
  }

  #property({ name, required, type, doc }: Property, indent: number): Member {
    const key = `${propertyKey(name)}${required ? '' : '?'}:`
    return { lines: join([key], ' ', this.lines(type, indent, false)), comment: this.comment(doc, type, name) }
  }

  /** An object of which no property is named. `Record` is shorter, but cannot hold a type that refers back to it. */
  #map(rest: Slot, indent: number): string[] {
    const value = this.lines(rest.type, indent, true)
    if (value.length === 1 && /^(Json|int|string|number|boolean)(\[\])*$/.test(value[0]!)) {
      return [`Record<string, ${value[0]!}>`]
    }
    return append(join(['{ [key: string]:'], ' ', value), ' }')
  }

  /** Other keys beside named ones. Their type would have to hold for the named ones too, so it is said and not declared. */
  #index(rest: Slot, indent: number): Member {
    const value = this.lines(rest.type, indent, true)
    const said = this.comment(rest.doc, rest.type, '')
    if (value[0] === WIDEST || !this.#docs) return { lines: [`[key: string]: ${WIDEST}`], comment: said }
    const type = value.map((line) => line.replace(/ \/\/.*/, '').trim()).join(' ')
    const comment = ` // other keys: ${commentText(cut(type, MAX_SAID_TYPE))}${said.replace(/^ \/\//, '')}`
    return { lines: [`[key: string]: ${WIDEST}`], comment }
  }

  #tuple(type: TypeNode & { kind: 'tuple' }, indent: number): string[] {
    const items = type.items.map((item, index): Member => {
      const lines = this.#operand(item.type, indent + 1)
      return {
        lines: index < type.required ? lines : append(lines, '?'),
        comment: this.comment(item.doc, item.type, ''),
      }
    })
    if (type.rest !== undefined) {
      const lines = join(['...'], '', append(this.#operand(type.rest.type, indent + 1), '[]'))
      items.push({ lines, comment: this.comment(type.rest.doc, type.rest.type, '') })
    }
    if (items.every(({ lines, comment }) => lines.length === 1 && comment === '')) {
      return [`[${items.map(({ lines }) => lines[0]).join(', ')}]`]
    }
    const inner = items.flatMap(({ lines, comment }) => {
      const [first = '', ...others] = append(lines, ',')
      return [`${pad(indent + 1)}${first}${comment}`, ...others]
    })
    return ['[', ...inner, `${pad(indent)}]`]
  }

  #union(places: readonly Slot[], indent: number, closed: boolean): string[] {
    const seen = new Set<string>()
    const members = places
      .map(({ type, doc }): Member => ({ lines: this.lines(type, indent, true), comment: this.comment(doc, type, '') }))
      .filter(({ lines, comment }) => {
        const text = lines.join('\n') + comment
        return !seen.has(text) && seen.add(text)
      })
    const long = members.filter(({ lines }) => lines.length > 1)
    const short = members.filter(({ lines }) => lines.length === 1)
    const shortLength = short.reduce((sum, { lines }) => sum + lines[0]!.length + 3, 0)
    // `{ … } | null` reads well behind a long member; more than that gets a line each.
    const isFlat = long.length === 0 || (long.length === 1 && shortLength <= MAX_TAIL)
    if (isFlat && members.every(({ comment }) => comment === '')) {
      return [...long, ...short].map(({ lines }) => lines).reduce((all, lines) => join(all, ' | ', lines))
    }
    const inner = members.flatMap(({ lines: [first = '', ...others], comment }) => [
      `${pad(indent)}| ${first}${comment}`,
      ...others,
    ])
    return closed ? ['(', ...inner, `${pad(indent)})`] : ['', ...inner]
  }

  /** A type that binds as tightly as a name. */
  #operand(type: TypeNode, indent: number): string[] {
    const lines = this.lines(type, indent, true)
    const isNamed = this.#catalog.nameOf(type) !== undefined
    const isLoose = ['union', 'intersection', 'elided'].includes(type.kind)
    if (isNamed || !isLoose || lines[0] === '(') return lines
    return append(join(['('], '', lines), ')')
  }
}

interface Member {
  readonly lines: string[]
  readonly comment: string
}

const ANYTHING: Slot = { type: { kind: 'any' }, doc: { notes: [] } }

/** The place inside a type that has no line of its own, and what it is called. */
function innerPlace(type: TypeNode): readonly [string, Slot] | undefined {
  if (type.kind === 'array') return ['items', type.item]
  if (type.kind === 'object' && type.properties.length === 0 && type.rest !== undefined) return ['values', type.rest]
  return undefined
}

/** Text of a comment. TypeScript takes `// @ts-…` for an order. */
export function commentText(text: string): string {
  return text.replaceAll('*/', '*\\/').replaceAll('@ts-', '@ ts-')
}

/** Spaces of an indentation; deep nesting stops moving to the right. */
export function pad(indent: number): string {
  return '  '.repeat(Math.min(indent, MAX_INDENT))
}

function append(lines: string[], text: string): string[] {
  return [...lines.slice(0, -1), `${lines.at(-1) ?? ''}${text}`]
}

/** The second text after the first; a block that begins on a new line needs no space before it. */
function join(before: string[], glue: string, after: string[]): string[] {
  const [first = '', ...others] = after
  return [...before.slice(0, -1), `${before.at(-1) ?? ''}${first === '' ? glue.trimEnd() : glue}${first}`, ...others]
}
