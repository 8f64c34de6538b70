// The `meta` of a top-level run (contract H10, H11): usage and ledger, as JSON for hosts.
import type { JsonObject } from '../json/json-value.ts'
import type { RunUsage } from '../runtime/code-runtime.ts'
import { type LedgerEntry, ledgerToJson } from './ledger.ts'

/** `{ usage, calls }`; `usage` is `null` when the program never started. */
export function runMeta(usage: RunUsage | undefined, ledger: readonly LedgerEntry[]): JsonObject {
  return { usage: usage === undefined ? null : { ...usage }, calls: ledgerToJson(ledger) }
}
