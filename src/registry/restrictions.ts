// Masks over what a scope inherits (contract C3, C5): checked and copied when they are made, then pure functions of a
// name. A mask never touches what its own scope registered.
import { HarnessError } from '../errors/harness-error.ts'
import { quoteName, quoteNames } from '../errors/names.ts'
import { RUN_CODE_NAME } from '../tools/names.ts'
import type { ToolLayer } from './layers.ts'

/** What `restrict` takes. With both lists a name must be allowed and not denied. */
export interface RestrictionFilter {
  /** Only these inherited names stay visible; names that are registered later are hidden. */
  readonly allow?: readonly string[]
  /** These inherited names are hidden; names that are registered later are visible. */
  readonly deny?: readonly string[]
}

/** A restriction as it was when it was made. */
export interface Mask {
  readonly allow: ReadonlySet<string> | undefined
  readonly deny: ReadonlySet<string>
}

/** True when the mask leaves an inherited name visible. */
export function maskAdmits(mask: Mask, name: string): boolean {
  return (mask.allow === undefined || mask.allow.has(name)) && !mask.deny.has(name)
}

/**
 * Reads a filter once and checks it against what the scope inherits and owns. Throws `INVALID_RESTRICTION` on an empty
 * filter, on `run_code`, and on names that are the scope's own or that it does not inherit.
 */
export function createMask(
  filter: RestrictionFilter,
  own: ToolLayer | undefined,
  inherited: readonly ToolLayer[],
): Mask {
  if (typeof filter !== 'object' || filter === null)
    throw refuse('it takes { allow: [names] }, { deny: [names] } or both.')
  const { allow, deny } = filter
  const mask: Mask = {
    allow: allow === undefined ? undefined : new Set(readNames(allow, 'allow')),
    deny: new Set(deny === undefined ? [] : readNames(deny, 'deny')),
  }
  if (mask.allow?.size === 0) {
    throw refuse(
      '`allow` is an empty list. To hide every inherited tool, deny them by name; to allow all, leave `allow` out.',
    )
  }
  if (mask.allow === undefined && mask.deny.size === 0) {
    throw refuse('the filter is empty. Name at least one tool in `allow` or `deny`.')
  }
  checkNames(new Set([...(mask.allow ?? []), ...mask.deny]), own, inherited)
  return mask
}

function readNames(list: unknown, field: string): string[] {
  const names: unknown[] = Array.isArray(list) ? [...list] : [undefined]
  if (names.every((name) => typeof name === 'string')) return names
  throw refuse(`\`${field}\` must be an array of tool names.`)
}

function checkNames(names: ReadonlySet<string>, own: ToolLayer | undefined, inherited: readonly ToolLayer[]): void {
  if (names.has(RUN_CODE_NAME)) {
    throw refuse(
      `"${RUN_CODE_NAME}" cannot be restricted; select a presentation with presentAs instead.${known(own, inherited)}`,
    )
  }
  const ownNames = [...names].filter((name) => own?.owns(name) === true)
  if (ownNames.length > 0) {
    throw refuse(
      `${quoteNames(ownNames)}: registered by this scope itself, and a mask covers inherited tools only. Dispose the registration instead.${known(own, inherited)}`,
    )
  }
  const unknown = [...names].filter((name) => !inherited.some((layer) => layer.owns(name)))
  if (unknown.length > 0) {
    throw refuse(
      `${quoteNames(unknown)}: no such tool is inherited by this scope. Correct the name, or reserve it first with tools.reserve(${quoteName(unknown[0]!)}) in an outer scope.${known(own, inherited)}`,
    )
  }
}

function known(own: ToolLayer | undefined, inherited: readonly ToolLayer[]): string {
  const names = new Set<string>()
  for (const layer of inherited) for (const name of [...layer.tools.keys(), ...layer.reserved]) names.add(name)
  return ` Names that can be restricted here: ${quoteNames([...names].filter((name) => own?.owns(name) !== true))}.`
}

function refuse(problem: string): HarnessError {
  return new HarnessError('INVALID_RESTRICTION', `restrict refuses this filter: ${problem}`)
}
