// How a rendered container is laid out: on one line where it fits, else an entry a line, short scalars many a line. Called by inspect.ts.
import { bareArray, includesText, repeatText, sliceText } from './intrinsics.ts'

/** What fits on one line is written on one line. */
const LINE_WIDTH = 76

/** The parts of a rendered container. */
export interface Parts {
  /** What stands before the bracket: a class name, a size. */
  label: string
  readonly entries: string[]
  readonly open: string
  readonly close: string
  /** True for many short scalars, which share lines. */
  dense: boolean
}

/** Empty parts in braces. */
export function braces(label: string): Parts {
  return { label, entries: bareArray<string>(), open: '{', close: '}', dense: false }
}

/** Empty parts in square brackets. */
export function brackets(label: string): Parts {
  return { label, entries: bareArray<string>(), open: '[', close: ']', dense: false }
}

/** Adds an entry. */
export function add(parts: Parts, text: string): void {
  parts.entries[parts.entries.length] = text
}

/** Adds an entry for `holes` missing items, if there are any; gives the count to go on with. */
export function addHoles(parts: Parts, holes: number): number {
  if (holes > 0) add(parts, `<${holes} empty ${holes === 1 ? 'item' : 'items'}>`)
  return 0
}

/** Says how much is not shown. */
export function more(count: number, what: 'item' | 'property'): string {
  const plural = what === 'item' ? 'items' : 'properties'
  return `… ${count} more ${count === 1 ? what : plural}`
}

/** Puts the parts on one line where they fit, else on lines of their own. */
export function assemble({ label, entries, open, close, dense }: Parts, indent: number): string {
  const head = label === '' ? open : `${label} ${open}`
  if (entries.length === 0) return head + close
  let line = head
  let fits = true
  for (let index = 0; index < entries.length && fits; index++) {
    const entry = entries[index] as string
    line += `${index === 0 ? ' ' : ', '}${entry}`
    fits = line.length + indent <= LINE_WIDTH && !includesText(entry, '\n')
  }
  if (fits) return `${line} ${close}`
  const margin = `\n${repeatText(' ', indent + 2)}`
  let text = head
  let width = LINE_WIDTH + 1
  for (let index = 0; index < entries.length; index++) {
    const entry = entries[index] as string
    const sameLine = dense && width + entry.length + 2 <= LINE_WIDTH
    width = sameLine ? width + entry.length + 2 : indent + 2 + entry.length
    text += `${index === 0 ? '' : ','}${sameLine ? ' ' : margin}${entry}`
  }
  return `${text}\n${repeatText(' ', indent)}${close}`
}

/** Moves every line but the first to the right. */
export function indentLines(text: string, indent: number): string {
  if (indent === 0) return text
  const margin = repeatText(' ', indent)
  let out = ''
  for (let index = 0; index < text.length; index++) {
    const unit = sliceText(text, index, index + 1)
    out += unit === '\n' ? `\n${margin}` : unit
  }
  return out
}
