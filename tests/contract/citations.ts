// Finds the clause ids that test titles cite: `it('[C7] …')`, `describe('[H2, H14] …')`, also through `.each` and
// template titles. Used by the gate (coverage.test.ts) and by the page of the contract (page.ts).
// Sources are parsed, not searched: an id in a comment or in some other string holds nothing.
import ts from 'typescript'
import { listFiles, readText } from '../support/repository.ts'

/** One clause id in the title of one test. */
export interface Citation {
  readonly id: string
  /** Path in the repository. */
  readonly file: string
  readonly line: number
}

/** What a scan found. */
export interface CitationScan {
  readonly citations: readonly Citation[]
  /** Sentences about titles that cite nothing although they try to, and about tests that never run. */
  readonly problems: readonly string[]
}

const TEST_FUNCTIONS = new Set(['it', 'test'])
const GROUP_FUNCTIONS = new Set(['describe'])
const NEVER_RUN = new Set(['skip', 'only', 'todo'])
const BRACKETS = /\[([A-Z]\d+[^\]]*)\]/g
const ID_LIST = /^[A-Z]\d+(, ?[A-Z]\d+)*$/

/** Scans every test of the repository; type tests (`*.test-d.ts`) included. */
export function scanRepository(): CitationScan {
  const files = listFiles('tests', (path) => /\.test(-d)?\.ts$/.test(path))
  const scans = files.map((file) => scanSource(file, readText(file)))
  return {
    citations: scans.flatMap((scan) => scan.citations),
    problems: scans.flatMap((scan) => scan.problems),
  }
}

/** Scans one test source. */
export function scanSource(file: string, text: string): CitationScan {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const citations: Citation[] = []
  const problems: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) readCall(node)
    ts.forEachChild(node, visit)
  }
  const readCall = (call: ts.CallExpression): void => {
    const { root, modifiers } = calleeOf(call.expression)
    const isTest = TEST_FUNCTIONS.has(root)
    if (!isTest && !GROUP_FUNCTIONS.has(root)) return
    const title = titleOf(call.arguments[0])
    if (title === undefined) return
    const line = source.getLineAndCharacterOfPosition(call.getStart(source)).line + 1
    const idle = modifiers.find((modifier) => NEVER_RUN.has(modifier))
    if (idle !== undefined) problems.push(`${file}:${line} uses .${idle}: every test runs, in every run`)
    const ids = idsOf(title)
    if (ids.malformed !== undefined) {
      problems.push(`${file}:${line} cites "[${ids.malformed}]": write ids as [C7] or [H2, H14]`)
    }
    // An expected failure marks a gap; it holds nothing.
    if (modifiers.includes('fails') || (!isTest && !holdsTest(call))) return
    for (const id of ids.ids) citations.push({ id, file, line })
  }
  visit(source)
  return { citations, problems }
}

/** `it.each(rows)('…')` → root `it`, modifiers `each`. */
function calleeOf(callee: ts.Expression): { root: string; modifiers: string[] } {
  const modifiers: string[] = []
  let node = callee
  for (;;) {
    if (ts.isIdentifier(node)) return { root: node.text, modifiers }
    if (ts.isPropertyAccessExpression(node)) {
      modifiers.push(node.name.text)
      node = node.expression
    } else if (ts.isCallExpression(node)) node = node.expression
    else if (ts.isTaggedTemplateExpression(node)) node = node.tag
    else return { root: '', modifiers }
  }
}

/** The fixed parts of a title; `undefined` where the argument is no text. */
function titleOf(node: ts.Expression | undefined): string | undefined {
  if (node === undefined) return undefined
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node)) {
    return node.head.text + node.templateSpans.map((span) => `…${span.literal.text}`).join('')
  }
  if (ts.isBinaryExpression(node)) {
    const left = titleOf(node.left)
    const right = titleOf(node.right)
    return left === undefined && right === undefined ? undefined : `${left ?? '…'}${right ?? '…'}`
  }
  return undefined
}

function idsOf(title: string): { ids: string[]; malformed?: string } {
  const ids: string[] = []
  for (const [, list = ''] of title.matchAll(BRACKETS)) {
    if (!ID_LIST.test(list)) return { ids, malformed: list }
    ids.push(...list.split(/, ?/))
  }
  return { ids }
}

/** A group holds a clause only through a test inside it. */
function holdsTest(group: ts.CallExpression): boolean {
  let found = false
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && TEST_FUNCTIONS.has(calleeOf(node.expression).root)) found = true
    if (!found) ts.forEachChild(node, visit)
  }
  for (const argument of group.arguments) visit(argument)
  return found
}
