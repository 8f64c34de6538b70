// The sandbox's end of the pipe: frames in and out of file descriptor 3, both blocking.
//
// libuv makes the pair with socketpair(2) and sets only the parent's end to non-blocking, so a read here sleeps in the
// kernel until the host says something: no event loop, no thread hop. EAGAIN, should a launcher have changed the mode of
// the descriptor, is met by waiting a millisecond.
import { readSync, writeSync } from 'node:fs'
import { readHostMessage } from '../wire/check.ts'
import { encodeMessage } from '../wire/encode.ts'
import { FrameDecoder } from '../wire/frames.ts'
import type { HostMessage, SandboxMessage } from '../wire/messages.ts'

const READ_BYTES = 64 * 1024
const RETRY_MS = 1

/** One duplex pipe. */
export class Channel {
  readonly #fd: number
  readonly #decoder = new FrameDecoder()
  readonly #sleeper = new Int32Array(new SharedArrayBuffer(4))
  #buffer = Buffer.allocUnsafeSlow(READ_BYTES)

  constructor(fd: number) {
    this.#fd = fd
  }

  /** Waits for the next message; `undefined` when the host is gone. Throws `WireError` on junk. */
  receive(): HostMessage | undefined {
    for (;;) {
      const frame = this.#decoder.next()
      if (frame !== undefined) return readHostMessage(frame)
      // The decoder still needs the last chunk when it holds the beginning of a frame.
      if (this.#decoder.pendingBytes > 0) this.#buffer = Buffer.allocUnsafeSlow(READ_BYTES)
      const count = this.#retry(() => readSync(this.#fd, this.#buffer, 0, this.#buffer.length, null))
      if (count === 0) return undefined
      this.#decoder.push(this.#buffer.subarray(0, count))
    }
  }

  /** Writes a message and returns when the kernel has it all. Throws `FrameTooLargeError`, and then wrote nothing. */
  send(message: SandboxMessage): void {
    const frame = encodeMessage(message)
    let offset = 0
    while (offset < frame.length) {
      offset += this.#retry(() => writeSync(this.#fd, frame, offset, frame.length - offset))
    }
  }

  #retry(attempt: () => number): number {
    for (;;) {
      try {
        return attempt()
      } catch (error) {
        const code = (error as NodeJS.ErrnoException).code
        if (code !== 'EAGAIN' && code !== 'EINTR') throw error
        if (code === 'EAGAIN') Atomics.wait(this.#sleeper, 0, 0, RETRY_MS)
      }
    }
  }
}
