// The table of codes, the page about them, the classes and the places that throw must agree.
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { ERROR_PAGE, errorPage } from '../../scripts/docs/error-page.ts'
import { ERROR_CODES, type ErrorCode, RETIRED_CODES } from '../../src/errors/codes.ts'
import { HarnessError } from '../../src/errors/harness-error.ts'
import {
  CodeRunFailedError,
  TOOL_ABORTED,
  TOOL_ABORTED_BEFORE_DISPATCH,
  TOOL_TIMEOUT,
  ToolArgsError,
  ToolNotFoundError,
  ToolOutputError,
} from '../../src/errors/tool-errors.ts'
import { listFiles, readText } from '../support/repository.ts'

const codes = Object.entries(ERROR_CODES)
const sources = ['src', 'runtimes', 'sdk-templates']
  .flatMap((folder) => listFiles(folder, (path) => path.endsWith('.ts') && path !== 'src/errors/codes.ts'))
  .map((path) => ts.createSourceFile(path, readText(path), ts.ScriptTarget.Latest, true))

/** Code literals that are handed to `new HarnessError(…)`, or to `super(…)` in a class that extends it. */
function codesThrown(source: ts.SourceFile): string[] {
  const found: string[] = []
  const visit = (node: ts.Node, inErrorClass: boolean): void => {
    const isErrorClass = ts.isClassLike(node)
      ? (node.heritageClauses ?? []).some((clause) => clause.getText(source).includes('HarnessError'))
      : inErrorClass
    const builds =
      (ts.isNewExpression(node) && node.expression.getText(source) === 'HarnessError') ||
      (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword && isErrorClass)
    const [code] = builds ? (node.arguments ?? []) : []
    if (code !== undefined && ts.isStringLiteralLike(code)) found.push(`${code.text} in ${source.fileName}`)
    ts.forEachChild(node, (child) => visit(child, isErrorClass))
  }
  visit(source, false)
  return found
}

function textsOf(source: ts.SourceFile): string[] {
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isStringLiteralLike(node)) found.push(node.text)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

it('docs/errors.md is what the table says (npm run docs writes it)', () => {
  expect(readText(ERROR_PAGE)).toBe(errorPage())
})

it.each(codes)('%s has a meaning and a remedy in whole sentences', (code, { meaning, remedy }) => {
  expect(code).toMatch(/^[A-Z][A-Z_]+[A-Z]$/)
  expect(meaning).toMatch(/^\S.*[.!]$/)
  expect(remedy).toMatch(/^\S.*[.!]$/)
})

it('a retired code stays out of the table', () => {
  expect(RETIRED_CODES.filter((code) => Object.hasOwn(ERROR_CODES, code))).toEqual([])
})

it('every code that the sources throw is in the table', () => {
  const unknown = sources.flatMap(codesThrown).filter((found) => !Object.hasOwn(ERROR_CODES, found.split(' ')[0] ?? ''))
  expect(unknown).toEqual([])
})

it('every code of the table is thrown somewhere, or it is time to retire it', () => {
  const used = new Set(sources.flatMap(textsOf))
  expect(codes.map(([code]) => code).filter((code) => !used.has(code))).toEqual([])
})

it('the search for thrown codes finds both ways of building an error', () => {
  const source = ts.createSourceFile(
    'some.ts',
    "class A extends HarnessError { constructor() { super('ONE', '') } }; class B extends C { constructor() { super('NO', '') } }; throw new HarnessError('TWO', '')",
    ts.ScriptTarget.Latest,
    true,
  )
  expect(codesThrown(source)).toEqual(['ONE in some.ts', 'TWO in some.ts'])
})

describe('the coded classes', () => {
  const classes: [string, HarnessError, ErrorCode][] = [
    ['ToolArgsError', new ToolArgsError('t', [{ path: 'args.a', message: 'must be a string' }]), 'INVALID_ARGS'],
    ['ToolNotFoundError', new ToolNotFoundError('t', 'Use another.'), 'UNKNOWN_TOOL'],
    ['ToolOutputError', new ToolOutputError('t', 'returned nonsense'), 'INVALID_TOOL_OUTPUT'],
    ['CodeRunFailedError', new CodeRunFailedError('timeout', 'code run failed'), 'CODE_RUN_FAILED'],
  ]

  it.each(classes)('%s has its name and its code', (name, error, code) => {
    expect({ name: error.name, code: error.code, known: HarnessError.is(error) }).toEqual({ name, code, known: true })
    expect(Object.hasOwn(ERROR_CODES, error.code)).toBe(true)
  })

  it('the exported constants are codes of the table', () => {
    expect([TOOL_ABORTED, TOOL_ABORTED_BEFORE_DISPATCH, TOOL_TIMEOUT]).toEqual([
      'ABORTED',
      'ABORTED_BEFORE_DISPATCH',
      'TOOL_TIMEOUT',
    ] satisfies ErrorCode[])
  })
})
