// Nothing that a schema says is missing in the full SDK: descriptions, titles, formats, defaults, names and values.
import { describe, expect, it } from 'vitest'
import { typescriptSdk } from '../../sdk-templates/index.ts'
import { proseLine, proseLines } from '../../sdk-templates/shared/prose.ts'
import { isObject, type SchemaObject } from '../../sdk-templates/shared/schema-reading.ts'
import { propertyKey, stringLiteral } from '../../sdk-templates/typescript/literals.ts'
import { commentText } from '../../sdk-templates/typescript/types.ts'
import { catalogNames, readCatalog } from '../support/catalogs.ts'

describe('the full SDK', () => {
  it.each(catalogNames())('[I4] says all that the schemas say: %s', (name) => {
    const { tools } = readCatalog(name)
    const text = typescriptSdk.render(tools)
    const lower = text.toLowerCase()
    const missing: string[] = []
    for (const tool of tools) {
      const expectText = (part: string, where: string): void => {
        if (!text.includes(part) && !lower.includes(part.toLowerCase())) missing.push(`${tool.name} ${where}: ${part}`)
      }
      for (const line of proseLines(tool.description)) expectText(commentText(line), 'description')
      for (const schema of [tool.parameters, tool.output]) visit(schema, tool.name, new Set(), schema, expectText)
    }
    expect(missing).toEqual([])
  })
})

type Expect = (part: string, where: string) => void

/** Every schema that a reader of the document comes to: definitions by their references alone. */
function visit(schema: unknown, name: string, seen: Set<unknown>, root: unknown, expectText: Expect): void {
  if (!isObject(schema) || seen.has(schema)) return
  seen.add(schema)
  texts(schema, name, expectText)
  const inner = (value: unknown, own: string): void => visit(value, own, seen, root, expectText)
  for (const [own, property] of Object.entries(isObject(schema['properties']) ? schema['properties'] : {})) {
    expectText(propertyKey(own), 'property')
    inner(property, own)
  }
  inner(schema['items'], name)
  inner(schema['additionalProperties'], name)
  for (const keyword of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    const branches = schema[keyword]
    if (Array.isArray(branches)) for (const branch of branches) inner(branch, name)
  }
  const reference = schema['$ref']
  if (typeof reference === 'string' && reference.startsWith('#/$defs/')) {
    const own = reference.slice('#/$defs/'.length)
    inner(isObject(root) && isObject(root['$defs']) ? root['$defs'][own] : undefined, own)
  }
}

function texts(schema: SchemaObject, name: string, expectText: Expect): void {
  for (const keyword of ['description', 'title', 'format']) {
    const said = schema[keyword]
    if (typeof said !== 'string' || bare(said) === bare(name) || said.trim() === '') continue
    expectText(commentText(proseLine(said)), keyword)
  }
  const value = schema['default']
  if (typeof value === 'string' && value.length < 100)
    expectText(commentText(proseLine(JSON.stringify(value).slice(1, -1))), 'default')
  if (typeof value === 'number' || typeof value === 'boolean') expectText(String(value), 'default')
  const values = schema['enum']
  if (!Array.isArray(values) || values.length > 100) return
  for (const item of values) if (typeof item === 'string') expectText(stringLiteral(item), 'enum')
}

function bare(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}
