// The program's console: five levels, each line one text that leaves at once (contract H8, H9). The level is data beside the
// text. Called by the prelude; rendering is inspect.ts's. A line is bounded, so that one call cannot send more than a frame takes.

import { inspect } from './inspect.ts'
import { charCodeAt, isFiniteNumber, notANumber, sliceText, stringifyJson, trunc } from './intrinsics.ts'
import { clip } from './text.ts'

/** Longest line, in UTF-16 units: above every sensible output budget, so that a flood ends as one. */
const MAX_LINE = 16 * 1024 * 1024

/** Level of a line. */
export type Level = 'log' | 'info' | 'warn' | 'error' | 'debug'

/** Takes a line out of the isolate. */
export type Log = (level: Level, text: string) => void

/** The `console` object of the program. */
export function createConsole(log: Log): Record<Level, (...values: unknown[]) => void> {
  // Methods, so that they have names and cannot be constructed.
  return {
    log(...values) {
      log('log', renderLine(values))
    },
    info(...values) {
      log('info', renderLine(values))
    },
    warn(...values) {
      log('warn', renderLine(values))
    },
    error(...values) {
      log('error', renderLine(values))
    },
    debug(...values) {
      log('debug', renderLine(values))
    },
  }
}

/** The line of one call: texts as they are, everything else inspected, with the `%` forms of consoles in a first text. */
export function renderLine(values: readonly unknown[]): string {
  if (values.length === 0) return ''
  const first = values[0]
  let line: string
  let next = 1
  if (typeof first === 'string' && values.length > 1) {
    const formatted = substitute(first, values)
    line = formatted.text
    next = formatted.next
  } else line = renderValue(first)
  for (; next < values.length && line.length <= MAX_LINE; next++) line += ` ${renderValue(values[next])}`
  return clip(line, MAX_LINE)
}

function renderValue(value: unknown): string {
  return typeof value === 'string' ? value : inspect(value)
}

/** Fills `%s %d %i %f %j %o %O %c %%` from the values after the first; what has no value left stays as it is. */
function substitute(format: string, values: readonly unknown[]): { text: string; next: number } {
  let text = ''
  let next = 1
  let start = 0
  for (let index = 0; index + 1 < format.length; index++) {
    if (charCodeAt(format, index) !== 37) continue
    const form = sliceText(format, index + 1, index + 2)
    if (form !== '%' && next >= values.length) continue
    const filled = form === '%' ? '%' : fill(form, values[next])
    if (filled === undefined) continue
    if (form !== '%') next++
    text += sliceText(format, start, index) + filled
    start = index + 2
    index++
  }
  return { text: text + sliceText(format, start), next }
}

function fill(form: string, value: unknown): string | undefined {
  switch (form) {
    case 's':
      return renderValue(value)
    case 'd':
      return typeof value === 'number' || typeof value === 'bigint' ? inspect(value) : `${toNumber(value)}`
    case 'i': {
      const number = toNumber(value)
      return `${isFiniteNumber(number) ? trunc(number) : number}`
    }
    case 'f':
      return `${toNumber(value)}`
    case 'j':
      return toJson(value)
    case 'o':
    case 'O':
      return inspect(value)
    case 'c':
      return ''
    default:
      return undefined
  }
}

/** Objects are no numbers here: converting one would call its methods. */
function toNumber(value: unknown): number {
  if (typeof value === 'number') return value
  return typeof value === 'string' ? +value : notANumber
}

function toJson(value: unknown): string {
  try {
    return stringifyJson(value) ?? 'undefined'
  } catch {
    return inspect(value)
  }
}
