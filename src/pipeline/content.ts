// Reads content blocks and context messages that tools and listeners give: detached, deeply frozen, of a documented shape
// (contract R3, A4). Fields beyond the shape are kept, because MCP adds some (`annotations`, `_meta`).
import { HarnessError } from '../errors/harness-error.ts'
import type { JsonObject, JsonValue } from '../json/json-value.ts'
import { snapshot } from '../json/snapshot.ts'
import type { ContentBlock, ContextMessage } from '../tools/content.ts'

/** Reads a list of blocks. Throws NOT_LOSSLESS_JSON or INVALID_CONTENT, naming the path. */
export function readContent(value: unknown, path: string): readonly ContentBlock[] {
  const blocks = snapshot(value, path)
  checkBlocks(blocks, path)
  return blocks
}

/** Reads one context message. Throws as {@link readContent} does. */
export function readContext(value: unknown, path: string): ContextMessage {
  const context = snapshot(value, path)
  checkContext(context, path)
  return context
}

/** Reads a list of context messages; `undefined` is an empty one. Throws as {@link readContent} does. */
export function readContexts(value: unknown, path: string): readonly ContextMessage[] {
  if (value === undefined) return []
  const contexts = snapshot(value, path)
  if (!Array.isArray(contexts)) refuse(path, 'must be an array of contexts')
  contexts.forEach((context, index) => {
    checkContext(context, `${path}[${index}]`)
  })
  return contexts as unknown as readonly ContextMessage[]
}

/** Reads a plain JSON object. Throws as {@link readContent} does. */
export function readObject(value: unknown, path: string): JsonObject {
  const object = snapshot(value, path)
  if (!isObject(object)) refuse(path, 'must be an object')
  return object
}

function checkBlocks(value: JsonValue | undefined, path: string): asserts value is JsonValue & readonly ContentBlock[] {
  if (!Array.isArray(value)) refuse(path, 'must be an array of content blocks')
  value.forEach((block: JsonValue, index) => {
    checkBlock(block, `${path}[${index}]`)
  })
}

function checkBlock(block: JsonValue, path: string): void {
  if (!isObject(block)) refuse(path, 'must be a content block')
  const type = field(block, 'type')
  if (type === 'text') needStrings(block, path, ['text'])
  else if (type === 'image' || type === 'audio') needStrings(block, path, ['data', 'mimeType'])
  else if (type === 'resource') checkResource(field(block, 'resource'), `${path}.resource`)
  else refuse(`${path}.type`, 'must be "text", "image", "audio" or "resource"')
}

function checkResource(resource: JsonValue | undefined, path: string): void {
  if (!isObject(resource)) refuse(path, 'must be an object')
  needStrings(resource, path, ['uri'])
  allowStrings(resource, path, ['mimeType', 'text', 'blob'])
}

function checkContext(value: JsonValue, path: string): asserts value is JsonValue & ContextMessage {
  if (!isObject(value)) refuse(path, 'must be a context message')
  needStrings(value, path, ['id'])
  if (field(value, 'role') !== 'user') refuse(`${path}.role`, 'must be "user"')
  checkBlocks(field(value, 'content'), `${path}.content`)
  allowStrings(value, path, ['source'])
}

function needStrings(holder: JsonObject, path: string, keys: readonly string[]): void {
  for (const key of keys) if (typeof field(holder, key) !== 'string') refuse(`${path}.${key}`, 'must be a string')
}

function allowStrings(holder: JsonObject, path: string, keys: readonly string[]): void {
  for (const key of keys) {
    const value = field(holder, key)
    if (value !== undefined && typeof value !== 'string') refuse(`${path}.${key}`, 'must be a string, or left out')
  }
}

/** An own field; what a prototype might offer is no data. */
function field(holder: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(holder, key) ? holder[key] : undefined
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function refuse(path: string, rule: string): never {
  throw new HarnessError('INVALID_CONTENT', `${path} ${rule}.`)
}
