// JSON texts that people write: parsed, or refused with line and column. `JSON.parse` gives no position for several kinds
// of mistake ("Unexpected token … is not valid JSON"), so the place is found by a scan of our own, after it has refused.
// Called by config.ts, and by the command line for its own files. It knows nothing of MCP.

/** Where a text stops being JSON, and why. Line and column are 1-based, in UTF-16 units. */
export interface JsonTextError {
  readonly line: number
  readonly column: number
  readonly problem: string
}

/** Either the value, or the first mistake. */
export type JsonTextResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: JsonTextError }

/** Parses a JSON text. A byte order mark at its head is passed over. Never throws. */
export function parseJsonText(text: string): JsonTextResult {
  const source = text.startsWith('\uFEFF') ? text.slice(1) : text
  try {
    return { ok: true, value: JSON.parse(source) }
  } catch (error) {
    const mistake = findMistake(source) ?? { offset: source.length, problem: messageOf(error) }
    return { ok: false, error: { ...positionOf(source, mistake.offset), problem: mistake.problem } }
  }
}

interface Mistake {
  readonly offset: number
  readonly problem: string
}

/** What may come next: a value, a key, a colon, a comma or the end of the open container, or nothing more. */
type Expected = 'value' | 'value or ]' | 'key' | 'key or }' | ':' | ', or end' | 'nothing'

// One token after white space: a string, a number or word, or a punctuation mark.
const TOKEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a raw control character is no part of a JSON string.
  /[\t\n\r ]*(?:("(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|(?:true|false|null)(?!\w))|([{}[\],:]))/y
const SPACE = /[\t\n\r ]*/y

function findMistake(source: string): Mistake | undefined {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  let offset = 0
  for (;;) {
    SPACE.lastIndex = offset
    const start = offset + (SPACE.exec(source)?.[0].length ?? 0)
    if (start === source.length) {
      return expected === 'nothing'
        ? undefined
        : { offset: start, problem: `the text ends where ${wanted(expected, open)} is expected` }
    }
    TOKEN.lastIndex = offset
    const match = TOKEN.exec(source)
    if (match === null) return { offset: start, problem: unreadable(source, start, expected, open) }
    offset = TOKEN.lastIndex
    const next = step(
      expected,
      open,
      match[1] !== undefined ? 'string' : match[2] !== undefined ? 'scalar' : (match[3] as string),
    )
    if (next === undefined) return { offset: start, problem: misplaced(source, start, expected, open) }
    expected = next
  }
}

/** One move of the grammar; `undefined` when the token may not stand here. Changes `open`. */
function step(expected: Expected, open: ('{' | '[')[], token: string): Expected | undefined {
  const after = (): Expected => (open.length === 0 ? 'nothing' : ', or end')
  const isKeyPlace = expected === 'key' || expected === 'key or }'
  const isValuePlace = expected === 'value' || expected === 'value or ]'
  if (token === 'string' && isKeyPlace) return ':'
  if ((token === 'string' || token === 'scalar') && isValuePlace) return after()
  if ((token === '{' || token === '[') && isValuePlace) {
    open.push(token)
    return token === '{' ? 'key or }' : 'value or ]'
  }
  if (token === ':' && expected === ':') return 'value'
  const container = open.at(-1)
  if (token === ',' && expected === ', or end') return container === '{' ? 'key' : 'value'
  const closes = container === '{' ? '}' : ']'
  const mayClose = expected === ', or end' || (container === '{' ? expected === 'key or }' : expected === 'value or ]')
  if (container !== undefined && token === closes && mayClose) {
    open.pop()
    return after()
  }
  return undefined
}

function wanted(expected: Expected, open: readonly string[]): string {
  switch (expected) {
    case 'key':
      return 'a property name in double quotes'
    case 'key or }':
      return 'a property name in double quotes or "}"'
    case 'value':
      return 'a value'
    case 'value or ]':
      return 'a value or "]"'
    case ':':
      return '":"'
    case ', or end':
      return open.at(-1) === '{' ? '"," or "}"' : '"," or "]"'
    case 'nothing':
      return 'the end of the text'
  }
}

function unreadable(source: string, start: number, expected: Expected, open: readonly string[]): string {
  const char = source[start]
  if (char === '/') return 'comments are not allowed in JSON'
  if (char === "'") return 'strings stand in double quotes'
  if (char === '"') return 'this string is not closed on its line, or holds an invalid escape'
  return misplaced(source, start, expected, open)
}

function misplaced(source: string, start: number, expected: Expected, open: readonly string[]): string {
  const char = source[start]
  if (char === '}' && expected === 'key') return 'a comma before "}" is not allowed'
  if (char === ']' && expected === 'value' && open.at(-1) === '[') return 'a comma before "]" is not allowed'
  return `${wanted(expected, open)} is expected, not ${char === '"' ? 'a string' : found(source, start)}`
}

function found(source: string, start: number): string {
  const word = /^(?:\w+|.)/su.exec(source.slice(start, start + 20))
  return JSON.stringify(word?.[0] ?? '')
}

function positionOf(source: string, offset: number): { line: number; column: number } {
  const before = source.slice(0, offset)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: offset - lineStart + 1 }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'not JSON'
}
