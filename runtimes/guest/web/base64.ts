// `btoa` and `atob`, as browsers have them. Called by the prelude.
import { charCodeAt, sliceText } from '../intrinsics.ts'
import { TextBuilder } from '../text.ts'
import { namedError } from './named-error.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const PADDING = 61

/** Base64 of a text whose units are bytes. Throws an InvalidCharacterError for a unit above 255. */
export function btoa(text: unknown): string {
  const bytes = `${text as string}`
  const encoded = new TextBuilder()
  for (let at = 0; at < bytes.length; at += 3) {
    const first = charCodeAt(bytes, at)
    const second = at + 1 < bytes.length ? charCodeAt(bytes, at + 1) : 0
    const third = at + 2 < bytes.length ? charCodeAt(bytes, at + 2) : 0
    if ((first | second | third) > 255) {
      throw namedError(
        'InvalidCharacterError',
        'btoa takes characters up to U+00FF only: encode text with TextEncoder first',
      )
    }
    const group = (first << 16) | (second << 8) | third
    encoded.add(digit(group >> 18))
    encoded.add(digit(group >> 12))
    encoded.add(at + 1 < bytes.length ? digit(group >> 6) : PADDING)
    encoded.add(at + 2 < bytes.length ? digit(group) : PADDING)
  }
  return encoded.finish()
}

/** The bytes of base64 as a text. White space is skipped, padding may be missing. Throws an InvalidCharacterError. */
export function atob(text: unknown): string {
  const encoded = trimmed(`${text as string}`)
  const bytes = new TextBuilder()
  let bits = 0
  let group = 0
  for (let at = 0; at < encoded.length; at++) {
    const value = valueOfDigit(charCodeAt(encoded, at))
    if (value < 0) throw invalid()
    group = ((group << 6) | value) & 0xff_ffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    bytes.add((group >> bits) & 0xff)
  }
  // One digit more than whole bytes need says less than a byte.
  if (bits === 6) throw invalid()
  return bytes.finish()
}

/** Without white space, and without the padding of a whole number of groups. */
function trimmed(text: string): string {
  const builder = new TextBuilder()
  for (let at = 0; at < text.length; at++) {
    const code = charCodeAt(text, at)
    if (code === 32 || code === 9 || code === 10 || code === 12 || code === 13) continue
    builder.add(code)
  }
  const kept = builder.finish()
  if (kept.length % 4 !== 0) return kept
  let end = kept.length
  while (end > kept.length - 2 && end > 0 && charCodeAt(kept, end - 1) === PADDING) end--
  return sliceText(kept, 0, end)
}

function digit(bits: number): number {
  return charCodeAt(ALPHABET, bits & 63)
}

function valueOfDigit(code: number): number {
  if (code >= 65 && code <= 90) return code - 65
  if (code >= 97 && code <= 122) return code - 71
  if (code >= 48 && code <= 57) return code + 4
  if (code === 43) return 62
  return code === 47 ? 63 : -1
}

function invalid(): Error {
  return namedError('InvalidCharacterError', 'atob takes base64 only: A–Z, a–z, 0–9, +, / and = at the end')
}
