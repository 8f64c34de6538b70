// TextEncoder and TextDecoder (UTF-8; the decoder takes UTF-16LE too), as browsers have them. Called by the prelude.
import {
  bufferByteLength,
  charCodeAt,
  isView,
  NativeRangeError,
  NativeTypeError,
  NativeUint8Array,
  sliceText,
  toLowerCase,
  typedBuffer,
  typedByteLength,
  typedByteOffset,
  typedName,
  viewBuffer,
  viewByteLength,
  viewByteOffset,
} from '../intrinsics.ts'
import { TextBuilder } from '../text.ts'

/** Text to UTF-8. Lone surrogates become U+FFFD. */
export class TextEncoder {
  get encoding(): string {
    return 'utf-8'
  }

  /** The bytes of a text. */
  encode(text: unknown = ''): Uint8Array {
    const source = `${text as string}`
    const length = utf8Length(source)
    const bytes = new NativeUint8Array(length)
    writeUtf8(source, bytes, length)
    return bytes
  }

  /** Writes as many whole characters as fit, and says how much was read and written. */
  encodeInto(text: unknown, target: Uint8Array): { read: number; written: number } {
    if (typedName(target) !== 'Uint8Array') throw new NativeTypeError('encodeInto writes into a Uint8Array')
    return writeUtf8(`${text as string}`, target, typedByteLength(target))
  }
}

/** Code point at a place: a surrogate pair counts as one, a lone surrogate as U+FFFD. */
function codePointAt(text: string, at: number): number {
  const first = charCodeAt(text, at)
  if (first < 0xd800 || first > 0xdfff) return first
  if (first > 0xdbff || at + 1 >= text.length) return 0xfffd
  const second = charCodeAt(text, at + 1)
  if (second < 0xdc00 || second > 0xdfff) return 0xfffd
  return 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00)
}

function sizeOf(codePoint: number): number {
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  return codePoint < 0x1_0000 ? 3 : 4
}

function utf8Length(text: string): number {
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const size = sizeOf(codePointAt(text, at))
    length += size
    if (size === 4) at++
  }
  return length
}

function writeUtf8(text: string, target: Uint8Array, room: number): { read: number; written: number } {
  let written = 0
  let at = 0
  for (; at < text.length; at++) {
    const codePoint = codePointAt(text, at)
    const size = sizeOf(codePoint)
    if (written + size > room) break
    if (size === 1) target[written++] = codePoint
    else {
      const lead = size === 2 ? 0xc0 : size === 3 ? 0xe0 : 0xf0
      target[written++] = lead | (codePoint >> (6 * (size - 1)))
      for (let left = size - 2; left >= 0; left--) target[written++] = 0x80 | ((codePoint >> (6 * left)) & 0x3f)
    }
    if (size === 4) at++
  }
  return { read: at, written }
}

/** Options of a decoder. */
interface DecoderOptions {
  readonly fatal?: unknown
  readonly ignoreBOM?: unknown
}

/** Bytes to text. */
export class TextDecoder {
  readonly #utf16: boolean
  readonly #fatal: boolean
  readonly #ignoreBom: boolean
  /** Bytes of an unfinished character, kept from a call with `stream`. */
  #kept = new NativeUint8Array(0)
  #start = true

  /** Throws a RangeError for an encoding other than UTF-8 and UTF-16LE. */
  constructor(label: unknown = 'utf-8', options: DecoderOptions = {}) {
    const name = toLowerCase(`${label as string}`)
    this.#utf16 = name === 'utf-16le' || name === 'utf-16'
    if (!this.#utf16 && name !== 'utf-8' && name !== 'utf8' && name !== 'unicode-1-1-utf-8') {
      throw new NativeRangeError(`TextDecoder knows utf-8 and utf-16le, not ${name}`)
    }
    this.#fatal = !!options?.fatal
    this.#ignoreBom = !!options?.ignoreBOM
  }

  get encoding(): string {
    return this.#utf16 ? 'utf-16le' : 'utf-8'
  }

  get fatal(): boolean {
    return this.#fatal
  }

  get ignoreBOM(): boolean {
    return this.#ignoreBom
  }

  /** The text of some bytes; with `stream`, an unfinished character waits for the next call. */
  decode(input?: unknown, options: { readonly stream?: unknown } = {}): string {
    const stream = !!options?.stream
    const bytes = joined(this.#kept, bytesOf(input))
    const decoded = this.#utf16 ? decodeUtf16(bytes, stream) : decodeUtf8(bytes, stream)
    if (this.#fatal && decoded.malformed) {
      this.#kept = new NativeUint8Array(0)
      this.#start = true
      throw new NativeTypeError(`these bytes are not ${this.encoding}`)
    }
    this.#kept = copyFrom(bytes, decoded.used)
    let { text } = decoded
    if (this.#start && text.length > 0) {
      if (!this.#ignoreBom && charCodeAt(text, 0) === 0xfeff) text = sliceText(text, 1)
      this.#start = false
    }
    if (!stream) this.#start = true
    return text
  }
}

/** What a decoder read: `used` bytes of the input are done with. */
interface Decoded {
  readonly text: string
  readonly used: number
  readonly malformed: boolean
}

function decodeUtf8(bytes: Uint8Array, stream: boolean): Decoded {
  const text = new TextBuilder()
  const length = typedByteLength(bytes)
  let malformed = false
  let at = 0
  while (at < length) {
    const lead = bytes[at] as number
    if (lead < 0x80) {
      text.add(lead)
      at++
      continue
    }
    const size = lead < 0xc2 || lead > 0xf4 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4
    const good = size === 1 ? 1 : continuationLength(bytes, at, size, length)
    if (good === size && size > 1) {
      let codePoint = lead & (0xff >> (size + 1))
      for (let next = 1; next < size; next++) codePoint = (codePoint << 6) | ((bytes[at + next] as number) & 0x3f)
      text.addCodePoint(codePoint)
    } else if (stream && size > 1 && at + good === length) break
    else {
      malformed = true
      text.add(0xfffd)
    }
    at += good
  }
  return { text: text.finish(), used: at, malformed }
}

/** How many bytes from a lead byte on belong together: all of a good character, or the part that is replaced as one. */
function continuationLength(bytes: Uint8Array, at: number, size: number, length: number): number {
  const lead = bytes[at] as number
  // The second byte must neither spell a shorter form, nor a surrogate, nor something above U+10FFFF.
  const least = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80
  const most = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf
  for (let next = 1; next < size; next++) {
    if (at + next >= length) return next
    const byte = bytes[at + next] as number
    if (byte < (next === 1 ? least : 0x80) || byte > (next === 1 ? most : 0xbf)) return next
  }
  return size
}

function decodeUtf16(bytes: Uint8Array, stream: boolean): Decoded {
  const text = new TextBuilder()
  const length = typedByteLength(bytes)
  const unitAt = (at: number): number => (bytes[at] as number) | ((bytes[at + 1] as number) << 8)
  let malformed = false
  let at = 0
  for (; at + 1 < length; at += 2) {
    const unit = unitAt(at)
    if (unit < 0xd800 || unit > 0xdfff) {
      text.add(unit)
      continue
    }
    // Half a pair, or one and a half units, at the end: one error.
    if (unit < 0xdc00 && at + 3 >= length) break
    const next = unit < 0xdc00 ? unitAt(at + 2) : 0
    if (unit < 0xdc00 && next >= 0xdc00 && next <= 0xdfff) {
      text.add(unit)
      text.add(next)
      at += 2
    } else {
      malformed = true
      text.add(0xfffd)
    }
  }
  if (at < length && !stream) {
    malformed = true
    text.add(0xfffd)
    at = length
  }
  return { text: text.finish(), used: at, malformed }
}

/** The bytes of a buffer or a view, where they stand. Throws a TypeError for anything else. */
function bytesOf(input: unknown): Uint8Array {
  if (input === undefined) return new NativeUint8Array(0)
  if (isView(input)) {
    return typedName(input) === undefined
      ? new NativeUint8Array(viewBuffer(input), viewByteOffset(input), viewByteLength(input))
      : new NativeUint8Array(typedBuffer(input), typedByteOffset(input), typedByteLength(input))
  }
  try {
    bufferByteLength(input)
  } catch {
    throw new NativeTypeError('TextDecoder decodes an ArrayBuffer or a view of one')
  }
  return new NativeUint8Array(input as ArrayBuffer)
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const firstLength = typedByteLength(first)
  if (firstLength === 0) return second
  const secondLength = typedByteLength(second)
  const both = new NativeUint8Array(firstLength + secondLength)
  for (let at = 0; at < firstLength; at++) both[at] = first[at] as number
  for (let at = 0; at < secondLength; at++) both[firstLength + at] = second[at] as number
  return both
}

function copyFrom(bytes: Uint8Array, start: number): Uint8Array<ArrayBuffer> {
  const length = typedByteLength(bytes) - start
  const copy = new NativeUint8Array(length)
  for (let at = 0; at < length; at++) copy[at] = bytes[start + at] as number
  return copy
}
