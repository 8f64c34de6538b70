// Erased programs are held to the compiler: what is left must be the same syntax tree that the compiler's own emit has.
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { eraseTypes } from '../../../../runtimes/typescript/compile/erase.ts'
import { parseBody, syntaxErrorsOf } from '../../../../runtimes/typescript/compile/syntax.ts'
import { runInEngine } from '../../../support/engine.ts'
import { listFiles, readText } from '../../../support/repository.ts'

function erase(source: string): string {
  const erased = eraseTypes(parseBody(source, 'program.ts'))
  if (erased === undefined) throw new Error('this program has to be rewritten')
  return erased
}

const printer = ts.createPrinter({ removeComments: true })

/** A program as a printing of its tree, without parentheses, empty statements and module statements. */
function printed(javascript: string): string {
  const file = parseBody(javascript, 'program.js')
  const strip: ts.TransformerFactory<ts.SourceFile> = (context) => (root) => {
    const visit = (node: ts.Node): ts.Node =>
      ts.isParenthesizedExpression(node) ? visit(node.expression) : ts.visitEachChild(node, visit, context)
    const stripped = ts.visitNode(root, visit) as ts.SourceFile
    const kept = stripped.statements.filter(
      (node) => !ts.isImportDeclaration(node) && !ts.isExportDeclaration(node) && !ts.isEmptyStatement(node),
    )
    return ts.factory.updateSourceFile(stripped, kept)
  }
  const [file2] = ts.transform(file, [strip]).transformed
  return printer
    .printFile(file2 as ts.SourceFile)
    .replace(/^\s*;$/gm, '')
    .replace(/\s+/g, '')
}

function emitted(source: string): string {
  const { outputText } = ts.transpileModule(source, {
    compilerOptions: {
      target: ts.ScriptTarget.ESNext,
      module: ts.ModuleKind.ESNext,
      moduleDetection: ts.ModuleDetectionKind.Force,
      verbatimModuleSyntax: true,
      removeComments: true,
    },
  })
  return outputText
}

/** Same length, same lines, and only spaces and semicolons where something was. */
function expectInPlace(source: string, erased: string): void {
  expect(erased.length).toBe(source.length)
  for (let at = 0; at < source.length; at++) {
    if (source[at] !== erased[at] && erased[at] !== ' ' && erased[at] !== ';') {
      throw new Error(`at ${at}: ${JSON.stringify(source[at])} became ${JSON.stringify(erased[at])}`)
    }
  }
  expect(erased.match(/\n/g)?.length).toBe(source.match(/\n/g)?.length)
}

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: programs with templates of their own.
/** Every kind of syntax that is a type, one a program; each must also stand up to what follows it on the next line. */
const SNIPPETS: readonly string[] = [
  'let a: number = 1, b: string, c!: boolean',
  'const f = (x: number, y?: string, ...z: unknown[]): void => {}',
  'const g = async <T,>(x: T): Promise<T> => x',
  'function h<T extends object = {}>(this: T, a: T): asserts a is T {}',
  'function only(this: void) {}',
  'function over(a: string): void\nfunction over(a: number): void\nfunction over(a: any) {}',
  'interface A { x: number }',
  'type B<T> = T extends infer U ? U : never',
  'declare const d: number',
  'declare function df(): void',
  'declare global { interface Window {} }',
  'declare module "x" { export const y: number }',
  'declare class DC { x: number }',
  'declare enum DE { A }',
  'abstract class C<T> extends Array<T> implements Iterable<T>, Disposable { abstract m(): void; abstract get p(): number; abstract q: string }',
  'class D { private a = 1; protected readonly b: number = 2; public static c?: string; declare e: number; override toString(): string { return "" } f!: T; [key: string]: unknown }',
  'class E { x: number\n["y"] = 1\n*gen(): Generator<number> {}\nget: number\nset: string\nfoo() {} }',
  'class G<in out T> { constructor(a?: T, b: T = a!) {} get v(): T { return 1 as T } set v(x: T) {} static { let q: number } accessors?(): void }',
  'const H = class<T> extends Map<T, T> implements X<T> {}',
  'x as any\n(y)',
  'let q = x as unknown as string\n[1].map(String)',
  'x satisfies T\n`t`',
  'a!\n(b)',
  'a!.b!.c![0]!()',
  'a?.b!.c',
  '(a as any).b = (c satisfies D)',
  'for (const i of x as any[]) y as any\nelse_: z',
  'if (a) b as any\nelse c',
  'do x as any; while (y)',
  'return x as T',
  'throw x as Error\n(y)',
  'f<T>(x)',
  'f<A, B<C<D>>>(x)',
  'new Map<string, Array<number>>()',
  'new Foo<T>',
  'const inst = f<string>\nfoo()',
  'tag<T>`x`',
  'f?.<T>(x)',
  'super_<T>(x)',
  'try {} catch (e: unknown) {}',
  'let { a, b: [c] }: T = x, [d]: U = y',
  'const o = { m<T>(this: X, a?: T): T { return a! }, get p(): number { return 1 }, async *g(): AsyncGenerator<T> {} }',
  'label: for (let i: number = 0; i < (10 as number); i++) continue label',
  'a < b as any',
  'a as any < b',
  'a as any || b as any && c as any',
  'a ? b as T : c as U',
  'y = <const T,>(x: T) => x',
  'function* gen(): Generator<number> { const x: number = yield 1 as number }',
  'let fn: (a: number) => void\nlet fn2: new () => object',
  'let t: typeof import("x")\nlet u: `a${string}`',
  'let v: { a: number; b(): void }\nlet w: unique symbol',
  'x = y /* c */ as /* d */ any /* e */\n(z)',
  'f</* a > b */ T /* > */, U // >\n>(x)',
  'await (x as Promise<number>)',
  'using r: Disposable = x',
  'switch (x as number) { case 1 as number: y as any }',
  'export type X = 1',
  'const a = { b: c as D, ...(e as F), [g as string]: h }',
  '`${a as string} ${b!}`',
  'let a: A = (b as B)!\n;(c as D)',
  'a = b as C, d = e as F',
  'const z = <T>(x: T) => x\n',
  'var x: number\r\nvar y: string\r\n(z)',
]

/** What may continue an expression: after each, the next line must still be another statement. */
const FOLLOWERS = ['', '(next)', '[next]', '`next`', '++next', '-next']

describe('erasing', () => {
  it.each(SNIPPETS)('[L1] %s', (snippet) => {
    for (const follower of FOLLOWERS) {
      const source = `${snippet}\n${follower}`
      const file = parseBody(source, 'program.ts')
      // Some do not go together; a template behind an optional chain is refused later, by both.
      if (syntaxErrorsOf(file).length > 0 || (follower === '`next`' && snippet.includes('?.'))) continue
      // An operator that continues an assertion groups differently without it.
      const erased = follower === '' ? erase(source) : eraseTypes(file)
      if (erased === undefined) continue
      expectInPlace(source, erased)
      expect(syntaxErrorsOf(parseBody(erased, 'program.js'))).toEqual([])
      expect(`${follower}: ${printed(erased)}`).toBe(`${follower}: ${printed(emitted(source))}`)
    }
  })

  const sources = ['src/json', 'runtimes/host', 'runtimes/guest', 'node_modules/ajv/lib/compile'].flatMap((folder) =>
    listFiles(folder, (path) => path.endsWith('.ts') && !path.endsWith('.d.ts')),
  )

  it('[L1] real sources come out as the compiler’s emit', () => {
    let erasedFiles = 0
    for (const path of sources) {
      const source = readText(path)
      const file = parseBody(source, 'program.ts')
      const erased = eraseTypes(file)
      if (erased === undefined || source.startsWith('#!')) continue
      expectInPlace(source, erased)
      expect(`${path}: ${printed(erased)}`).toBe(`${path}: ${printed(emitted(source))}`)
      erasedFiles++
    }
    expect(erasedFiles).toBeGreaterThan(40)
  })

  it.each([
    'enum A { B }',
    'const enum A { B }',
    'namespace N { export const x = 1 }',
    'class P { constructor(private x: number) {} }',
    'class P { constructor(readonly x: number) {} }',
    'class Q { accessor x = 1 }',
    '@d class R {}',
    'class S { @d m() {} }',
    'x = <any>y',
    'a + b as any * c',
    'class F { a = 1\npublic *gen() {}\nreadonly ["x"] = 2\nprivate in = 3 }',
    'x <!-- y',
    '-1\n--> 2',
    '/* \n */ --> 2',
    'while (n --> 0) m()',
  ])('[L1] %s is not for erasing', (source) => {
    expect(eraseTypes(parseBody(source, 'program.ts'))).toBeUndefined()
  })

  it.each([
    ['const f = (a: number):\n  number => a + 1\nreturn f(1)', 2],
    ['const f = async <T\n>(a: T) => a\nreturn f(1)', 1],
  ])('[L1] a type that breaks a line before an arrow leaves none there: %j', (source, value) => {
    expect(runInEngine(erase(source)).value).toBe(value)
  })

  it('[L1] a first line for a shell is no JavaScript', () => {
    const source = '#!/usr/bin/env runcell\nreturn 1 as number'
    expect(runInEngine(erase(source)).value).toBe(1)
  })

  it('[L1] places in stacks are those of the source', () => {
    const source =
      'interface A { x: number }\nfunction f<T extends A>(a: T): never {\n  throw new Error(`${(a as A).x}`)\n}\n\nf<A>({ x: 1 } satisfies A)'
    expect(runInEngine(erase(source)).end).toMatchObject({
      message: '1',
      stack: '    at f (program.ts:3:9)\n    at program.ts:6:1',
    })
  })
})
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: programs with templates of their own.
