// Counts what a program says against `maxOutputBytes`: its log lines, and its value or message, as serialized (contract K2).

/** Quotes and comma of one line in the list of logs. */
const LINE_OVERHEAD_BYTES = 3

/** The output of one run. */
export class OutputMeter {
  readonly #limitBytes: number
  #usedBytes = 0

  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes
  }

  /** Bytes counted so far. */
  get usedBytes(): number {
    return this.#usedBytes
  }

  /** Counts a log line. Answers with the line, or with as much of it as still fits; `full` says that this was the end. */
  addLine(line: string): { readonly kept: string; readonly full: boolean } {
    const bytes = Buffer.byteLength(line) + LINE_OVERHEAD_BYTES
    const room = this.#limitBytes - this.#usedBytes
    this.#usedBytes += bytes
    if (bytes <= room) return { kept: line, full: false }
    return { kept: prefix(line, room - LINE_OVERHEAD_BYTES), full: true }
  }

  /** Counts a value or a message; false when it does not fit. */
  addText(text: string): boolean {
    this.#usedBytes += Buffer.byteLength(text)
    return this.#usedBytes <= this.#limitBytes
  }
}

/** The longest beginning of a text that takes at most `bytes` bytes of UTF-8, without a torn character. */
function prefix(text: string, bytes: number): string {
  if (bytes <= 0) return ''
  const encoded = Buffer.from(text)
  let end = bytes
  // 10xxxxxx continues a character.
  while (end > 0 && (encoded[end]! & 0xc0) === 0x80) end--
  return encoded.toString('utf8', 0, end)
}
