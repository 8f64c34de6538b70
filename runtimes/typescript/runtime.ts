// TypeScript programs as a Cordis plugin: checks what it is asked, compiles, and hands the program to a sandbox (contract J, L).
//
//   run(request) ─▶ checkBindings, limits ─▶ compile.ts (worker) ─▶ SandboxHost ─▶ outcome
//                          └ misuse: rejects         └ syntax error: an outcome, nothing has run
//
// Nothing here loads isolated-vm or the compiler: sandboxes and the worker do. No `#private` fields: the context's proxy breaks them.
import type { Context } from '@deepseek-ai/cordis'
import { z } from 'zod'
import { HarnessError } from '../../src/errors/harness-error.ts'
import { checkBindings } from '../../src/runtime/bindings.ts'
import { configuredLimits, limitsOfRun, runLimitsSchema } from '../../src/runtime/budgets.ts'
import type { CodeRunError, CodeRunRequest, CodeRunResult, RunLimits } from '../../src/runtime/code-runtime.ts'
import { CodeRuntime } from '../../src/runtime/service.ts'
import { aborted } from '../host/failures.ts'
import type { PreparedRun } from '../host/prepared-run.ts'
import { SandboxHost } from '../host/sandbox-host.ts'
import { siblingModule } from '../host/sibling.ts'
import { type Compilation, Compiler } from './compile.ts'
import { describeException, syntaxError } from './positions.ts'

const DEFAULT_FILE = 'program.ts'
const MAX_FILE_LENGTH = 256

const positive = z.int('must be a whole number').positive('must be positive')

/** Configuration of {@link TypeScriptRuntime}. Every key has a default. */
export const typeScriptRuntimeConfig = z
  .strictObject({
    /** Budgets of a run; see docs/limits.md. A request may only lower them. */
    limits: runLimitsSchema.default({}),
    /** `process`: each live program in a process of its own. `in-process`: on the host's thread, for trusted programs (contract L4). */
    isolation: z.enum(['process', 'in-process']).default('process'),
    /** Most sandboxes at a time. Default: twice the cores, at least 4. */
    maxProcesses: positive.optional(),
    /** Sandboxes that stand ready while others work. Default: 1. */
    spares: z.int('must be a whole number').nonnegative('must not be negative').optional(),
    /** Command to put sandbox processes behind, such as `['bwrap', …]`; it must pass file descriptor 3 on. */
    launcher: z.array(z.string().min(1)).min(1).optional(),
  })
  .default({ limits: {}, isolation: 'process' })

/** What `ctx.plugin(TypeScriptRuntime, config)` takes. */
export type TypeScriptRuntimeConfig = z.input<typeof typeScriptRuntimeConfig>

/** Runs TypeScript programs in V8 isolates. Mount it with `ctx.plugin(TypeScriptRuntime, config)`. */
export class TypeScriptRuntime extends CodeRuntime {
  static override readonly name = 'typescript'
  static readonly Config = typeScriptRuntimeConfig

  override readonly isolation: 'process' | 'in-process'
  /** Where programs run; for tests and diagnostics. */
  readonly host: SandboxHost
  private readonly limits: RunLimits
  private readonly compiler = new Compiler()
  private readonly closing = new AbortController()
  private readonly compiling = new Set<Promise<unknown>>()

  /** Throws `INVALID_CONFIG` for limits that R1 refuses. */
  constructor(ctx: Context, config?: TypeScriptRuntimeConfig) {
    super(ctx, 'typescript')
    const { limits, isolation, maxProcesses, spares, launcher } = typeScriptRuntimeConfig.parse(config)
    this.isolation = isolation
    this.limits = configuredLimits(limits)
    this.host = new SandboxHost({
      engine: siblingModule('./child/engine', import.meta.url),
      isolation,
      memoryMb: this.limits.memoryMb,
      ...(maxProcesses !== undefined && { maxProcesses }),
      ...(spares !== undefined && { spares }),
      ...(launcher !== undefined && { launcher }),
    })
  }

  /** Rejects for misuse only: bad bindings, limits, seed or name, another language, a disposed runtime (contract J2). */
  async run(request: CodeRunRequest): Promise<CodeRunResult> {
    const prepared = this.prepare(request)
    const { program, signal } = request
    // Starting a process takes as long as the first compilation: both at once.
    this.host.warm()
    const compilation = this.compile(program, signal)
    this.compiling.add(compilation)
    const compiled = await compilation.finally(() => this.compiling.delete(compilation))
    if (this.closing.signal.aborted) return neverRan(failureOf(CLOSING))
    if ('javascript' in compiled) return this.host.run({ ...prepared, source: compiled.javascript })
    if ('problem' in compiled) return neverRan(syntaxError(compiled.problem, program, prepared.file))
    return neverRan(failureOf(compiled))
  }

  async dispose(): Promise<void> {
    this.closing.abort()
    await Promise.all([this.compiler.dispose(), this.host.dispose(), Promise.allSettled(this.compiling)])
  }

  /** Everything of a request but the compiled program, checked and read once. */
  private prepare(request: CodeRunRequest): Omit<PreparedRun, 'source'> {
    if (this.closing.signal.aborted) {
      throw new HarnessError('RUNTIME_DISPOSED', 'This runtime was disposed; mount it again.')
    }
    this.assertLanguage(request)
    const { program, signal, onLog, seed, now } = request
    if (typeof program !== 'string') throw misuse('program must be a text')
    if (seed !== undefined && !Number.isSafeInteger(seed)) throw misuse('seed must be a whole number')
    if (now !== undefined && !Number.isFinite(new Date(now).getTime())) {
      throw misuse('now must be a time in milliseconds since the epoch')
    }
    const file = fileName(request.name)
    return {
      file,
      namespaces: checkBindings(request.bindings),
      limits: limitsOfRun(this.limits, request.limits),
      describeException: (exception) => describeException(exception, program, file),
      ...(signal && { signal }),
      ...(onLog && { onLog }),
      ...(seed !== undefined && { seed }),
      ...(now !== undefined && { now }),
    }
  }

  /** Compiles; an abort does not wait for it. */
  private compile(program: string, signal: AbortSignal | undefined): Promise<Compilation> {
    const compilation = this.compiler.compile(program)
    if (signal === undefined) return compilation
    return new Promise((resolve) => {
      const onAbort = (): void => resolve({ failure: 'aborted', message: 'The run was aborted by its caller.' })
      signal.addEventListener('abort', onAbort, { once: true })
      if (signal.aborted) onAbort()
      void compilation.then((compiled) => {
        signal.removeEventListener('abort', onAbort)
        resolve(compiled)
      })
    })
  }
}

const CLOSING = { failure: 'disposed', message: 'The run was aborted because its runtime is being disposed.' } as const

/** The name that traces show: one line, bounded. */
function fileName(name: string | undefined): string {
  const shown = (name ?? DEFAULT_FILE)
    .replace(/[^\x20-\x7e\u00a0-\uffff]/g, ' ')
    .trim()
    .slice(0, MAX_FILE_LENGTH)
  return shown === '' ? DEFAULT_FILE : shown
}

function failureOf({ failure, message }: Extract<Compilation, { failure: string }>): CodeRunError {
  switch (failure) {
    case 'timeout':
      return { kind: 'timeout', message }
    case 'crashed':
      return { kind: 'worker-exit', message }
    case 'aborted':
    case 'disposed':
      return aborted(message)
  }
}

function neverRan(error: CodeRunError): CodeRunResult {
  const usage = { wallMs: 0, cpuMs: 0, queuedMs: 0, calls: 0, peakMemoryBytes: null, bytesIn: 0, bytesOut: 0 }
  return { logs: [], error, usage }
}

function misuse(problem: string): HarnessError {
  return new HarnessError('INVALID_CONFIG', `This run is refused: ${problem}.`)
}
