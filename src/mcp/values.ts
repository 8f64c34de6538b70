// What an answer of `tools/call` is worth (contract O2): the value that a program gets, and the blocks that the server wrote
// for a model. Everything here comes from a foreign process; it is plain data from `JSON.parse`, of any shape and depth.
// Called by tool.ts. Whether a value fits its output schema is decided by the pipeline.

import { clip } from '../errors/describe-thrown.ts'
import { HarnessError } from '../errors/harness-error.ts'
import type { JsonValue } from '../json/json-value.ts'
import { prettyPrint } from '../json/print.ts'
import { sealParsed } from '../json/snapshot.ts'
import type { ContentBlock, TextContent } from '../tools/content.ts'

const MAX_ERROR_CHARS = 8_000

/** One answer, read. */
export interface ToolAnswer {
  /** The canonical value, sealed: known to `isSnapshot`. */
  readonly value: JsonValue
  /** What the server wrote for a model: its content blocks. */
  readonly blocks: readonly ContentBlock[]
  /** True when the value was made from the content, because there was no structured content. */
  readonly isFromContent: boolean
}

/**
 * Reads an answer.
 * @throws HarnessError `MCP_TOOL` for an answer that says `isError`, or that is no answer; `NOT_LOSSLESS_JSON` for one that
 * nests too deep or holds a number beyond what a double can say.
 */
export function readAnswer(server: string, tool: string, answer: unknown): ToolAnswer {
  const fail = (problem: string): HarnessError =>
    new HarnessError('MCP_TOOL', `MCP server "${server}", tool "${tool}": ${problem}`)
  if (!isRecord(answer)) throw fail('the answer is no object')
  const { content = [], structuredContent, isError } = answer
  if (!Array.isArray(content)) throw fail('the content of the answer is no list')
  const blocks = content.map(toContentBlock)
  if (isError === true) throw fail(clip(errorText(blocks, structuredContent), MAX_ERROR_CHARS))
  const isFromContent = structuredContent === undefined || structuredContent === null
  const value = isFromContent ? contentValue(content) : normalizeNumbers(structuredContent).value
  return { value: sealParsed(value, `the answer of "${tool}"`), blocks, isFromContent }
}

/** The blocks that a model reads of a value, when all that is known is the value. */
export function renderValue(value: JsonValue): string | readonly ContentBlock[] {
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.length > 0 && value.every(isContentBlock)) return value.map(toContentBlock)
  return prettyPrint(value)
}

/** A single text is parsed when it is a JSON object or array, else it stands for itself; anything else is the list of blocks. */
function contentValue(content: readonly unknown[]): JsonValue {
  const only = content.length === 1 ? knownBlock(content[0]) : undefined
  if (only?.type !== 'text') return normalizeNumbers(content).value
  return parseContainer(only.text) ?? only.text
}

function parseContainer(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    const { value, allFinite } = normalizeNumbers(JSON.parse(text))
    // 1e999 is JSON, but no number: the text as it stands loses less.
    return allFinite ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * Makes -0 to 0 in place: JSON can say -0, and it is no lossless JSON here (contract A1). Says whether all numbers are finite.
 * Walks with a stack of its own, because a foreign text may nest deeper than the call stack. For what `JSON.parse` gave only:
 * all that it meets is own, plain data, an own `__proto__` key included.
 */
export function normalizeNumbers(root: unknown): { value: JsonValue; allFinite: boolean } {
  const holder: unknown[] = [root]
  const open: (Record<string, unknown> | unknown[])[] = [holder]
  let allFinite = true
  for (let container = open.pop(); container !== undefined; container = open.pop()) {
    const slots = container as Record<string | number, unknown>
    for (const key of Array.isArray(container) ? container.keys() : Object.keys(container)) {
      const value = slots[key]
      if (value === 0) slots[key] = 0
      else if (typeof value === 'number') allFinite &&= Number.isFinite(value)
      else if (typeof value === 'object' && value !== null) open.push(value as Record<string, unknown>)
    }
  }
  return { value: holder[0] as JsonValue, allFinite }
}

function errorText(blocks: readonly ContentBlock[], structuredContent: unknown): string {
  const text = blocks
    .flatMap((block) => (block.type === 'text' ? [block.text] : []))
    .join('\n')
    .trim()
  if (text !== '') return text
  if (structuredContent !== undefined) return prettyPrint(normalizeNumbers(structuredContent).value)
  return 'it failed without a message'
}

function isContentBlock(value: unknown): boolean {
  return knownBlock(value) !== undefined
}

/** A block as a model can read it; one of a kind that we do not know becomes its JSON as text. */
function toContentBlock(value: unknown): ContentBlock {
  return knownBlock(value) ?? textBlock(typeof value === 'string' ? value : prettyPrint(normalizeNumbers(value).value))
}

/** Rebuilt from the fields that contract R3 names; `undefined` when it is none of its kinds or one of them is malformed. */
function knownBlock(value: unknown): ContentBlock | undefined {
  if (!isRecord(value)) return undefined
  const { type, text, data, mimeType, resource } = value
  if (type === 'text' && typeof text === 'string') return textBlock(text)
  if ((type === 'image' || type === 'audio') && typeof data === 'string' && typeof mimeType === 'string') {
    return { type, data, mimeType }
  }
  if (type !== 'resource' || !isRecord(resource)) return undefined
  const { uri, mimeType: mime, text: body, blob } = resource
  if (typeof uri !== 'string' || (typeof body !== 'string' && typeof blob !== 'string')) return undefined
  return {
    type: 'resource',
    resource: {
      uri,
      ...(typeof mime === 'string' && { mimeType: mime }),
      ...(typeof body === 'string' && { text: body }),
      ...(typeof blob === 'string' && { blob }),
    },
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The constructor in `src/tools` is out of reach here: this folder knows the types of tools alone. */
function textBlock(text: string): TextContent {
  return { type: 'text', text }
}
