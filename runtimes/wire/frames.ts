// Framing, for both ends of the pipe. Knows bytes, not messages: encode.ts and check.ts know those.
//
//   u32 length of all that follows | u32 length of the head | head (JSON, UTF-8) | bodies (UTF-8, one after the other)
//
// Numbers are little-endian. The head holds the byte length of each body in the order in which they follow.
import { MAX_FRAME_BYTES } from './caps.ts'

const PREFIX_BYTES = 8
const LENGTH_BYTES = 4

/** Traffic that breaks the protocol. The message says which rule; it holds no text of the traffic itself. */
export class WireError extends Error {
  override readonly name = 'WireError'
}

/** A message that does not fit into a frame; its sender meets this before anything is written. */
export class FrameTooLargeError extends Error {
  override readonly name = 'FrameTooLargeError'
  readonly bytes: number

  constructor(bytes: number) {
    super(`A message of ${bytes} bytes does not fit into a frame (at most ${MAX_FRAME_BYTES} bytes).`)
    this.bytes = bytes
  }
}

/** Builds one frame. `byteLengths` are those of `bodies`, which the head names too. Throws {@link FrameTooLargeError}. */
export function encodeFrame(head: object, bodies: readonly string[], byteLengths: readonly number[]): Buffer {
  const headText = JSON.stringify(head)
  const headBytes = Buffer.byteLength(headText)
  let total = PREFIX_BYTES + headBytes
  for (const length of byteLengths) total += length
  if (total - LENGTH_BYTES > MAX_FRAME_BYTES) throw new FrameTooLargeError(total)
  const frame = Buffer.allocUnsafe(total)
  frame.writeUInt32LE(total - LENGTH_BYTES, 0)
  frame.writeUInt32LE(headBytes, LENGTH_BYTES)
  let offset = PREFIX_BYTES
  offset += frame.write(headText, offset, headBytes, 'utf8')
  for (let i = 0; i < bodies.length; i++) {
    const length = byteLengths[i]!
    if (length > 0) offset += frame.write(bodies[i]!, offset, length, 'utf8')
  }
  return frame
}

/** One frame as it arrived: the parsed head, unchecked, and the bodies, read in order. */
export class Frame {
  readonly head: unknown
  readonly #bytes: Buffer
  #offset: number
  readonly #end: number

  constructor(head: unknown, bytes: Buffer, offset: number, end: number) {
    this.head = head
    this.#bytes = bytes
    this.#offset = offset
    this.#end = end
  }

  /** The next body, whose length the head claims. Throws {@link WireError} when it claims more than there is. */
  text(length: unknown): string {
    if (typeof length !== 'number' || !Number.isInteger(length) || length < 0 || length > this.#end - this.#offset) {
      throw new WireError('a body has no valid length')
    }
    const start = this.#offset
    this.#offset = start + length
    return length === 0 ? '' : this.#bytes.toString('utf8', start, this.#offset)
  }

  /** Throws {@link WireError} when bytes are left that the head does not name. */
  finish(): void {
    if (this.#offset !== this.#end) throw new WireError('a frame holds more bytes than its head names')
  }
}

/**
 * Cuts a stream of chunks into frames. A frame that lies in one chunk is read in place; one that spans chunks is put
 * together once, when its last byte is there. After a {@link WireError} the stream is lost and the decoder of no more use.
 */
export class FrameDecoder {
  readonly #maxHeadBytes: number
  #current: Buffer = Buffer.alloc(0)
  #offset = 0
  #queued: Buffer[] = []
  #queuedBytes = 0

  /** `maxHeadBytes` bounds the part of a frame that is parsed unseen. Default: as large as a frame may be. */
  constructor(maxHeadBytes = MAX_FRAME_BYTES) {
    this.#maxHeadBytes = maxHeadBytes
  }

  /** Bytes that were pushed and belong to a frame that is not complete. While this is 0 the last chunk may be reused. */
  get pendingBytes(): number {
    return this.#current.length - this.#offset + this.#queuedBytes
  }

  /** Takes the next chunk. It must not change as long as `pendingBytes` is not 0. */
  push(chunk: Buffer): void {
    if (this.#offset === this.#current.length && this.#queuedBytes === 0) {
      this.#current = chunk
      this.#offset = 0
      return
    }
    this.#queued.push(chunk)
    this.#queuedBytes += chunk.length
  }

  /** The next complete frame, or `undefined` until more bytes come. Throws {@link WireError} on junk. */
  next(): Frame | undefined {
    if (!this.#gather(PREFIX_BYTES)) return undefined
    const bytes = this.#current.readUInt32LE(this.#offset)
    if (bytes > MAX_FRAME_BYTES) throw new WireError(`a frame claims ${bytes} bytes, more than ${MAX_FRAME_BYTES}`)
    const headBytes = this.#current.readUInt32LE(this.#offset + LENGTH_BYTES)
    if (headBytes > bytes - LENGTH_BYTES) throw new WireError('a head is longer than its frame')
    if (headBytes > this.#maxHeadBytes) {
      throw new WireError(`a head claims ${headBytes} bytes, more than ${this.#maxHeadBytes}`)
    }
    if (!this.#gather(LENGTH_BYTES + bytes)) return undefined
    const bodies = this.#offset + PREFIX_BYTES + headBytes
    const head = parseHead(this.#current.toString('utf8', this.#offset + PREFIX_BYTES, bodies))
    this.#offset += LENGTH_BYTES + bytes
    return new Frame(head, this.#current, bodies, this.#offset)
  }

  /** Makes the next `bytes` bytes contiguous; false while they have not arrived. */
  #gather(bytes: number): boolean {
    if (this.#current.length - this.#offset >= bytes) return true
    if (this.pendingBytes < bytes) return false
    this.#current = Buffer.concat([this.#current.subarray(this.#offset), ...this.#queued])
    this.#offset = 0
    this.#queued = []
    this.#queuedBytes = 0
    return true
  }
}

function parseHead(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new WireError('a head is no JSON')
  }
}
