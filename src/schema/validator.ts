// Compiles a schema, once for each definition, and checks values against it (contract G2, G3, C2).
//
//   at registration:  JsonSchema ──▶ size and depth ──▶ intake.ts ──▶ graph.ts        every refusal happens here
//   at the first value:  engine.ts, up to the first error: fast ──▶ valid
//                                         └─ invalid ──▶ engine.ts again, all errors ──▶ violations.ts
//
// Code is generated when it is needed: a server may list hundreds of tools, each a millisecond, of which three are called.
// Called by defineTool for arguments, by the registry for outputs, by raw definitions through validateArgs.
import { describeThrown } from '../errors/describe-thrown.ts'
import { HarnessError } from '../errors/harness-error.ts'
import type { Violation } from '../errors/tool-errors.ts'
import type { JsonValue } from '../json/json-value.ts'
import { JsonRefusedError } from '../json/refusals.ts'
import { snapshot } from '../json/snapshot.ts'
import type { JsonSchema } from './dialects.ts'
import { Engine, type Outcome } from './engine.ts'
import { measureShape, type SchemaShape } from './graph.ts'
import { type CoreDocument, takeIn } from './intake.ts'
import {
  MAX_RECURSIVE_DEPTH,
  MAX_SCHEMA_CHARS,
  MAX_SCHEMA_DEPTH,
  MAX_SCHEMA_VALUES,
  MAX_STEPS,
  MAX_VIOLATIONS,
} from './limits.ts'
import { toViolations } from './violations.ts'

/** Options of {@link compileSchema}. */
export interface CompileOptions {
  /** Whose schema it is, for messages: `tool "read"`. */
  readonly owner: string
  /** Which of its schemas. */
  readonly kind: 'parameters' | 'output'
  /**
   * True for a schema of our own making (defineTool's): every violation is reported, work is not metered, and a pattern that
   * cannot be checked is refused instead of skipped. Default false: the schema may be hostile.
   */
  readonly trusted?: boolean
}

/** A compiled schema. */
export interface CompiledSchema {
  /** What is not checked, one sentence each; for the operator. */
  readonly warnings: readonly string[]
  /**
   * Where a value does not fit; empty when it does. `root` names the value in paths. The value is a snapshot, or at least a
   * tree of JSON. Does not throw, whatever schema and value do to each other.
   */
  violations(value: JsonValue, root?: string): readonly Violation[]
}

/**
 * Compiles a schema. Throws HarnessError INVALID_SCHEMA, naming owner and place, for one that is malformed, too large, too deep, refers to
 * another document, or expands to too many paths.
 */
export function compileSchema(schema: JsonSchema, options: CompileOptions): CompiledSchema {
  return new SchemaValidator(...readSchema(schema, options), options.trusted === true)
}

/** Throws as {@link compileSchema} does, and keeps nothing: for schemas that are only handed on. */
export function checkSchema(schema: JsonSchema, options: CompileOptions): void {
  readSchema(schema, options)
}

function readSchema(schema: JsonSchema, { owner, kind, trusted = false }: CompileOptions): [CoreDocument, SchemaShape] {
  const refuse = (place: string, problem: string): never => {
    const which = kind === 'output' ? 'output schema' : 'parameter schema'
    throw new HarnessError('INVALID_SCHEMA', `The ${which} of ${owner} cannot be used: ${place} ${problem}.`)
  }
  const detached = detach(schema, refuse)
  assertBounds(detached, refuse)
  const document = takeIn(detached, { isTrusted: trusted, refuse })
  return [document, measureShape(document.root, refuse)]
}

/**
 * Checks arguments against a JSON Schema, for raw definitions, which own the validation of their input. Returns the violations, with paths from
 * `args`; arguments that are not lossless JSON are one violation. Compiled once for each schema object. Throws INVALID_SCHEMA as
 * {@link compileSchema} does. To fail a call as `defineTool` does, throw `new ToolArgsError(name, violations)`.
 */
export function validateArgs(schema: JsonSchema, args: unknown): readonly Violation[] {
  const compiled = compiledOnce(schema)
  try {
    return compiled.violations(snapshot(args, 'args'), 'args')
  } catch (error) {
    if (!(error instanceof JsonRefusedError)) throw error
    return [{ path: error.path, message: error.problem }]
  }
}

/** By identity of the schema object; entries leave with their schemas. */
const COMPILED = new WeakMap<object, CompiledSchema>()

function compiledOnce(schema: JsonSchema): CompiledSchema {
  const known = typeof schema === 'object' ? COMPILED.get(schema) : undefined
  if (known !== undefined) return known
  const compiled = compileSchema(schema, { owner: 'validateArgs', kind: 'parameters' })
  if (typeof schema === 'object') COMPILED.set(schema, compiled)
  return compiled
}

class SchemaValidator implements CompiledSchema {
  readonly warnings: readonly string[]
  readonly #document: CoreDocument
  readonly #shape: SchemaShape
  readonly #isTrusted: boolean
  #fast: Engine | undefined
  #thorough: Engine | undefined

  constructor(document: CoreDocument, shape: SchemaShape, isTrusted: boolean) {
    this.#document = document
    this.#shape = shape
    this.#isTrusted = isTrusted
    this.warnings = document.warnings
  }

  violations(value: JsonValue, root = 'value'): readonly Violation[] {
    if (this.#shape.isRecursive && isDeeperThan(value, MAX_RECURSIVE_DEPTH)) {
      return [
        {
          path: root,
          message: `is nested more than ${MAX_RECURSIVE_DEPTH} levels deep, the limit for a recursive schema`,
        },
      ]
    }
    const outcome = this.#run(value)
    switch (outcome.kind) {
      case 'valid':
        return []
      case 'exhausted':
        return [
          {
            path: root,
            message: `takes more than ${MAX_STEPS} steps to check against its schema: send less, or flatter values`,
          },
        ]
      case 'overflow':
        return [{ path: root, message: 'is nested too deep to be checked against its schema: send a flatter value' }]
      case 'invalid': {
        const max = this.#isTrusted ? MAX_VIOLATIONS.trusted : MAX_VIOLATIONS.foreign
        return toViolations(this.#explain(value, outcome).errors, value, root, max)
      }
    }
  }

  #run(value: JsonValue): Outcome {
    try {
      this.#fast ??= this.#engine(false)
    } catch (error) {
      // What intake.ts admits compiles; the stack may be nearly used up already, though.
      if (error instanceof RangeError) return { kind: 'overflow' }
      throw error
    }
    return this.#fast.run(value)
  }

  /**
   * All errors; the first one where all are too many to collect, and for `unevaluated…`: behind a reference that failed, what was seen is
   * not known, and Ajv's code for all errors would go on with it.
   */
  #explain(value: JsonValue, first: Outcome & { kind: 'invalid' }): Outcome & { kind: 'invalid' } {
    if (this.#shape.hasUnevaluated) return first
    this.#thorough ??= this.#engine(true)
    const outcome = this.#thorough.run(value)
    return outcome.kind === 'invalid' ? outcome : first
  }

  #engine(allErrors: boolean): Engine {
    const max = this.#isTrusted ? MAX_VIOLATIONS.trusted : MAX_VIOLATIONS.foreign
    // A union reports all its branches before it is one violation.
    return new Engine(this.#document, {
      shape: this.#shape,
      isTrusted: this.#isTrusted,
      allErrors,
      maxErrors: 20 * max,
    })
  }
}

function detach(schema: JsonSchema, refuse: (place: string, problem: string) => never): JsonSchema {
  let detached: JsonValue
  try {
    detached = snapshot(schema, '#')
  } catch (error) {
    return refuse('#', `is not JSON (${describeThrown(error).message})`)
  }
  const isSchema =
    typeof detached === 'boolean' || (typeof detached === 'object' && detached !== null && !Array.isArray(detached))
  return isSchema ? (detached as JsonSchema) : refuse('#', 'must be an object, true or false')
}

/** Bounds size and depth, before anything recurses over the schema. */
function assertBounds(schema: JsonSchema, refuse: (place: string, problem: string) => never): void {
  const waiting: [value: JsonValue, depth: number][] = [[schema, 1]]
  let values = 0
  let chars = 0
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [value, depth] = next
    values++
    if (typeof value === 'string') chars += value.length
    if (values > MAX_SCHEMA_VALUES || chars > MAX_SCHEMA_CHARS) {
      refuse('#', `is too large: ${MAX_SCHEMA_VALUES} values and ${MAX_SCHEMA_CHARS} characters are the limit`)
    }
    if (typeof value !== 'object' || value === null) continue
    if (depth > MAX_SCHEMA_DEPTH) refuse('#', `is nested more than ${MAX_SCHEMA_DEPTH} levels deep, which is the limit`)
    for (const [key, child] of Object.entries(value)) {
      chars += key.length
      waiting.push([child, depth + 1])
    }
  }
}

function isDeeperThan(value: JsonValue, limit: number): boolean {
  const waiting: [container: object, depth: number][] = typeof value === 'object' && value !== null ? [[value, 1]] : []
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const [container, depth] = next
    if (depth > limit) return true
    for (const child of Object.values(container)) {
      if (typeof child === 'object' && child !== null) waiting.push([child, depth + 1])
    }
  }
  return false
}
