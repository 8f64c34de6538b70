// Ajv's errors as sentences that a model can act on: `args.limit must be an integer, got "ten"` (contract G2, G3).
// Ajv reports every branch of a union flat, one after the other; here the errors of a union are folded into the one sentence that helps:
// the types it takes, the values of its discriminator, or what the nearest branch asks for (unions.ts).
import type { Violation } from '../errors/tool-errors.ts'
import type { JsonArray, JsonObject, JsonValue } from '../json/json-value.ts'
import { formatPath, formatSegment } from '../json/path.ts'
import { findDuplicate, ValueNumbers } from './duplicates.ts'
import type { SchemaError } from './engine.ts'
import { FORMATS } from './formats.ts'
import { type ErrorNode, explainUnion, foldUnions } from './unions.ts'
import { labelOfTypes, listOf, nearestName, show, showValues } from './wording.ts'

/** Violations for the errors of one validation, at most `max`, without repetitions. */
export function toViolations(errors: readonly SchemaError[], value: JsonValue, root: string, max: number): Violation[] {
  const found = new Map<string, Violation>()
  for (const node of foldUnions(errors)) {
    for (const violation of violationsOf(node, value, root))
      found.set(`${violation.path} ${violation.message}`, violation)
    if (found.size >= max) break
  }
  return [...found.values()].slice(0, max)
}

function violationsOf(node: ErrorNode, value: JsonValue, root: string): readonly Violation[] {
  const path = pathOf(node.error, value, root)
  switch (node.error.keyword) {
    case 'if':
      // What `then` or `else` asked for has errors of its own.
      return []
    case 'anyOf':
    case 'oneOf':
      return explainUnion(node, path, (child) => violationsOf(child, value, root))
    case 'propertyNames': {
      const [child] = node.children
      const reason = child === undefined ? 'is not allowed' : violationsOf(child, value, root)[0]?.message
      return [{ path, message: `has the key ${show(String(node.error.params['propertyName']))}, which ${reason}` }]
    }
    default:
      return [leafViolation(node.error, path)]
  }
}

/** The violation of one keyword. */
function leafViolation(
  { keyword, params, schema, parentSchema, data, propertyName }: SchemaError,
  path: string,
): Violation {
  // Under propertyNames the value that does not fit is the name.
  const got = propertyName === undefined ? (data as JsonValue) : propertyName
  const count = (limit: unknown, noun: string): string => `${limit} ${noun}${limit === 1 ? '' : 's'}`
  switch (keyword) {
    case 'type':
      return { path, message: `must be ${labelOfTypes(schema as string | readonly string[])}, got ${show(got)}` }
    case 'enum':
      return { path, message: `must be ${showValues(schema as JsonArray)}, got ${show(got)}` }
    case 'const':
      return { path, message: `must be ${show(schema as JsonValue)}, got ${show(got)}` }
    case 'required':
      return missing(path, String(params['missingProperty']), parentSchema)
    case 'dependentRequired':
      return {
        path: path + formatSegment(String(params['missingProperty'])),
        message: `is required when ${show(String(params['property']))} is given`,
      }
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return unknownProperty(path, String(params['additionalProperty'] ?? params['unevaluatedProperty']), parentSchema)
    case 'minimum':
      return { path, message: `must be at least ${schema}, got ${show(got)}` }
    case 'maximum':
      return { path, message: `must be at most ${schema}, got ${show(got)}` }
    case 'exclusiveMinimum':
      return { path, message: `must be more than ${schema}, got ${show(got)}` }
    case 'exclusiveMaximum':
      return { path, message: `must be less than ${schema}, got ${show(got)}` }
    case 'multipleOf':
      return { path, message: `must be a multiple of ${schema}, got ${show(got)}` }
    case 'minLength':
      return { path, message: `must have at least ${count(schema, 'character')}, got ${show(got)}` }
    case 'maxLength':
      return { path, message: `must have at most ${count(schema, 'character')}, got ${[...String(got)].length}` }
    case 'pattern':
      return { path, message: `must match the pattern ${show(schema as string)}, got ${show(got)}` }
    case 'format':
      return { path, message: `must be ${FORMATS.get(String(schema))?.label ?? schema}, got ${show(got)}` }
    case 'minItems':
      return { path, message: `must have at least ${count(schema, 'item')}, got ${(got as JsonArray).length}` }
    case 'maxItems':
      return { path, message: `must have at most ${count(schema, 'item')}, got ${(got as JsonArray).length}` }
    case 'items':
    case 'unevaluatedItems':
      return {
        path,
        message: `must have at most ${count(params['limit'] ?? params['len'], 'item')}, got ${(got as JsonArray).length}`,
      }
    case 'uniqueItems': {
      const [first, second] = findDuplicate(got as JsonArray, new ValueNumbers()) ?? []
      return { path, message: `must not repeat an item: [${first}] and [${second}] are equal` }
    }
    case 'contains':
      return { path, message: containsMessage(params) }
    case 'minProperties':
      return {
        path,
        message: `must have at least ${schema === 1 ? '1 property' : `${schema} properties`}, got ${membersOf(got)}`,
      }
    case 'maxProperties':
      return {
        path,
        message: `must have at most ${schema === 1 ? '1 property' : `${schema} properties`}, got ${membersOf(got)}`,
      }
    case 'not':
      return { path, message: `has a form that is excluded, got ${show(got)}` }
    case 'false schema':
      return { path, message: 'is not allowed' }
    default:
      return { path, message: `does not fit the keyword ${keyword}` }
  }
}

function missing(path: string, name: string, parentSchema: JsonObject | undefined): Violation {
  const property = (parentSchema?.['properties'] ?? {}) as JsonObject
  const schema = Object.hasOwn(property, name) ? property[name] : undefined
  const type = typeof schema === 'object' && schema !== null ? (schema as JsonObject)['type'] : undefined
  const hint = type === undefined ? '' : ` (${labelOfTypes(type as string | readonly string[])})`
  return { path: path + formatSegment(name), message: `is required${hint}` }
}

function unknownProperty(path: string, name: string, parentSchema: JsonObject | undefined): Violation {
  const known = Object.keys((parentSchema?.['properties'] ?? {}) as object)
  const nearest = nearestName(name, known)
  const advice =
    nearest !== undefined
      ? `did you mean ${show(nearest)}?`
      : known.length > 0
        ? `known are ${listOf(
            known.slice(0, 20).map((each) => show(each)),
            'and',
          )}${known.length > 20 ? ', …' : ''}`
        : 'none is allowed here'
  return { path: path + formatSegment(name), message: `is no known property: ${advice}` }
}

function containsMessage(params: { readonly [name: string]: unknown }): string {
  const { minContains: min, maxContains: max } = params
  const range = max === undefined ? `at least ${min}` : min === max ? `exactly ${min}` : `${min} to ${max}`
  return `must contain ${range} item${(max ?? min) === 1 ? '' : 's'} of the form that its schema asks for`
}

function membersOf(value: JsonValue): number {
  return Object.keys(value as JsonObject).length
}

/** Ajv's pointer as a path. Whether a step is an index is the value's to say. */
function pathOf({ instancePath }: SchemaError, value: JsonValue, root: string): string {
  if (instancePath === '') return root
  let at: JsonValue | undefined = value
  const segments = instancePath
    .slice(1)
    .split('/')
    .map((token) => {
      const key = token.replaceAll('~1', '/').replaceAll('~0', '~')
      const isIndex = Array.isArray(at)
      at = typeof at === 'object' && at !== null ? (at as JsonObject)[key] : undefined
      return isIndex ? Number(key) : key
    })
  return formatPath(root, segments)
}
