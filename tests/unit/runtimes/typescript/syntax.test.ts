import { describe, expect, it } from 'vitest'
import { findSyntaxProblem, parseBody } from '../../../../runtimes/typescript/compile/syntax.ts'

function problemOf(source: string): ReturnType<typeof findSyntaxProblem> {
  return findSyntaxProblem(parseBody(source, 'program.ts'))
}

describe('what is a body', () => {
  it.each([
    '',
    'return 1',
    'return await tools.x({})',
    'await (1)',
    'await (async () => { await 0 })()',
    'for await (const x of y) await x',
    '"use strict"\nif (a) return\nreturn b',
    'const { a, b } = await tools.x({ c: await d })',
    'function f() { return import_ }\nconst import_ = 1',
    'class A { static { } }',
    'return',
    'const module = 1, exports_ = 2',
  ])('[L1] %j parses', (source) => {
    expect(problemOf(source)).toBeUndefined()
  })
})

describe('syntax errors', () => {
  it.each([
    ['const a = ;', 1, 11, 'Expression expected.'],
    ['let x = 1\nif (x {\n}', 2, 7, "')' expected."],
    ['let a = "unclosed\nfoo()', 1, 18, 'Unterminated string literal.'],
    ['foo(\n', 2, 1, "')' expected."],
    ['const x = {\n  a: 1\n  b: 2\n}', 3, 3, "',' expected."],
    ['\n\n   @', 3, 5, 'Expression expected.'],
    ['let \u{1F600} = 1', 1, 5, 'Invalid character.'],
    ['return `a ${b', 1, 14, "'}' expected."],
  ])('[L1] [J2] %j is wrong at %i:%i', (source, line, column, message) => {
    expect(problemOf(source)).toMatchObject({ line, column, message: expect.stringContaining(message) })
  })

  it('[L1] the first error is told, and how many follow', () => {
    expect(problemOf('let a = ;\nlet b = ;\nlet c = ;')).toEqual({
      line: 1,
      column: 9,
      message: 'Expression expected. (and 2 more)',
    })
  })

  it.each([
    '})(); evil(); (() => {',
    '}\nevil()\n{',
    'return 1\n}); evil(); (async () => {',
    '} catch {} evil(); try {',
    '/* */ } /* */ evil() /* */ { /* */',
    '`x` } evil() {',
    '})',
    '}',
  ])('[L5] text that closes a wrapper is a syntax error: %j', (source) => {
    expect(problemOf(source)).toMatchObject({ message: expect.stringMatching(/expected/) })
  })
})

describe('modules', () => {
  it.each([
    ['import fs from "fs"', 1, 1],
    ['const a = 1\nimport { x } from "y"', 2, 1],
    ['import "side-effect"', 1, 1],
    ['import type { T } from "y"', 1, 1],
    ['import x = require("y")', 1, 1],
    ['const a = 1\nconst fs = await import("fs")', 2, 18],
    ['if (false) { void import("fs") }', 1, 19],
  ])('[L1] %j says what to do instead', (source, line, column) => {
    const problem = problemOf(source)
    expect(problem).toMatchObject({ line, column })
    expect(problem?.message).toMatch(/cannot import: there is no module loader; .*globals already/)
  })

  it.each([
    'export const a = 1',
    'export default 1',
    'export {}',
    'export * from "x"',
    'const a = 1\nexport { a }',
    'export function f() {}',
    'export type T = 1',
  ])('[L1] %j says what to do instead', (source) => {
    expect(problemOf(source)?.message).toMatch(/cannot export.*`return` the result/)
  })

  it('[L1] a syntax error before a module statement comes first', () => {
    expect(problemOf('let a = ;\nimport "x"')).toMatchObject({
      line: 1,
      message: expect.stringContaining('Expression expected'),
    })
  })
})
