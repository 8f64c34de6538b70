// Checks the bindings of a run once, before anything starts, and reads them once (contract J3). A runtime gets plain
// records and never looks into the caller's objects again.
import { HarnessError } from '../errors/harness-error.ts'
import type { BindingFunction, BindingNamespace } from './code-runtime.ts'
import { refuseGlobalName, refusePropertyName } from './identifiers.ts'

/** A member of a namespace: any string is a name. */
export interface CheckedMember {
  readonly name: string
  readonly fn: BindingFunction
  /** Tells the namespace of a call of this member that a budget refused; never throws. */
  readonly onRefused?: () => void
}

/** A namespace that passed the check. */
export interface CheckedNamespace {
  readonly global: string
  readonly members: readonly CheckedMember[]
  readonly errorClass?: { readonly name: string; readonly memberNameProperty: string }
}

/** Reads and checks bindings. Throws `INVALID_BINDINGS`, naming the global, the rule and the remedy. */
export function checkBindings(bindings: readonly BindingNamespace[]): readonly CheckedNamespace[] {
  if (!Array.isArray(bindings)) throw refused('Bindings must be an array of namespaces.')
  const globals = new Set<string>()
  const classes = new Map<string, string>()
  const checked: CheckedNamespace[] = []
  for (const namespace of bindings as readonly unknown[]) {
    const { global, functions, errorClass, onRefused } = fieldsOf(namespace, 'A namespace')
    assertGlobal('Binding global', global)
    if (globals.has(global)) throw refused(`Binding global "${global}" is given twice; merge the two namespaces.`)
    globals.add(global)
    const members = readMembers(global, functions, refusalListener(global, onRefused))
    if (errorClass === undefined) {
      checked.push({ global, members })
      continue
    }
    const { name, memberNameProperty } = readErrorClass(errorClass)
    const other = classes.get(name)
    if (other !== undefined && other !== memberNameProperty) {
      throw refused(`Error class "${name}" is given twice with different member name properties.`)
    }
    classes.set(name, memberNameProperty)
    checked.push({ global, members, errorClass: { name, memberNameProperty } })
  }
  for (const name of classes.keys()) {
    if (globals.has(name)) throw refused(`"${name}" is both a binding global and an error class; rename one.`)
  }
  return checked
}

function readErrorClass(source: unknown): NonNullable<CheckedNamespace['errorClass']> {
  const { name, memberNameProperty } = fieldsOf(source, 'An error class')
  assertGlobal('Error class', name)
  const what = `Member name property of error class "${name}"`
  if (typeof memberNameProperty !== 'string')
    throw refused(`${what} must be a string, got ${typeof memberNameProperty}.`)
  const why = refusePropertyName(memberNameProperty)
  if (why !== undefined) throw refused(`${what}: "${memberNameProperty}" ${why}; choose another name.`)
  return { name, memberNameProperty }
}

/** The fields of an object, to be destructured: each is read once. */
function fieldsOf(source: unknown, what: string): Record<string, unknown> {
  if (typeof source !== 'object' || source === null) throw refused(`${what} of the bindings must be an object.`)
  return source as Record<string, unknown>
}

type RefusalListener = (member: string) => void

function refusalListener(global: string, onRefused: unknown): RefusalListener | undefined {
  if (onRefused === undefined || typeof onRefused === 'function') return onRefused as RefusalListener | undefined
  throw refused(`onRefused of binding global "${global}" must be a function.`)
}

function readMembers(global: string, functions: unknown, tell: RefusalListener | undefined): CheckedMember[] {
  if (typeof functions !== 'object' || functions === null) {
    throw refused(`The functions of binding global "${global}" must be an object of async functions.`)
  }
  const members: CheckedMember[] = []
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(functions))) {
    if (!descriptor.enumerable) continue
    if (typeof descriptor.value !== 'function') {
      throw refused(`Member "${name}" of binding global "${global}" must be a function.`)
    }
    const fn = descriptor.value as BindingFunction
    members.push(tell === undefined ? { name, fn } : { name, fn, onRefused: () => contained(tell, name) })
  }
  return members
}

/** A listener's trouble is not the run's. */
function contained(tell: RefusalListener, member: string): void {
  try {
    tell(member)
  } catch {}
}

function assertGlobal(what: string, name: unknown): asserts name is string {
  if (typeof name !== 'string') throw refused(`${what} must be a string, got ${typeof name}.`)
  const why = refuseGlobalName(name)
  if (why !== undefined) throw refused(`${what} "${name}" ${why}; choose another name.`)
}

function refused(message: string): HarnessError {
  return new HarnessError('INVALID_BINDINGS', message)
}
