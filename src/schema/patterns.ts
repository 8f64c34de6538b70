// Regular expressions of schemas, in linear time (contract G3). Native ones backtrack: `^(a+)+$` from a server would hang the host.
// A pattern must be a valid ECMA-262 expression; it is rewritten for RE2's syntax, so that it means the same there, and what RE2 cannot
// express (look-around, back references) is refused with a reason. What becomes of the refusal is the caller's choice.
// RE2 takes characters by code point, as ECMA-262 does with the flag `u`.
import { RE2JS } from 're2js'
import { describeThrown } from '../errors/describe-thrown.ts'
import { MAX_PATTERN_CHARS, MAX_PATTERN_SIZE } from './limits.ts'

/** A compiled expression. */
export interface LinearPattern {
  readonly source: string
  /** Instructions of the program: the cost of a test is at most this many for each character. */
  readonly size: number
  /** True when the expression matches somewhere in the text. */
  test(text: string): boolean
}

/** A compiled expression, or the reason why there is none. */
export type PatternResult = { readonly pattern: LinearPattern } | { readonly refusal: string }

/** Compiles a pattern. Never throws. */
export function compilePattern(source: string): PatternResult {
  if (source.length > MAX_PATTERN_CHARS) return { refusal: `is longer than ${MAX_PATTERN_CHARS} characters` }
  if (!isEcmaScript(source)) return { refusal: 'is no valid ECMA-262 regular expression' }
  const rewritten = rewrite(source)
  if (rewritten === undefined) {
    return {
      refusal: 'needs look-around, a back reference or an unknown escape, which cannot be matched in linear time',
    }
  }
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(rewritten))
    const size = compiled.programSize()
    if (size > MAX_PATTERN_SIZE) return { refusal: 'is too large once its repetitions are expanded' }
    return { pattern: { source, size, test: (text) => compiled.test(text) } }
  } catch (error) {
    return { refusal: `cannot be matched in linear time (${describeThrown(error).message.slice(0, 120)})` }
  }
}

function isEcmaScript(source: string): boolean {
  return ['u', ''].some((flags) => {
    try {
      return new RegExp(source, flags) instanceof RegExp
    } catch {
      return false
    }
  })
}

/** ECMA-262's white space, as the inside of a class; RE2's `\s` is ASCII only. */
const SPACE =
  '\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const NOT_SPACE =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}' +
  '\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'
/** What `.` does not match; RE2's `.` stops at \n alone. */
const NOT_LINE_END = '[^\\n\\r\\x{2028}\\x{2029}]'

/** Letters and digits that may stand behind a backslash and mean the same in both, or are translated by RE2JS. */
const KNOWN_ESCAPES = new Set('dDwWfnrtvcxupPbB0')

/** Any escape; the two halves of a pair are captured. */
const SURROGATES = /\\(?:u(d[89ab][0-9a-f]{2})\\u(d[c-f][0-9a-f]{2})|[\s\S])/gi

function codePoint(high: string, low: string): number {
  return 0x10000 + ((Number.parseInt(high, 16) - 0xd800) << 10) + Number.parseInt(low, 16) - 0xdc00
}

/** The expression in RE2's syntax; `undefined` when there is none. The source is valid ECMA-262. */
function rewrite(original: string): string | undefined {
  const source = original.replace(SURROGATES, (all: string, high?: string, low?: string) =>
    high === undefined ? all : `\\u{${codePoint(high, low as string).toString(16)}}`,
  )
  let out = ''
  let inClass = false
  for (let index = 0; index < source.length; index++) {
    const char = source[index] as string
    if (char === '\\') {
      const rewritten = rewriteEscape(source, ++index, inClass)
      if (rewritten === undefined) return undefined
      out += rewritten
    } else if (inClass) {
      // `[[:alpha:]]` is a POSIX class to RE2 and four characters to ECMA-262.
      out += char === '[' ? '\\[' : char
      if (char === ']') inClass = false
    } else if (char === '[') {
      inClass = true
      // The empty class and its complement; RE2 would take the bracket for a member.
      const empty = /^\[\^?\]/.exec(source.slice(index, index + 3))?.[0]
      out += empty === undefined ? char : empty === '[]' ? '[^\\x{0}-\\x{10ffff}]' : '[\\x{0}-\\x{10ffff}]'
      if (empty !== undefined) {
        index += empty.length - 1
        inClass = false
      }
    } else if (char === '.') out += NOT_LINE_END
    else if (char === '(' && /^\(\?(?:[=!]|<[=!])/.test(source.slice(index, index + 4))) return undefined
    else out += char
  }
  return out
}

/** What stands behind the backslash at `index`. */
function rewriteEscape(source: string, index: number, inClass: boolean): string | undefined {
  const char = source[index] as string
  if (char === 's') return inClass ? SPACE : `[${SPACE}]`
  if (char === 'S') return inClass ? NOT_SPACE : `[${NOT_SPACE}]`
  if (char === 'b' && inClass) return '\\x{8}'
  // \k<name>, \1 and, without the flag `u`, letters that stand for themselves: an author who writes \A or \Z means another engine's anchor.
  if (/[A-Za-z0-9]/.test(char))
    return KNOWN_ESCAPES.has(char) && !/^0\d/.test(source.slice(index, index + 2)) ? `\\${char}` : undefined
  // A whole code point: an escaped character of two units stays together.
  return char === '/' || /[^\x21-\x7e]/.test(char) ? char : `\\${char}`
}
