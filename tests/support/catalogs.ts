// The tool catalogs of tests/fixtures/catalogs as renderers and validators see them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonSchema } from '../../src/tools/definition.ts'
import type { SdkTool } from '../../src/tools/sdk-renderer.ts'
import { repositoryRoot } from './repository.ts'

/** A catalog. */
export interface CatalogFile {
  readonly name: string
  readonly tools: readonly SdkTool[]
}

interface ListedTool {
  readonly name: string
  readonly description?: string
  readonly inputSchema: JsonSchema
  readonly outputSchema?: JsonSchema
}

const folder = join(repositoryRoot, 'tests/fixtures/catalogs')

/** Names of all catalogs. */
export function catalogNames(): string[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.replace('.json', ''))
    .sort()
}

/** One catalog. A tool without an output schema can return anything. */
export function readCatalog(name: string): CatalogFile {
  const { tools } = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as { tools: ListedTool[] }
  return {
    name,
    tools: tools.map((tool) => ({
      name: tool.name,
      description: tool.description ?? '',
      parameters: tool.inputSchema,
      output: tool.outputSchema ?? {},
    })),
  }
}
