// Turns anything that can be thrown into a bounded message and, for a HarnessError, its `{ name, code }`.
// Threat: tools, listeners and renderers may throw hostile things (throwing getters, endless strings, revoked proxies);
// reading them must never throw and never run long. Attacked in tests/unit/errors/describe-thrown.test.ts.
import { HarnessError } from './harness-error.ts'

/** Longest message that is kept, in UTF-16 units; the rest is cut with a note. */
export const MAX_MESSAGE_LENGTH = 16_384
const MAX_LABEL_LENGTH = 128

/** What is kept of a thrown thing. */
export interface DescribedError {
  readonly message: string
  /** Name and code of a HarnessError; absent for anything else. */
  readonly info?: { readonly name: string; readonly code: string }
}

/** Cuts a text to `max` UTF-16 units, saying how much is gone, without splitting a surrogate pair. */
export function clip(text: string, max: number): string {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  const end = last >= 0xd800 && last <= 0xdbff ? max - 1 : max
  return `${text.slice(0, end)}… (${text.length - end} more characters)`
}

/** Describes a thrown value; never throws. */
export function describeThrown(thrown: unknown): DescribedError {
  const message = clip(messageOf(thrown), MAX_MESSAGE_LENGTH)
  if (!HarnessError.is(thrown)) return { message }
  const name = readString(thrown, 'name') ?? 'HarnessError'
  const code = readString(thrown, 'code')
  if (code === undefined) return { message }
  return { message, info: { name: clip(name, MAX_LABEL_LENGTH), code: clip(code, MAX_LABEL_LENGTH) } }
}

function messageOf(thrown: unknown): string {
  switch (typeof thrown) {
    case 'string':
      return thrown === '' ? '(an empty string was thrown)' : thrown
    case 'bigint':
      // The digits of a huge one take seconds to find.
      return BigInt.asIntN(64, thrown) === thrown ? String(thrown) : '(a huge bigint was thrown)'
    case 'number':
    case 'boolean':
    case 'undefined':
    case 'symbol':
      return String(thrown)
    case 'function':
      return '(a function was thrown)'
    default: {
      if (thrown === null) return 'null'
      const message = readString(thrown as object, 'message')
      if (message !== undefined && message !== '') return message
      const name = readString(thrown as object, 'name')
      return name !== undefined && name !== '' ? name : '(an object without a message was thrown)'
    }
  }
}

function readString(holder: object, key: string): string | undefined {
  try {
    const value: unknown = Reflect.get(holder, key)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
