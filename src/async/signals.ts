// Cancellation without leftovers: listeners on long-lived signals are removed as soon as the work that wanted them is
// done. Owns listening and fusing; what a cancellation means is decided by whoever listens.
// Trap: a listener of an AbortSignal that throws becomes an uncaught exception of the process (Node reports it from
// process.nextTick), so what is passed to onAbort must not throw.
// Trap: AbortSignal.any cannot be released; every composite stays reachable from a source that lives as long as an
// agent. fuseSignals gives the disposer that it lacks.

const nothing = (): void => {}

/**
 * Calls `fn` once when the signal aborts, or at once when it has aborted already.
 * @returns a disposer that takes the listener off; idempotent.
 */
export function onAbort(signal: AbortSignal, fn: (reason: unknown) => void): () => void {
  if (signal.aborted) {
    fn(signal.reason)
    return nothing
  }
  const listener = (): void => fn(signal.reason)
  signal.addEventListener('abort', listener, { once: true })
  return () => signal.removeEventListener('abort', listener)
}

/** A signal that aborts with the first of several. */
export interface FusedSignal {
  readonly signal: AbortSignal
  /** Lets go of the sources; the fused signal then never aborts any more. Idempotent. */
  dispose(): void
}

/**
 * Fuses signals into one that aborts with the first of them and takes over its reason. Of one signal (given once or
 * several times) it is that signal itself.
 */
export function fuseSignals(signals: readonly [AbortSignal, ...AbortSignal[]]): FusedSignal {
  const first = signals[0]
  if (signals.every((signal) => signal === first)) return { signal: first, dispose: nothing }
  const sources = new Set(signals)
  const controller = new AbortController()
  const disposers: (() => void)[] = []
  const dispose = (): void => {
    for (const release of disposers.splice(0)) release()
  }
  for (const source of sources) {
    if (controller.signal.aborted) break
    disposers.push(
      onAbort(source, (reason) => {
        controller.abort(reason)
        dispose()
      }),
    )
  }
  if (controller.signal.aborted) dispose()
  return { signal: controller.signal, dispose }
}

/** True for an AbortSignal of this or another realm, or something that behaves like one. May throw for a hostile object. */
export function isAbortSignal(value: unknown): value is AbortSignal {
  if (value instanceof AbortSignal) return true
  if (typeof value !== 'object' || value === null) return false
  const { aborted, addEventListener, removeEventListener } = value as Partial<AbortSignal>
  return (
    typeof aborted === 'boolean' && typeof addEventListener === 'function' && typeof removeEventListener === 'function'
  )
}
