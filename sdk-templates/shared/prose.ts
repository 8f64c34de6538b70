// Makes the words of strangers harmless inside a program text: a description cannot end its comment, start a line of its
// own, hide text, turn the direction of reading, or speak to the compiler. What it says stays.
// Each language adds what its own comments need. Attacked in tests/unit/sdk-templates/shared/prose.test.ts.
import type { Doc } from './type-tree.ts'

// Every line end that some language or terminal knows: CR LF, CR, VT, FF, NEL, LS, PS.
const LINE_ENDS = /\r\n|[\r\v\f\u0085\u2028\u2029]/g
// Controls, and what is invisible or turns the direction of reading: zero-width marks (but for the joiners that scripts and
// emoji need), bidirectional controls, fillers, interlinear marks, tag characters and the variation selectors beyond emoji's.
const HIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what it removes
  /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu

/** The lines of a text: harmless, without blank ones, without their common indentation. */
export function proseLines(text: string): string[] {
  const clean = text
    .toWellFormed()
    .replace(LINE_ENDS, '\n')
    .replaceAll('\t', '  ')
    .replace(HIDDEN, '')
    // A fence or a template literal around the SDK stays whole.
    .replaceAll('`', "'")
  const lines = clean.split('\n').map((line) => line.trimEnd())
  return dedent(lines.filter((line) => line !== ''))
}

/** A text on one line. */
export function proseLine(text: string): string {
  return proseLines(text)
    .map((line) => line.trim())
    .join(' ')
}

/**
 * What is said about a place, on one line: title and description, where they add to `name`, and the notes, in
 * parentheses behind them. Empty for nothing.
 */
export function docLine(doc: Doc, name: string): string {
  const description = doc.description === undefined ? '' : proseLine(doc.description)
  const title = doc.title === undefined ? '' : proseLine(doc.title)
  const text = [title, description].filter((part) => part !== '' && !isEcho(part, name))
  const said = text.length === 2 && text[1]!.toLowerCase().includes(text[0]!.toLowerCase()) ? text.slice(1) : text
  const notes = proseLine(doc.notes.join(', '))
  if (said.length === 0 || notes === '') return said.join(': ') + notes
  return `${said.join(': ')} (${notes})`
}

/** The first sentence of a text, on one line, cut to `limit` UTF-16 units. */
export function summaryLine(text: string, limit: number): string {
  const first = proseLines(text)[0]?.trim() ?? ''
  const end = first.search(/[.!?。](\s|$)/)
  const sentence = end < 0 ? first : first.slice(0, end)
  if (sentence.length <= limit) return sentence
  const space = sentence.lastIndexOf(' ', limit - 1)
  return `${sentence.slice(0, space > limit / 2 ? space : limit - 1).toWellFormed()}…`
}

/** True when a text only repeats the name: "Issue Number" for `issue_number`. */
function isEcho(text: string, name: string): boolean {
  const bare = (part: string): string => part.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  return bare(text) === bare(name)
}

function dedent(lines: readonly string[]): string[] {
  const [first = '', ...rest] = lines
  const indents = rest.map((line) => line.length - line.trimStart().length)
  const common = indents.length === 0 ? 0 : indents.reduce((least, indent) => Math.min(least, indent))
  return lines.length === 0 ? [] : [first.trimStart(), ...rest.map((line) => line.slice(common))]
}
