// Cuts a byte stream into lines, each within a bound. Costs are linear in what arrives: the SDK's own buffer copies and searches
// all that it holds with every chunk, so that a server could stop this process for twenty seconds with one line of 30 MB.
// Filled by stdio-transport.ts.

const LINE_FEED = 0x0a

/** Lines of a stream that come in chunks. */
export class LineBuffer {
  readonly #maxBytes: number
  #parts: Buffer[] = []
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  /** Takes a chunk and gives the lines that it completes, without their ends. Throws a RangeError for a line beyond the bound. */
  push(chunk: Buffer): string[] {
    const lines: string[] = []
    let start = 0
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, start)) {
      this.#keep(chunk.subarray(start, end))
      lines.push(this.#take())
      start = end + 1
    }
    this.#keep(chunk.subarray(start))
    return lines
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length
    if (this.#bytes > this.#maxBytes) {
      this.#parts = []
      throw new RangeError(`it sent a message of more than ${this.#maxBytes} bytes`)
    }
    if (part.length > 0) this.#parts.push(part)
  }

  #take(): string {
    const line =
      this.#parts.length === 1 ? this.#parts[0]!.toString('utf8') : Buffer.concat(this.#parts).toString('utf8')
    this.#parts = []
    this.#bytes = 0
    return line.endsWith('\r') ? line.slice(0, -1) : line
  }
}
