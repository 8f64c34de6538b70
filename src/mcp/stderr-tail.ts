// The last words of a server: a bounded tail of what it writes to stderr, made harmless for a terminal and a model.
// Filled by connection.ts for as long as the server runs; read when it does not start or is lost.

const MAX_KEPT_CHARS = 8_192
const MAX_SHOWN_LINES = 12

/** Keeps the end of a stream of text. */
export class StderrTail {
  #text = ''

  /** Adds a chunk; what is older than the last 8 192 characters is forgotten. */
  append(chunk: string): void {
    const kept = this.#text + chunk.slice(-MAX_KEPT_CHARS)
    this.#text = kept.length > 2 * MAX_KEPT_CHARS ? kept.slice(-MAX_KEPT_CHARS) : kept
  }

  /**
   * The last twelve lines that say something, without colours and control characters; empty when it said nothing. Where
   * they are only the end of a stack, the line that names the error stands in front of them.
   */
  lines(): readonly string[] {
    const lines = withoutControls(this.#text.slice(-MAX_KEPT_CHARS))
      .split('\n')
      .map((line) => line.trimEnd())
      .filter((line) => line !== '')
    const last = lines.slice(-MAX_SHOWN_LINES)
    if (last.some(namesError)) return last
    const error = lines.findLast(namesError)
    return error === undefined ? last : [error, ...last.slice(1)]
  }
}

function namesError(line: string): boolean {
  return /^\s*(?:uncaught )?\w*(?:error|exception|fatal|panic)\b.*:/i.test(line)
}

/** Takes out escape sequences (colours, cursor movements, titles) and every other control character but line ends and tabs. */
export function withoutControls(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
      .replace(/\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[@-Z\\-_])/g, '')
      .replace(/\r\n?/g, '\n')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
      .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, '')
  )
}
