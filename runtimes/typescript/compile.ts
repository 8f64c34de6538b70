// Programs to JavaScript, without the compiler in this thread: one worker, started when first needed, asked one program at a time,
// replaced when it dies or takes too long. Programs that were compiled are kept. Called by runtime.ts.
import { Worker } from 'node:worker_threads'
import { siblingModule } from '../host/sibling.ts'
import type { CompileAnswer, CompileQuestion } from './compile/messages.ts'
import type { SyntaxProblem } from './compile/syntax.ts'

/** Longest program that is compiled, in UTF-16 units. */
export const MAX_PROGRAM_LENGTH = 4 * 1024 * 1024

const DEFAULT_TIME_LIMIT_MS = 20_000
const MAX_KEPT_PROGRAMS = 256
/** Source and JavaScript of all kept programs together, in UTF-16 units. */
const MAX_KEPT_LENGTH = 16 * 1024 * 1024
/** A large program takes about 200. */
const DEFAULT_MAX_HEAP_MB = 768

/** What became of a program: its JavaScript, what is wrong with it, or why there is neither. */
export type Compilation =
  | { readonly javascript: string }
  | { readonly problem: SyntaxProblem }
  | { readonly failure: 'timeout' | 'crashed' | 'disposed' | 'aborted'; readonly message: string }

/** Options of a {@link Compiler}. */
export interface CompilerOptions {
  /** Longest time for one program, in milliseconds, the compiler's own start included. Default: 20 000. */
  readonly timeLimitMs?: number
  /** A program that makes the compiler hold more than this, in MiB, ends it. Default: 768. */
  readonly maxHeapMb?: number
  /** Module of the worker. Default: the one beside this file. */
  readonly worker?: URL
}

/** A program that is to be compiled. */
interface Job {
  readonly id: number
  readonly source: string
  readonly settle: (compilation: Compilation) => void
}

/** See the head of this file. */
export class Compiler {
  readonly #timeLimitMs: number
  readonly #maxHeapMb: number
  readonly #module: URL
  readonly #kept = new KeptPrograms()
  /** Compilations under way by source: the same program is compiled once. */
  readonly #underWay = new Map<string, Promise<Compilation>>()
  readonly #waiting: Job[] = []
  #current: Job | undefined
  #worker: Worker | undefined
  #timer: NodeJS.Timeout | undefined
  #lastId = 0
  #disposed = false

  constructor(options: CompilerOptions = {}) {
    this.#timeLimitMs = options.timeLimitMs ?? DEFAULT_TIME_LIMIT_MS
    this.#maxHeapMb = options.maxHeapMb ?? DEFAULT_MAX_HEAP_MB
    this.#module = options.worker ?? siblingModule('./compile/worker', import.meta.url)
  }

  /** Compiles a program, or finds it. Never rejects. */
  compile(source: string): Promise<Compilation> {
    if (this.#disposed) return Promise.resolve(DISPOSED)
    const kept = this.#kept.get(source)
    if (kept !== undefined) return Promise.resolve(kept)
    if (source.length > MAX_PROGRAM_LENGTH) return Promise.resolve(TOO_LONG)
    const known = this.#underWay.get(source)
    if (known !== undefined) return known
    const compilation = new Promise<Compilation>((settle) => {
      this.#waiting.push({ id: ++this.#lastId, source, settle })
    })
    this.#underWay.set(source, compilation)
    this.#next()
    return compilation
  }

  /** Ends the worker; what is under way ends as `disposed`. Idempotent. */
  async dispose(): Promise<void> {
    this.#disposed = true
    const worker = this.#worker
    this.#worker = undefined
    this.#finish(DISPOSED)
    await worker?.terminate()
  }

  #next(): void {
    if (this.#current !== undefined) return
    const job = this.#waiting.shift()
    if (job === undefined) return
    this.#current = job
    if (this.#disposed) {
      this.#finish(DISPOSED)
      return
    }
    this.#worker ??= this.#startWorker()
    const worker = this.#worker
    this.#timer = setTimeout(() => this.#giveUp(worker, 'timeout', this.#tooSlow()), this.#timeLimitMs)
    // An idle compiler must not keep a program of the host's alive; a busy one must.
    worker.ref()
    worker.postMessage({ id: job.id, source: job.source } satisfies CompileQuestion)
  }

  #finish(compilation: Compilation): void {
    clearTimeout(this.#timer)
    this.#worker?.unref()
    const job = this.#current
    this.#current = undefined
    if (job !== undefined) {
      this.#underWay.delete(job.source)
      if (!('failure' in compilation)) this.#kept.add(job.source, compilation)
      job.settle(compilation)
    }
    this.#next()
  }

  #startWorker(): Worker {
    const worker = new Worker(this.#module, {
      name: 'runcell-typescript',
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: this.#maxHeapMb },
    })
    worker.on('message', (answer: CompileAnswer) => {
      if (worker === this.#worker && answer.id === this.#current?.id) this.#finish(compilationOf(answer))
    })
    worker.on('error', (error) => this.#giveUp(worker, 'crashed', `The TypeScript compiler failed: ${error.message}`))
    worker.on('exit', (code) => this.#giveUp(worker, 'crashed', `The TypeScript compiler ended with code ${code}.`))
    return worker
  }

  /** The worker is of no more use; the next program starts another. */
  #giveUp(worker: Worker, failure: 'timeout' | 'crashed', message: string): void {
    if (worker !== this.#worker) return
    this.#worker = undefined
    void worker.terminate()
    this.#finish({ failure, message })
  }

  #tooSlow(): string {
    return `Compiling the program took longer than ${this.#timeLimitMs} ms; nothing of it has run. Split it up, or simplify its types.`
  }
}

const DISPOSED: Compilation = {
  failure: 'disposed',
  message: 'The run was aborted because its runtime is being disposed.',
}
const TOO_LONG: Compilation = {
  problem: {
    message: `The program is longer than ${MAX_PROGRAM_LENGTH} characters; pass data through host functions instead`,
    line: 1,
    column: 1,
  },
}

function compilationOf(answer: CompileAnswer): Compilation {
  return 'javascript' in answer ? { javascript: answer.javascript } : { problem: answer.problem }
}

/** The programs that were compiled last, up to a number and a length. */
class KeptPrograms {
  readonly #bySource = new Map<string, Compilation>()
  #length = 0

  get(source: string): Compilation | undefined {
    const compilation = this.#bySource.get(source)
    if (compilation === undefined) return undefined
    // The order of a Map is that of insertion: the first is the one that was used longest ago.
    this.#bySource.delete(source)
    this.#bySource.set(source, compilation)
    return compilation
  }

  add(source: string, compilation: Compilation): void {
    this.#bySource.set(source, compilation)
    this.#length += lengthOf(source, compilation)
    for (const [oldest, kept] of this.#bySource) {
      if (this.#bySource.size <= MAX_KEPT_PROGRAMS && this.#length <= MAX_KEPT_LENGTH) return
      this.#bySource.delete(oldest)
      this.#length -= lengthOf(oldest, kept)
    }
  }
}

function lengthOf(source: string, compilation: Compilation): number {
  return source.length + ('javascript' in compilation ? compilation.javascript.length : 0)
}
