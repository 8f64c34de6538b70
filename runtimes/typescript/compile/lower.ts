// The way for programs whose TypeScript cannot be erased in place: the compiler's own emit, laid out again so that each piece of it stands
// on the line it was written on, and in its column where there is room. Called by worker.ts when erase.ts gives up.
//
// The emit is a printing of the syntax tree: it drops line ends and adds its own, and only its source map knows what came from where.
// Moving its pieces is safe, because the printer writes every semicolon: a line end of its own may become a space, unless it stands in a
// template; and one may be added where the printer had one, or behind an opening bracket, a comma or a semicolon.
import { decode } from '@jridgewell/sourcemap-codec'
import ts from 'typescript'
import { parseBody, syntaxErrorsOf } from './syntax.ts'

const OPTIONS: ts.CompilerOptions = {
  // Decorators and accessors are lowered; everything else is what V8 speaks.
  target: ts.ScriptTarget.ES2024,
  module: ts.ModuleKind.ESNext,
  moduleDetection: ts.ModuleDetectionKind.Force,
  verbatimModuleSyntax: true,
  // A comment would swallow what is moved behind it.
  removeComments: true,
  sourceMap: true,
  newLine: ts.NewLineKind.LineFeed,
}

/** Where a piece of the emit was written; all numbers from 0. */
interface Mapping {
  readonly line: number
  readonly column: number
  readonly sourceLine: number
  readonly sourceColumn: number
}

/** What the compiler adds to a module that exports nothing. */
const EPILOGUE = /export \{\};\s*$/

/** The JavaScript of a program that holds more than types. Throws a RangeError for one that is nested too deep. */
export function lowerProgram(file: ts.SourceFile): string {
  const { outputText, sourceMapText } = ts.transpileModule(withoutHashbang(file.text), {
    compilerOptions: OPTIONS,
    fileName: file.fileName,
  })
  const emitted = outputText.replace(/\/\/# sourceMappingURL=.*\s*$/, '').replace(EPILOGUE, '')
  const aligned = new Layout(emitted, file.text).align(inOrder(mappingsOf(sourceMapText)))
  // Whatever went wrong with the layout, the emit itself is right.
  return syntaxErrorsOf(parseBody(aligned, 'aligned.js')).length === 0 ? aligned : emitted
}

/** The mappings of the compiler's source map, in the order of the emit. */
function mappingsOf(sourceMapText: string | undefined): readonly Mapping[] {
  const { mappings = '' } = JSON.parse(sourceMapText ?? '{}') as { mappings?: string }
  return decode(mappings).flatMap((segments, line) =>
    segments.flatMap(([column, , sourceLine, sourceColumn]) =>
      sourceLine === undefined || sourceColumn === undefined ? [] : [{ line, column, sourceLine, sourceColumn }],
    ),
  )
}

function withoutHashbang(source: string): string {
  const hashbang = ts.getShebang(source) ?? ''
  return ' '.repeat(hashbang.length) + source.slice(hashbang.length)
}

class Layout {
  readonly #emitted: string
  readonly #sourceStarts: readonly number[]
  /** Offsets in the emit where text stands that must stay as it is, and where it ends. */
  readonly #templates: ReadonlyMap<number, number>
  #out = ''
  #line = 0
  #column = 0
  /** The printer ended a line, and nothing was written since. */
  #broken = false

  constructor(emitted: string, source: string) {
    this.#emitted = emitted
    this.#sourceStarts = lineStarts(source)
    this.#templates = templateSpans(emitted)
  }

  align(mappings: readonly Mapping[]): string {
    const emittedStarts = lineStarts(this.#emitted)
    let next = 0
    for (let at = 0; at < this.#emitted.length; ) {
      while (next < mappings.length) {
        const mapping = mappings[next] as Mapping
        const place = (emittedStarts[mapping.line] ?? 0) + mapping.column
        if (place > at) break
        if (place === at) this.#moveTo(mapping)
        next++
      }
      at = this.#copyFrom(at)
    }
    return this.#out
  }

  /** Copies a template as it is, or one character; a line end only marks that there was one. */
  #copyFrom(at: number): number {
    const end = this.#templates.get(at)
    if (end !== undefined) {
      this.#separate()
      this.#write(this.#emitted.slice(at, end))
      return end
    }
    const character = this.#emitted[at] as string
    if (character === '\n') this.#broken = true
    else if (!this.#broken || character !== ' ') {
      this.#separate()
      this.#write(character)
    }
    return at + 1
  }

  /** Before a piece that has a place in the source: goes there as far as it is ahead. */
  #moveTo({ sourceLine, sourceColumn }: Mapping): void {
    if (sourceLine > this.#line && sourceLine < this.#sourceStarts.length && this.#mayBreak()) {
      this.#write('\n'.repeat(sourceLine - this.#line))
      this.#broken = false
    }
    if (sourceLine !== this.#line || sourceColumn <= this.#column) return
    this.#write(' '.repeat(sourceColumn - this.#column))
    this.#broken = false
  }

  #mayBreak(): boolean {
    return this.#broken || this.#out === '' || /[([{,;]\s*$/.test(this.#out.slice(-64))
  }

  #separate(): void {
    if (this.#broken && this.#out !== '' && !this.#out.endsWith('\n')) this.#write(' ')
    this.#broken = false
  }

  #write(text: string): void {
    this.#out += text
    const lastLineEnd = text.lastIndexOf('\n')
    if (lastLineEnd < 0) this.#column += text.length
    else {
      this.#line += text.split('\n').length - 1
      this.#column = text.length - lastLineEnd - 1
    }
  }
}

/**
 * The most mappings whose lines never go back. The compiler maps some of what it adds to the end of a construct, or back to its name;
 * a layout that followed those could not return to the lines in between.
 */
function inOrder(mappings: readonly Mapping[]): readonly Mapping[] {
  // Longest sequence that does not fall: tails[n] is the mapping with the least line that ends a sequence of n + 1.
  const tails: number[] = []
  const before: number[] = []
  for (const [index, { sourceLine }] of mappings.entries()) {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((mappings[tails[middle] as number] as Mapping).sourceLine <= sourceLine) low = middle + 1
      else high = middle
    }
    before[index] = low === 0 ? -1 : (tails[low - 1] as number)
    tails[low] = index
  }
  const kept: Mapping[] = []
  for (let at = tails.at(-1) ?? -1; at >= 0; at = before[at] as number) kept.push(mappings[at] as Mapping)
  return kept.reverse()
}

/** Pieces of templates, and texts with a continued line, from start to end. */
function templateSpans(emitted: string): ReadonlyMap<number, number> {
  const file = parseBody(emitted, 'emitted.js')
  const spans = new Map<number, number>()
  const nodes: ts.Node[] = [file]
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (ts.isTemplateLiteralToken(node) || ts.isStringLiteral(node)) spans.set(node.getStart(file), node.end)
    ts.forEachChild(node, (child) => void nodes.push(child))
  }
  return spans
}

function lineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}
