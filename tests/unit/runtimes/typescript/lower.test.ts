import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { eraseTypes } from '../../../../runtimes/typescript/compile/erase.ts'
import { lowerProgram } from '../../../../runtimes/typescript/compile/lower.ts'
import { parseBody, syntaxErrorsOf } from '../../../../runtimes/typescript/compile/syntax.ts'
import { runInEngine } from '../../../support/engine.ts'
import { readText } from '../../../support/repository.ts'

function lower(source: string): string {
  const file = parseBody(source, 'program.ts')
  expect(eraseTypes(file)).toBeUndefined()
  return lowerProgram(file)
}

/** A program and the line on which each thing in it stands: `throw` marks a line that throws when `at` names it. */
const PROGRAM = `// a comment that ends nowhere /*
enum Color {
  Red, /* first */
  Green = 'g',
  Blue = 1 << 3, // eight
}
const enum Small { One = 1, Two = One + 1 }

namespace Shapes {
  export const sides: number = 4

  export function area(a: number, b: number): number {
    if (a < 0) throw new Error('line 13')
    return a * b * (sides / 4)
  }
  export namespace Inner { export const deep = 'deep' }
}

abstract class Base<T> {
  constructor(protected readonly value: T, public label = 'base') {}
  abstract get doubled(): T
}
class Point extends Base<number> {
  static #count = 0
  constructor(value: number, private other?: string) {
    super(value)
    Point.#count++
  }
  get doubled(): number {
    if (this.value === 7) throw new Error('line 30')
    return this.value * 2
  }
}

const text = \`one
two \${Color.Blue} three
  four\`
if (at === 39)
  throw new Error('line 39')
const list = [
  Color.Red, Color.Green,
  at === 42 ? (() => { throw new Error('line 42') })() : Small.Two,
]

if (at === 13) Shapes.area(-1, 1)
if (at === 30) void new Point(7).doubled
return { list, text, area: Shapes.area(2, 3), deep: Shapes.Inner.deep, point: [new Point(2).doubled, new Point(1).label], names: [Color[0], Color.Blue] }
`

const AT = '/*at*/'

describe('rewritten programs', () => {
  it('[L1] enums, namespaces and parameter properties mean what TypeScript says', () => {
    const { value, end } = runInEngine(lower(`const at: number = 0;${PROGRAM}`))
    expect(end?.kind).toBe('value')
    expect(value).toEqual({
      list: [0, 'g', 2],
      text: 'one\ntwo 8 three\n  four',
      area: 6,
      deep: 'deep',
      point: [4, 'base'],
      names: ['Red', 8],
    })
  })

  it.each([13, 30, 39, 42])('[L1] what is thrown on line %i is reported there', (line) => {
    const { end } = runInEngine(lower(`const at: number = ${line};${PROGRAM}`))
    expect(end).toMatchObject({ kind: 'exception', message: `line ${line}` })
    expect((end as { stack: string }).stack.split('\n')[0]).toMatch(new RegExp(`program\\.ts:${line}:\\d+\\)?$`))
  })

  it('[L1] decorators are lowered, and the lines behind them stay', () => {
    const source = `const seen: string[] = []
function mark(target: unknown, context: { kind: string; name?: unknown }) {
  seen.push(context.kind + ' ' + String(context.name))
}
@mark
class Marked {
  @mark method(): number { return 1 }
  @mark accessor field = 2
}
const made = new Marked()
if (made.field !== 2) throw new Error('no')
if (seen.length === 3)
  throw new Error(seen.join())
`
    expect(runInEngine(lower(source)).end).toEqual({
      kind: 'exception',
      name: 'Error',
      message: 'method method,accessor field,class Marked',
      stack: '    at program.ts:13:9',
    })
  })

  it.each([
    ['an assertion in front', 'const x = <any>{ a: 1 }\nreturn x.a', 1],
    ['an assertion in front of an object, as a body', 'const f = () => <any>{ a: 1 }\nreturn f().a', 1],
    ['an assertion that regroups', 'return 1 + 2 as any * 3', 9],
    [
      'modifiers that keep members apart',
      'class F { a = 1\npublic *gen() {}\nprivate in = 3 }\nreturn Object.keys(new F())',
      ['a', 'in'],
    ],
    ['comments of HTML', 'let x = 5\nconst y = x <!--x\nreturn [x, y]', [4, false]],
    ['an arrow that goes to', 'let n = 3, m = 0\nwhile (n --> 0) m++\nreturn m', 3],
    ['a first line for a shell', '#!/usr/bin/env runcell\nenum A { B }\nreturn A.B', 0],
    ['a label and a continued text', "enum A { B }\nouter: for (;;) { break outer }\nreturn 'a\\\nb' + A.B", 'ab0'],
    ['awaits at the top', 'enum A { B }\nfor await (const x of [1]) if (x) return await Promise.resolve(A.B)', 0],
    ['a pinned comment', 'enum A { B }\n/*! keep\n me */ return A.B', 0],
    ['no semicolons', 'enum A { B }\nlet a = A.B\nlet b = a\n;[a, b] = [1, 2]\nreturn [a, b]', [1, 2]],
  ])('[L1] %s', (_name, source, value) => {
    expect(runInEngine(lower(source)).value).toEqual(value)
  })

  it('[L1] only the layout differs from the emit of the compiler', () => {
    const source = readText('node_modules/ajv/lib/compile/codegen/index.ts')
    const options = {
      target: ts.ScriptTarget.ES2024,
      module: ts.ModuleKind.ESNext,
      moduleDetection: ts.ModuleDetectionKind.Force,
    }
    for (const program of [PROGRAM, `${source}\nnamespace Extra { export const x = 1 }`]) {
      const emit = ts.transpileModule(program, {
        compilerOptions: { ...options, verbatimModuleSyntax: true, removeComments: true },
      }).outputText
      const lowered = lowerProgram(parseBody(program, 'program.ts'))
      expect(syntaxErrorsOf(parseBody(lowered, 'program.js'))).toEqual([])
      expect(lowered.replace(/\s+/g, '')).toBe(emit.replace(/export \{\};\s*$/, '').replace(/\s+/g, ''))
    }
  })

  it('[L1] statements of a long program stay on their lines', () => {
    const lines = ['enum First { A, B }', `const zero: number = 0 ${AT}`]
    for (let line = 3; line < 400; line++) {
      lines.push(
        line % 3 === 0 ? `// comment ${line}` : line % 5 === 0 ? '' : `const v${line}: number = ${line} + zero`,
      )
    }
    const lowered = lower(lines.join('\n')).split('\n')
    for (const [index, line] of lines.entries()) {
      const name = /const (v\d+)/.exec(line)?.[1]
      if (name !== undefined) expect(lowered[index]).toContain(`const ${name}`)
    }
  })
})
