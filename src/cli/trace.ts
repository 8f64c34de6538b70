// The trace of a run's sub-calls as a table (`--trace`): number, tool, what became of it, how long it took.
// Reads the ledger in the result's `meta` (contract H11).
import type { JsonObject, JsonValue } from '../json/json-value.ts'

interface TraceRow {
  readonly name: string
  readonly outcome: string
  readonly ms: number | null
}

/** The table, one line a sub-call, or a sentence when there was none. */
export function formatTrace(meta: JsonObject | undefined): string {
  const rows = readRows(meta?.['calls'])
  if (rows.length === 0) return 'sub-calls: none'
  const counts = new Map<string, number>()
  for (const { outcome } of rows) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  const summary = [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ')
  const cells = rows.map(({ name, outcome, ms }, index) => [
    String(index + 1),
    name,
    outcome,
    ms === null ? '-' : ms.toFixed(1),
  ])
  return [`sub-calls: ${summary}`, ...table([['#', 'tool', 'outcome', 'ms'], ...cells])].join('\n')
}

function readRows(calls: JsonValue | undefined): TraceRow[] {
  if (!Array.isArray(calls)) return []
  return calls.map((call: JsonObject) => ({
    name: String(call['name']),
    outcome: String(call['outcome']),
    ms: typeof call['ms'] === 'number' ? call['ms'] : null,
  }))
}

/** Columns are as wide as their widest cell; the first and the last are numbers and stand to the right. */
function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows.map((row) =>
    row
      .map((cell, column) =>
        column === 0 || column === row.length - 1
          ? cell.padStart(widths[column] ?? 0)
          : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  )
}
