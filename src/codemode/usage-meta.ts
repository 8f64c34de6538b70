// The `meta` of a top-level run (contract H10, H11): usage, ledger and, for a failure, its kind, as JSON for hosts.
import type { JsonObject } from '../json/json-value.ts'
import type { CodeRunError, RunUsage } from '../runtime/code-runtime.ts'
import { type Ledger, ledgerToJson } from './ledger.ts'

/** `{ usage, calls, failure? }`; `usage` is `null` when the runtime reported none. A failure is `{ kind, message, name?, line?, column? }`. */
export function runMeta(usage: RunUsage | undefined, ledger: Ledger, error: CodeRunError | undefined): JsonObject {
  const meta = { usage: usage === undefined ? null : { ...usage }, ...ledgerToJson(ledger) }
  if (error === undefined) return meta
  const { kind, message, name, line, column } = error
  const place = { ...(line !== undefined && { line }), ...(column !== undefined && { column }) }
  return { ...meta, failure: { kind, message, ...(name !== undefined && { name }), ...place } }
}
