// The ledger of one program's sub-calls (contract H11): what had happened, whichever way the run ended. A person or a
// model that reads a failure decides from it whether trying again is safe.
import { clip } from '../errors/describe-thrown.ts'
import { quoteName } from '../errors/names.ts'
import type { JsonValue } from '../json/json-value.ts'
import type { CallOutcome } from '../tools/call-outcome.ts'

/** One line of the ledger. */
export interface LedgerEntry {
  /** `<callId of run_code>:code:<n>`, numbered by submission from 1. */
  readonly callId: string
  readonly name: string
  readonly outcome: CallOutcome
  /** From submission to settlement, in milliseconds; `null` for a call that was never started. */
  readonly ms: number | null
}

const MAX_LISTED = 40

/** The ledger as `meta` has it. */
export function ledgerToJson(entries: readonly LedgerEntry[]): JsonValue {
  return entries.map(({ callId, name, outcome, ms }) => ({ callId, name, outcome, ms }))
}

/** What a model needs to decide whether to try again: how many committed, and each call that did not, by name and number. */
export function describeLedger(entries: readonly LedgerEntry[]): string {
  if (entries.length === 0) return 'No tool was called.'
  const committed = entries.filter((entry) => entry.outcome === 'committed').length
  const others = entries
    .map((entry, index) => ({ entry, number: index + 1 }))
    .filter(({ entry }) => entry.outcome !== 'committed')
  const head = `Tool calls: ${committed} of ${entries.length} committed${others.length === 0 ? '.' : '; not committed:'}`
  const lines = others
    .slice(0, MAX_LISTED)
    .map(({ entry, number }) => `- #${number} ${shown(entry.name)}: ${entry.outcome}`)
  if (others.length > MAX_LISTED) lines.push(`- and ${others.length - MAX_LISTED} more`)
  return [head, ...lines].join('\n')
}

/** Any string names a tool: what could be read as a line of the ledger itself is quoted. */
function shown(name: string): string {
  return /^[\w.-]{1,128}$/.test(name) ? name : clip(quoteName(name), 160)
}
