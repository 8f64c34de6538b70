// Prints the tools as methods of `tools`, and the types that they share.
import type { Catalog, CatalogTool } from '../shared/catalog.ts'
import { docLine, proseLines, summaryLine } from '../shared/prose.ts'
import type { Slot, TypeNode } from '../shared/type-tree.ts'
import { methodKey } from './literals.ts'
import { commentText, pad, type TypePrinter } from './types.ts'

/** Longest summary of a tool where its description is not printed whole. */
const MAX_SUMMARY = 100

/** What is said about a tool above its method. */
export type MethodProse = 'description' | 'summary' | 'none'

/** A named type. */
export function typeLines({ name, body }: Catalog['types'][number], printer: TypePrinter): string[] {
  const [first = '', ...others] = printer.structure(body.type, 0, false)
  const head = first === '' ? `type ${name} =` : `type ${name} = ${first}`
  return [`${head}${printer.comment(body.doc, body.type, name)}`, ...others]
}

/** A method. */
export function methodLines(tool: CatalogTool, printer: TypePrinter, prose: MethodProse): string[] {
  const args = printer.lines(tool.args.type, 1, true)
  const result = printer.lines(tool.result.type, 1, true)
  const optional = isOptional(tool.args.type, new Set()) ? '?' : ''
  const head = [...args]
  head[0] = `${pad(1)}${methodKey(tool.name)}(args${optional}: ${args[0]!}`
  const seam = `${head.pop()!}): Promise<${result[0]!}`
  const lines = [...head, seam, ...result.slice(1)]
  lines.push(`${lines.pop()!}>`)
  return [...proseOf(tool, prose), ...lines]
}

function proseOf(tool: CatalogTool, prose: MethodProse): string[] {
  if (prose === 'none') return []
  if (prose === 'summary') return block([summaryLine(tool.description, MAX_SUMMARY)])
  return block([
    ...proseLines(tool.description),
    ...rootLine('Arguments', tool.args, tool),
    ...rootLine('Result', tool.result, tool),
  ])
}

function rootLine(label: string, { doc }: Slot, tool: CatalogTool): string[] {
  const text = docLine(doc, tool.name)
  return text === '' ? [] : [`${label}: ${text}`]
}

function block(lines: readonly string[]): string[] {
  const texts = lines.map(commentText).filter((line) => line !== '')
  if (texts.length === 0) return []
  if (texts.length === 1) return [`${pad(1)}/** ${texts[0]!} */`]
  return [`${pad(1)}/** ${texts[0]!}`, ...texts.slice(1).map((text) => `${pad(1)}${text}`)].map((line, index, all) =>
    index === all.length - 1 ? `${line} */` : line,
  )
}

/** True when nothing has to be passed. */
function isOptional(type: TypeNode, seen: Set<unknown>): boolean {
  switch (type.kind) {
    case 'object':
      return type.properties.every((property) => !property.required)
    case 'union':
      return type.members.some((member) => isOptional(member.type, seen))
    case 'intersection':
      return type.members.every((member) => isOptional(member, seen))
    case 'ref': {
      if (seen.has(type.target)) return false
      seen.add(type.target)
      return isOptional(type.target.body.type, seen)
    }
    default:
      return type.kind === 'any'
  }
}
