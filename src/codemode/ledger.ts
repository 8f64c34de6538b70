// The ledger of one program's sub-calls (contract H11): what had happened, whichever way the run ended. A person or a
// model that reads a failure decides from it whether trying again is safe.
import { clip } from '../errors/describe-thrown.ts'
import { quoteName } from '../errors/names.ts'
import type { JsonObject } from '../json/json-value.ts'
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

/** All sub-calls of one program, in order of submission. */
export interface Ledger {
  readonly entries: readonly LedgerEntry[]
  /** Calls over a budget that were refused beyond those that have an entry. */
  readonly refusedBeyond: number
}

const MAX_LISTED = 40

/** The ledger as `meta` has it: `calls`, and `refusedBeyond` where it is not zero. */
export function ledgerToJson({ entries, refusedBeyond }: Ledger): JsonObject {
  const calls = entries.map(({ callId, name, outcome, ms }) => ({ callId, name, outcome, ms }))
  return refusedBeyond === 0 ? { calls } : { calls, refusedBeyond }
}

/** What a model needs to decide whether to try again: how many committed, and each call that did not, by name and number. */
export function describeLedger({ entries, refusedBeyond }: Ledger): string {
  const total = entries.length + refusedBeyond
  if (total === 0) return 'No tool was called.'
  const committed = entries.filter((entry) => entry.outcome === 'committed').length
  const others = entries
    .map((entry, index) => ({ entry, number: index + 1 }))
    .filter(({ entry }) => entry.outcome !== 'committed')
  const head = `Tool calls: ${committed} of ${total} committed${others.length === 0 ? '.' : '; not committed:'}`
  const lines = others
    .slice(0, MAX_LISTED)
    .map(({ entry, number }) => `- #${number} ${shown(entry.name)}: ${entry.outcome}`)
  const unlisted = Math.max(0, others.length - MAX_LISTED) + refusedBeyond
  if (unlisted > 0) lines.push(`- and ${unlisted} more`)
  return [head, ...lines].join('\n')
}

/** Any string names a tool: what could be read as a line of the ledger itself is quoted. */
function shown(name: string): string {
  return /^[\w.-]{1,128}$/.test(name) ? name : clip(quoteName(name), 160)
}
