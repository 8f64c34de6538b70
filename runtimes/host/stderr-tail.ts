// What a sandbox process wrote to stderr, bounded: its first and its last bytes. V8 says why it dies in the first lines
// and then prints a long native stack; Node's own complaints come last.

const KEEP_BYTES = 2_048
const MAX_LINE_LENGTH = 300

/** Collects stderr of one process. */
export class StderrTail {
  #first = Buffer.alloc(0)
  #last = Buffer.alloc(0)
  #dropped = false

  push(chunk: Buffer): void {
    const room = KEEP_BYTES - this.#first.length
    if (room > 0) this.#first = Buffer.concat([this.#first, chunk.subarray(0, room)])
    if (chunk.length <= room) return
    const rest = Buffer.concat([this.#last, chunk.subarray(Math.max(0, room))])
    this.#dropped ||= rest.length > KEEP_BYTES
    this.#last = rest.subarray(-KEEP_BYTES)
  }

  /** All that was kept. May hold paths of the machine. */
  text(): string {
    return `${this.#first.toString('utf8')}${this.#dropped ? '\n…\n' : ''}${this.#last.toString('utf8')}`
  }
}

/** The line that says why a process died, without paths and addresses of the machine; `undefined` when there is none. */
export function fatalLine(stderr: string): string | undefined {
  const line =
    /^.*\b(?:FATAL ERROR|Fatal JavaScript|Fatal process)\b.*$/m.exec(stderr) ??
    /^.*\bFatal error\b.*$/m.exec(stderr) ??
    /^\w*Error\b.*$/m.exec(stderr)
  if (line === null) return undefined
  return withoutPaths(line[0].replace(/^[#\s]+/, '')).slice(0, MAX_LINE_LENGTH)
}

/** Takes file URLs, absolute paths and addresses out of a text. A name with spaces belongs to a path when a separator follows. */
export function withoutPaths(text: string): string {
  return text
    .replace(/(?:file:\/\/)?(?:[A-Za-z]:)?(?:[/\\][\w.@+~-]+(?: [\w.@+~-]+)*(?=[/\\]))+[/\\][\w.@+~-]+/g, '<path>')
    .replace(/\b0x[0-9a-f]{6,}\b/gi, '<address>')
}
