// Checks the bindings of a run once, before anything starts, and reads them once (contract J3). A runtime gets plain
// records and never looks into the caller's objects again.
import { HarnessError } from '../errors/harness-error.ts'
import type { BindingFunction, BindingNamespace } from './code-runtime.ts'
import { refuseGlobalName, refusePropertyName } from './identifiers.ts'

/** A member of a namespace: any string is a name. */
export interface CheckedMember {
  readonly name: string
  readonly fn: BindingFunction
}

/** A namespace that passed the check. */
export interface CheckedNamespace {
  readonly global: string
  readonly members: readonly CheckedMember[]
  readonly errorClass?: { readonly name: string; readonly memberNameProperty: string }
}

/** Reads and checks bindings. Throws `INVALID_BINDINGS`, naming the global, the rule and the remedy. */
export function checkBindings(bindings: readonly BindingNamespace[]): readonly CheckedNamespace[] {
  const globals = new Set<string>()
  const classes = new Map<string, string>()
  const checked: CheckedNamespace[] = []
  for (const namespace of bindings) {
    const { global, functions, errorClass } = namespace
    assertGlobal('Binding global', global)
    if (globals.has(global)) throw refused(`Binding global "${global}" is given twice; merge the two namespaces.`)
    globals.add(global)
    if (errorClass !== undefined) {
      assertGlobal('Error class', errorClass.name)
      const property = refusePropertyName(errorClass.memberNameProperty)
      if (property !== undefined) {
        throw refused(
          `Member name property "${errorClass.memberNameProperty}" of error class "${errorClass.name}" ${property}.`,
        )
      }
      const other = classes.get(errorClass.name)
      if (other !== undefined && other !== errorClass.memberNameProperty) {
        throw refused(`Error class "${errorClass.name}" is given twice with different member name properties.`)
      }
      classes.set(errorClass.name, errorClass.memberNameProperty)
    }
    checked.push({
      global,
      members: readMembers(global, functions),
      ...(errorClass && { errorClass: { name: errorClass.name, memberNameProperty: errorClass.memberNameProperty } }),
    })
  }
  for (const name of classes.keys()) {
    if (globals.has(name)) throw refused(`"${name}" is both a binding global and an error class; rename one.`)
  }
  return checked
}

function readMembers(global: string, functions: unknown): CheckedMember[] {
  if (typeof functions !== 'object' || functions === null) {
    throw refused(`The functions of binding global "${global}" must be an object of async functions.`)
  }
  const members: CheckedMember[] = []
  for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(functions))) {
    if (!descriptor.enumerable) continue
    if (typeof descriptor.value !== 'function') {
      throw refused(`Member "${name}" of binding global "${global}" must be a function.`)
    }
    members.push({ name, fn: descriptor.value as BindingFunction })
  }
  return members
}

function assertGlobal(what: string, name: unknown): asserts name is string {
  if (typeof name !== 'string') throw refused(`${what} must be a string, got ${typeof name}.`)
  const why = refuseGlobalName(name)
  if (why !== undefined) throw refused(`${what} "${name}" ${why}; choose another name.`)
}

function refused(message: string): HarnessError {
  return new HarnessError('INVALID_BINDINGS', message)
}
