// What is to be done when the host's process exits. One listener of `process` serves all: each would count against Node's
// limit of eleven, and a host with a dozen runtimes would be warned of a leak that is none. Module state, because the
// process is.
const actions = new Set<() => void>()

/** Calls `action` when this process exits, synchronously. Returns the function that takes it back; idempotent. */
export function onHostExit(action: () => void): () => void {
  if (actions.size === 0) process.on('exit', runAll)
  // A function of its own, so that the same action can be there twice.
  const entry = () => action()
  actions.add(entry)
  return () => {
    if (actions.delete(entry) && actions.size === 0) process.off('exit', runAll)
  }
}

function runAll(): void {
  for (const action of actions) action()
}
