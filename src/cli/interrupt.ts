// The signals that people and supervisors send: the first one aborts what runs and lets it clean up, a second one ends at once.
// Used by main.ts around one command.
import { EXIT_CODES, type ExitCode } from './exit-codes.ts'

const SIGNALS = {
  SIGINT: EXIT_CODES.interrupted,
  SIGTERM: EXIT_CODES.terminated,
  SIGHUP: EXIT_CODES.terminated,
} as const

/** What came of watching. */
export interface Interrupt {
  /** Aborts at the first signal. */
  readonly signal: AbortSignal
  /** The exit code that the signal asks for; `undefined` while none came. */
  exitCode(): ExitCode | undefined
  /** Takes the listeners off. */
  release(): void
}

/** Listens for SIGINT, SIGTERM and SIGHUP until released. */
export function watchInterrupts(): Interrupt {
  const controller = new AbortController()
  let code: ExitCode | undefined
  const listeners = Object.entries(SIGNALS).map(([name, exitCode]) => {
    const listener = (): void => {
      if (code !== undefined) process.exit(exitCode)
      code = exitCode
      controller.abort(new Error(`interrupted by ${name}`))
    }
    process.on(name, listener)
    return [name, listener] as const
  })
  return {
    signal: controller.signal,
    exitCode: () => code,
    release() {
      for (const [name, listener] of listeners) process.off(name, listener)
    },
  }
}
