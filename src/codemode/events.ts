// The event of a running program (contract H9), merged into Cordis' `Events` beside the module that emits it.
import type { LogLevel } from '../runtime/code-runtime.ts'
import type { Agent } from '../scope/agent.ts'

/** One line that a program, or the host on its behalf, wrote while it ran. */
export interface CodeLogEvent {
  /** Id of the `run_code` call. */
  readonly callId: string
  readonly agent?: Agent
  /** Data, never a prefix of the text, which a program could forge. */
  readonly level: LogLevel
  readonly text: string
}

declare module '@deepseek-ai/cordis' {
  interface Events {
    /** A log line of a running program, heard in its agent's scope and above. Observation only: a throw is logged. */
    'tools/code-log'(event: CodeLogEvent): void
  }
}
