// `anyOf` and `oneOf` in messages. Ajv lists what every branch found wrong; a model wants to know which branch was meant and what is
// missing there. Called by violations.ts.
import type { Violation } from '../errors/tool-errors.ts'
import type { JsonArray, JsonValue } from '../json/json-value.ts'
import { definitionPointer, isObjectSchema } from './core.ts'
import type { SchemaError } from './engine.ts'
import { REFERENCE } from './outline.ts'
import { labelOfTypes, listOf, show, showValues } from './wording.ts'

/** An error, and for a union those of its branches. */
export interface ErrorNode {
  readonly error: SchemaError
  readonly children: readonly ErrorNode[]
}

/** Keywords whose error follows those of their subschemas, and speaks for them. */
const FOLDING = new Set(['anyOf', 'oneOf', 'contains', 'propertyNames', 'not'])

/** The flat list as a forest. */
export function foldUnions(errors: readonly SchemaError[]): readonly ErrorNode[] {
  const nodes: ErrorNode[] = []
  for (const error of errors) {
    if (!FOLDING.has(error.keyword)) {
      nodes.push({ error, children: [] })
      continue
    }
    let start = nodes.length
    while (start > 0 && isBelow((nodes[start - 1] as ErrorNode).error, error)) start--
    nodes.push({ error, children: nodes.splice(start) })
  }
  return nodes
}

/** True for an error that a branch of `parent` reported: at its place or further in, by its subschemas or through a reference. */
function isBelow(error: SchemaError, parent: SchemaError): boolean {
  const isInside =
    error.instancePath === parent.instancePath || error.instancePath.startsWith(`${parent.instancePath}/`)
  return (
    isInside &&
    (error.schemaPath.startsWith(`${parent.schemaPath}/`) || error.schemaPath.startsWith(definitionPointer('')))
  )
}

/** What is wrong, in as few violations as help. `explain` gives those of one node. */
export function explainUnion(
  node: ErrorNode,
  path: string,
  explain: (child: ErrorNode) => readonly Violation[],
): readonly Violation[] {
  const { error } = node
  const passing: unknown = error.params['passingSchemas']
  if (Array.isArray(passing)) {
    const forms = listOf(
      passing.map((index: number) => String(index + 1)),
      'and',
    )
    return [{ path, message: `fits the forms ${forms}, and must fit exactly one` }]
  }
  const branches = branchesOf(node)
  const open = branches.filter((branch) => !branch.some((child) => isTypeError(child, error)))
  if (open.length === 0)
    return [{ path, message: `must be ${alternatives(branches)}, got ${show(error.data as JsonValue)}` }]
  const discriminated = byDiscriminator(open, error, explain)
  if ('path' in discriminated) return [discriminated]
  const explained = discriminated.map((branch) => branch.flatMap(explain))
  const [nearest = []] = explained.toSorted((a, b) => a.length - b.length)
  if (explained.length === 1) return nearest
  const asks = nearest.slice(0, 3).map((violation) => `${violation.path} ${violation.message}`)
  return [{ path, message: `fits none of its ${branches.length} forms; the nearest asks: ${asks.join('; ')}` }]
}

/** The errors of each branch that reported some. */
function branchesOf({ error, children }: ErrorNode): readonly (readonly ErrorNode[])[] {
  const schemas = error.schema as readonly unknown[]
  const branches = new Map<number, ErrorNode[]>()
  let current = 0
  for (const child of children) {
    current = branchAt(child.error, error, schemas, current)
    const branch = branches.get(current)
    if (branch === undefined) branches.set(current, [child])
    else branch.push(child)
  }
  return [...branches.values()]
}

/** The branch that an error belongs to. Branches report in order, so behind a reference the last one that was seen goes on. */
function branchAt(error: SchemaError, union: SchemaError, schemas: readonly unknown[], current: number): number {
  const prefix = `${union.schemaPath}/`
  if (error.schemaPath.startsWith(prefix)) return Number.parseInt(error.schemaPath.slice(prefix.length), 10)
  for (let index = current; index < schemas.length; index++) {
    const schema = schemas[index]
    const name = isObjectSchema(schema) ? schema[REFERENCE] : undefined
    if (typeof name === 'string' && error.schemaPath.startsWith(`${definitionPointer(name)}/`)) return index
  }
  return current
}

function isTypeError({ error }: ErrorNode, union: SchemaError): boolean {
  return error.instancePath === union.instancePath && ['type', 'const', 'enum'].includes(error.keyword)
}

/** What the branches take, where none takes a value of this type. */
function alternatives(branches: readonly (readonly ErrorNode[])[]): string {
  const labels = branches.flatMap((branch) =>
    branch
      .filter(({ error }) => ['type', 'const', 'enum'].includes(error.keyword))
      .slice(0, 1)
      .map(({ error }) => {
        if (error.keyword === 'type') return labelOfTypes(error.schema as string | readonly string[])
        return error.keyword === 'const' ? show(error.schema as JsonValue) : showValues(error.schema as JsonArray)
      }),
  )
  return listOf([...new Set(labels)], 'or')
}

/**
 * Keeps the branches whose discriminator fits, a property with a constant such as `kind`. Where it fits none and they agree on the property,
 * one violation that lists its values.
 */
function byDiscriminator(
  branches: readonly (readonly ErrorNode[])[],
  union: SchemaError,
  explain: (child: ErrorNode) => readonly Violation[],
): readonly (readonly ErrorNode[])[] | Violation {
  const wrong = branches.map((branch) => branch.find((child) => isDiscriminator(child, union)))
  const fitting = branches.filter((_, index) => wrong[index] === undefined)
  if (fitting.length > 0) return fitting
  const errors = wrong.map((child) => (child as ErrorNode).error)
  const [first] = errors
  if (branches.length < 2 || errors.some((error) => error.instancePath !== first?.instancePath)) return branches
  const values = errors.flatMap((error) =>
    error.keyword === 'const' ? [error.schema as JsonValue] : (error.schema as JsonArray),
  )
  const [place] = explain(wrong[0] as ErrorNode)
  return {
    path: place?.path ?? '',
    message: `must be ${showValues([...new Set(values)])}, got ${show(first?.data as JsonValue)}`,
  }
}

/** A constant, or a choice, that a direct property of the union's value does not meet. */
function isDiscriminator({ error }: ErrorNode, union: SchemaError): boolean {
  if (error.keyword !== 'const' && error.keyword !== 'enum') return false
  if (!error.instancePath.startsWith(`${union.instancePath}/`)) return false
  return !error.instancePath.slice(union.instancePath.length + 1).includes('/')
}
