// Looks at processes from outside, by id, and waits for what must come to be.
import { readFileSync } from 'node:fs'

/** True while a process of that id exists and is no zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    // The state stands after the command, which is in parentheses and may hold anything.
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return process.platform !== 'linux'
  }
}

/** Waits until a condition holds; a test whose condition never comes ends by its own timeout. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}
