// Cells for tests: real sandboxes, closed after each test, and tools that a test steers.
import { afterEach } from 'vitest'
import type { JsonValue } from '../../src/json/json-value.ts'
import { type Cell, type CellOptions, createCell } from '../../src/presets/create-cell.ts'
import type { ToolDefinition } from '../../src/tools/definition.ts'
import type { ToolRunContext } from '../../src/tools/execution.ts'
import type { ToolExecutionResult } from '../../src/tools/result.ts'
import { toolOf } from './memory-environment.ts'

const open: Cell[] = []

afterEach(async () => {
  for (const cell of open.splice(0)) await cell.close()
})

/** A cell that is closed after the test. */
export async function testCell(options: CellOptions = {}): Promise<Cell> {
  const cell = await createCell(options)
  open.push(cell)
  return cell
}

/** A raw tool around a body; parallel by default. */
export function rawTool(
  name: string,
  execute: (args: any, exec: ToolRunContext) => JsonValue | Promise<JsonValue>,
  more: Partial<ToolDefinition> = {},
): ToolDefinition {
  return toolOf(name, execute, { isConcurrencySafe: () => true, ...more })
}

/** All text of a result's content. */
export function textOf(result: ToolExecutionResult): string {
  return result.content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n')
}

/** The result of a successful run; throws the failure's text otherwise. */
export function resultOf(result: ToolExecutionResult): JsonValue | undefined {
  if (result.isError) throw new Error(result.error.message)
  return (result.value as { readonly result?: JsonValue }).result
}

/** The ledger of a run, as `[name, outcome]`. */
export function ledgerOf(result: ToolExecutionResult): [string, string][] {
  const calls = result.meta?.['calls'] as unknown as { readonly name: string; readonly outcome: string }[]
  return calls.map(({ name, outcome }) => [name, outcome])
}
