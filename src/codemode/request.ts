// The arguments of `run_code` (contract H1): `code` and `description`, and `language` where a scope has several.
import { ToolArgsError, type Violation } from '../errors/tool-errors.ts'
import type { JsonValue } from '../json/json-value.ts'
import type { ToolSchema } from '../tools/definition.ts'
import { RUN_CODE_NAME } from '../tools/names.ts'
import type { ReadyLanguage } from './languages.ts'

/** A program to run. */
export interface ProgramRequest {
  readonly code: string
  readonly description: string
  readonly language: ReadyLanguage
}

/** What a model is told of `run_code`, for the languages of its scope. */
export function runCodeSchema(languages: readonly ReadyLanguage[]): ToolSchema {
  const texts = languages.map(({ renderer }) => renderer.runCode)
  const several = languages.length > 1
  return {
    name: RUN_CODE_NAME,
    description: texts.map((text) => text.description).join('\n\n'),
    parameters: {
      type: 'object',
      properties: {
        code: { type: 'string', description: texts.map((text) => text.codeDescription).join(' ') },
        description: {
          type: 'string',
          description: 'What the program does, in one short line, for the person who watches.',
        },
        ...(several && {
          language: {
            type: 'string',
            enum: languages.map(({ language }) => language),
            description: 'Language of the program.',
          },
        }),
      },
      required: ['code', 'description', ...(several ? ['language'] : [])],
      additionalProperties: false,
    },
  }
}

/** Checks arguments. Throws `INVALID_ARGS` with every violation. */
export function readRequest(args: JsonValue, languages: readonly ReadyLanguage[]): ProgramRequest {
  const violations: Violation[] = []
  const fields = isObject(args) ? args : {}
  if (!isObject(args)) violations.push({ path: 'args', message: 'must be an object with `code` and `description`' })
  const code = readText(fields, 'code', 'the program', violations)
  const description = readText(fields, 'description', 'one short line that says what the program does', violations)
  const language = readLanguage(fields, languages, violations)
  for (const key of Object.keys(fields)) {
    if (key !== 'code' && key !== 'description' && key !== 'language') {
      violations.push({ path: `args.${key}`, message: 'is not a parameter; tools are called inside the program' })
    }
  }
  if (violations.length > 0 || language === undefined) throw new ToolArgsError(RUN_CODE_NAME, violations)
  return { code, description, language }
}

function readText(
  fields: { readonly [key: string]: JsonValue },
  key: 'code' | 'description',
  what: string,
  violations: Violation[],
): string {
  const value = Object.hasOwn(fields, key) ? fields[key] : undefined
  if (typeof value === 'string' && value.trim() !== '') return value
  const got = value === undefined ? 'is missing' : typeof value === 'string' ? 'must not be blank' : 'must be a string'
  violations.push({ path: `args.${key}`, message: `${got}: give ${what}` })
  return ''
}

function readLanguage(
  fields: { readonly [key: string]: JsonValue },
  languages: readonly ReadyLanguage[],
  violations: Violation[],
): ReadyLanguage | undefined {
  const value = Object.hasOwn(fields, 'language') ? fields['language'] : undefined
  if (value === undefined && languages.length === 1) return languages[0]
  const found = languages.find(({ language }) => language === value)
  if (found === undefined) {
    const known = languages.map(({ language }) => `"${language}"`).join(', ')
    const message = value === undefined ? `is missing: give one of ${known}` : `must be one of ${known}`
    violations.push({ path: 'args.language', message })
  }
  return found
}

function isObject(value: JsonValue): value is { readonly [key: string]: JsonValue } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
