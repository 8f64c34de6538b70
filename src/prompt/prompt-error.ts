// The coded error of everything that keeps a prompt from being registered or assembled.
import { HarnessError } from '../errors/harness-error.ts'

/** `INVALID_PROMPT`, with the section, variable, tool or entry in its message. */
export class PromptError extends HarnessError {
  constructor(message: string, cause?: unknown) {
    super('INVALID_PROMPT', message, cause === undefined ? {} : { cause })
  }
}
