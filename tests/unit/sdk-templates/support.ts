// How the tests of the renderers look at single schemas.
import { typescriptSdk } from '../../../sdk-templates/index.ts'
import type { JsonObject } from '../../../src/json/json-value.ts'
import type { JsonSchema } from '../../../src/tools/definition.ts'
import type { SdkTool } from '../../../src/tools/sdk-renderer.ts'

/** A tool. */
export function tool(name: string, parameters: JsonSchema, output: JsonSchema = {}, description = ''): SdkTool {
  return { name, description, parameters, output }
}

/** A tool with one argument `x` of this schema; what stands beside is part of the root schema. */
export function toolWith(schema: JsonSchema, beside: JsonObject = {}): SdkTool {
  return tool('t', { type: 'object', properties: { x: schema }, ...beside })
}

/** The SDK text without its head, as lines without indentation. */
export function linesOf(...tools: SdkTool[]): string[] {
  const [, text = ''] = typescriptSdk.render(tools).split('\n*/\n')
  return text.split('\n').map((line) => line.trim())
}

/** The type that an argument of this schema has, on one line and without prose. */
export function typeOf(schema: JsonSchema, beside: JsonObject = {}): string {
  const text = typescriptSdk.declarations([toolWith(schema, beside)])
  return /^ {2}t\(args\?: \{ x\?: (.*) \}\): Promise<Json>$/m.exec(text)?.[1] ?? text
}

/** The line of an argument of this schema, prose included. */
export function lineOf(schema: JsonSchema, beside: JsonObject = {}): string {
  const lines = linesOf(toolWith(schema, beside))
  const line = lines.find((candidate) => /^(x\?|t\(args\?: \{ x\?):/.test(candidate)) ?? lines.join('\n')
  return line.replace(/^t\(args\?: \{ (.*) \}\): Promise<Json>$/, '$1')
}

/** The named types of an SDK, by name. */
export function namedTypes(...tools: SdkTool[]): Map<string, string> {
  const text = typescriptSdk.declarations(tools)
  const found = [...text.matchAll(/^type (\w+) = (.*)$/gm)].map((match) => [match[1]!, match[2]!] as const)
  return new Map(found.filter(([name]) => !['Json', 'int', 'Empty'].includes(name)))
}
