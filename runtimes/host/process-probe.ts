// What a process costs, read from /proc on Linux. The files are opened once: a read is one system call, and a process id
// that is used again cannot be mistaken for ours. Elsewhere every reading is `undefined`, and watchdog.ts goes by what the
// sandbox reports and by wall time.
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs'

const MAX_DESCENT = 8
const PAGE_SIZES = [4_096, 16_384, 65_536]

/** Reads CPU time and resident memory of one process. */
export class ProcessProbe {
  readonly #schedstat: number | undefined
  readonly #statm: number | undefined
  readonly #buffer = Buffer.alloc(256)
  readonly #pageBytes = measurePageBytes()
  #open = true

  constructor(pid: number) {
    this.#schedstat = open(`/proc/${pid}/schedstat`)
    this.#statm = open(`/proc/${pid}/statm`)
  }

  /** Time on a CPU of the process's main thread, on which programs run, in milliseconds. */
  cpuMs(): number | undefined {
    const nanoseconds = this.#field(this.#schedstat, 0)
    // A kernel without accounting says 0 for ever.
    return nanoseconds === undefined || nanoseconds === 0 ? undefined : nanoseconds / 1e6
  }

  /** Resident memory in bytes. */
  residentBytes(): number | undefined {
    const pages = this.#field(this.#statm, 1)
    return pages === undefined || pages === 0 ? undefined : pages * this.#pageBytes
  }

  /** Closes the files. Idempotent. */
  close(): void {
    if (!this.#open) return
    this.#open = false
    if (this.#schedstat !== undefined) closeSync(this.#schedstat)
    if (this.#statm !== undefined) closeSync(this.#statm)
  }

  #field(fd: number | undefined, index: number): number | undefined {
    if (fd === undefined || !this.#open) return undefined
    try {
      const length = readSync(fd, this.#buffer, 0, this.#buffer.length, 0)
      const value = Number(this.#buffer.toString('latin1', 0, length).split(' ')[index])
      return Number.isFinite(value) ? value : undefined
    } catch {
      return undefined // ESRCH: the process is gone.
    }
  }
}

/**
 * The process that does the work behind a launcher: the last of its only children. A launcher that replaces itself
 * (`exec`) has none and is that process.
 */
export function descend(pid: number): number {
  let current = pid
  for (let depth = 0; depth < MAX_DESCENT; depth++) {
    const children = childrenOf(current)
    if (children.length !== 1) return current
    current = children[0]!
  }
  return current
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
      readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

function open(path: string): number | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    return openSync(path, 'r')
  } catch {
    return undefined
  }
}

/** Node does not tell the size of a page; our own resident memory, in bytes and in pages, does. */
function measurePageBytes(): number {
  if (process.platform !== 'linux') return 0
  const pages = Number(readFileSync('/proc/self/statm', 'latin1').split(' ')[1])
  const size = process.memoryUsage.rss() / pages
  return PAGE_SIZES.reduce((best, next) => (Math.abs(next - size) < Math.abs(best - size) ? next : best))
}
