// The quick way in (contract Q3): one call mounts registry, prompt, runtimes and MCP servers on a Cordis context of its
// own, and gives back the few functions that a host needs. Everything it does can be done by hand on `cell.ctx`.
import { Context } from '@deepseek-ai/cordis'
import { z } from 'zod'
import { fuseSignals, isAbortSignal } from '../async/signals.ts'
import '../codemode/events.ts'
import { HarnessError } from '../errors/harness-error.ts'
import { oldNodeProblem } from '../errors/node-version.ts'
import type { McpServersConfig } from '../mcp/index.ts'
import { toolTimeouts } from '../pipeline/timeouts.ts'
import { renderPrompt } from '../prompt/render.ts'
import { type PromptAssembly, SystemPrompt } from '../prompt/service.ts'
import { type RunLimitsInput, runLimitsSchema } from '../runtime/budgets.ts'
import type { LogLevel } from '../runtime/code-runtime.ts'
import { CodeRuntimes } from '../runtime/service.ts'
import { type Agent, type AgentOptions, createAgent } from '../scope/agent.ts'
import { ToolRuntime } from '../tool-runtime/service.ts'
import type { ToolDefinition, ToolSchema } from '../tools/definition.ts'
import { PRESENTATION_MODES, type PresentationMode, RUN_CODE_NAME } from '../tools/names.ts'
import type { ToolExecutionResult } from '../tools/result.ts'
import { type Isolation, mountRuntime } from './runtimes.ts'

/** Options of {@link createCell}. */
export interface CellOptions {
  /** How tools are shown to agents. Default `code`. */
  readonly mode?: PresentationMode
  /** Languages of programs; where there are several, each run names its own. Default `['typescript']`. */
  readonly languages?: readonly string[]
  /** Tools for every agent of the cell. */
  readonly tools?: readonly ToolDefinition[]
  /** MCP servers in the shape that MCP hosts use: name to `{ command, args?, env?, cwd? }`. */
  readonly mcpServers?: McpServersConfig['mcpServers']
  /** Budgets of a run; see docs/limits.md for units and defaults. */
  readonly limits?: RunLimitsInput
  /** Where programs run. Default `process`; `in-process` promises less (docs/security.md). */
  readonly isolation?: Isolation
  /** Programs are not checked against the SDK before they run yet, so `off` is the only value. */
  readonly typecheck?: 'off'
  /** How many sub-calls of one program overlap. Default 10. */
  readonly maxParallelSubCalls?: number
}

/** A call of one tool, as a model makes it. */
export interface CellCall {
  readonly name: string
  readonly arguments: unknown
  readonly signal?: AbortSignal
  /** Default: the cell's own agent `main`. */
  readonly agent?: Agent
  /** Default: a fresh id. */
  readonly callId?: string
}

/** Options of one run. */
export interface CellRunOptions {
  readonly language?: string
  /** What the program does, for people who watch. Default `run`. */
  readonly description?: string
  readonly signal?: AbortSignal
  readonly agent?: Agent
  /** Called for each log line as it arrives. */
  readonly onLog?: (line: string, level: LogLevel) => void
}

const optionsSchema = z.strictObject({
  mode: z.enum(PRESENTATION_MODES).default('code'),
  languages: z
    .array(z.string().min(1))
    .min(1, 'must name at least one language')
    .refine((languages) => new Set(languages).size === languages.length, 'must name each language once')
    .default(['typescript']),
  tools: z
    .array(
      z.custom<ToolDefinition>((value) => typeof value === 'object' && value !== null, 'must be a tool definition'),
    )
    .default([]),
  mcpServers: z.record(z.string(), z.unknown()).optional(),
  limits: runLimitsSchema.optional(),
  isolation: z.enum(['process', 'in-process']).optional(),
  maxParallelSubCalls: z.int().positive().optional(),
  typecheck: z.literal('off', 'only "off" is there yet: programs are not checked before they run').optional(),
})

/** A mounted runcell. Close it when done: `await using cell = await createCell(…)` does. */
export class Cell implements AsyncDisposable {
  /** The cell's own context: register plugins, listeners and tools on it. */
  readonly ctx: Context
  private readonly main: Agent
  private readonly logSinks = new Map<string, (line: string, level: LogLevel) => void>()
  private readonly ending = new AbortController()
  private lastCall = 0
  private closing: Promise<void> | undefined

  /** Use {@link createCell}. */
  constructor(ctx: Context) {
    this.ctx = ctx
    this.main = createAgent(ctx, { id: 'main' })
    ctx.on('tools/code-log', ({ callId, text, level }) => this.logSinks.get(callId)?.(text, level))
  }

  /** The registry and pipeline, `ctx.tools`. */
  get tools(): ToolRuntime {
    return this.ctx.tools
  }

  /** A further agent with its own scope. */
  agent(options: AgentOptions): Agent {
    this.assertOpen()
    return createAgent(this.ctx, options)
  }

  /** The system prompt of an agent, as text. */
  async prompt(agent: Agent = this.main): Promise<string> {
    return renderPrompt(await this.assemble(agent))
  }

  /** The tools that an agent's model is offered: in mode `code` that is `run_code` alone. */
  async toolSchemas(agent: Agent = this.main): Promise<readonly ToolSchema[]> {
    return (await this.assemble(agent)).tools
  }

  /** Executes a call as a model makes it; obeys the presentation mode (contract F3). Never rejects but after `close()`. */
  async call(call: CellCall): Promise<ToolExecutionResult> {
    this.assertOpen()
    // A signal of its own for each call: what a body leaves listening must not gather on the cell's.
    const { signal = new AbortController().signal } = call
    const fused = isAbortSignal(signal) ? fuseSignals([signal, this.ending.signal]) : undefined
    try {
      return await this.ctx.tools.execute({
        callId: call.callId ?? this.freshId('call'),
        name: call.name,
        arguments: call.arguments,
        signal: fused?.signal ?? signal,
        agent: call.agent ?? this.main,
      })
    } finally {
      fused?.dispose()
    }
  }

  /** Runs a program: `run_code` through the pipeline. The success value is `{ logs, result? }`. Never rejects but after `close()`. */
  async run(code: string, options: CellRunOptions = {}): Promise<ToolExecutionResult> {
    const { language, description = 'run', onLog, signal, agent } = options
    const callId = this.freshId('run')
    if (onLog !== undefined) this.logSinks.set(callId, onLog)
    try {
      return await this.call({
        callId,
        name: RUN_CODE_NAME,
        arguments: { code, description, ...(language !== undefined && { language }) },
        ...(signal && { signal }),
        ...(agent && { agent }),
      })
    } finally {
      this.logSinks.delete(callId)
    }
  }

  /**
   * Aborts the calls and programs that run, stops servers and sandboxes, and waits for the latter. Idempotent. It does not
   * wait for the bodies of tools, one of which may be what closes the cell: the promises of their calls do.
   */
  close(): Promise<void> {
    if (this.closing === undefined) {
      this.ending.abort(new HarnessError('RUNTIME_DISPOSED', 'The cell was closed.'))
      this.closing = this.ctx.fiber.dispose()
    }
    return this.closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  private async assemble(agent: Agent): Promise<PromptAssembly> {
    this.assertOpen()
    return this.ctx.systemPrompt.assemble({ scope: agent })
  }

  private freshId(kind: string): string {
    this.lastCall += 1
    return `${kind}-${this.lastCall}`
  }

  private assertOpen(): void {
    if (this.closing !== undefined)
      throw new HarnessError('RUNTIME_DISPOSED', 'This cell is closed; create another one.')
  }
}

/** Mounts everything and gives a {@link Cell}. Rejects with `INVALID_CONFIG` or a server's error, leaving nothing behind. */
export async function createCell(options: CellOptions = {}): Promise<Cell> {
  const problem = oldNodeProblem()
  if (problem !== undefined) throw new HarnessError('INVALID_CONFIG', problem)
  const parsed = optionsSchema.safeParse(options)
  if (!parsed.success) {
    const lines = parsed.error.issues.map((issue) => `- ${issue.path.join('.') || 'options'}: ${issue.message}`)
    throw new HarnessError('INVALID_CONFIG', `createCell refuses these options:\n${lines.join('\n')}`)
  }
  const { mode, languages, isolation, maxParallelSubCalls } = parsed.data
  const ctx = new Context()
  try {
    await ctx.plugin(SystemPrompt, {})
    await ctx.plugin(CodeRuntimes)
    await ctx.plugin(ToolRuntime, {
      mode,
      languages,
      ...(maxParallelSubCalls !== undefined && { maxParallelSubCalls }),
    })
    await ctx.plugin(toolTimeouts)
    for (const language of languages) {
      await mountRuntime(ctx, language, {
        ...(options.limits && { limits: options.limits }),
        ...(isolation && { isolation }),
      })
    }
    const cell = new Cell(ctx)
    for (const tool of options.tools ?? []) ctx.tools.register(tool)
    if (options.mcpServers !== undefined) {
      // Loaded when it is needed: most of the time that importing runcell takes would be the MCP SDK's.
      const { mcpServers } = await import('../mcp/index.ts')
      await ctx.plugin(mcpServers, { mcpServers: options.mcpServers })
    }
    return cell
  } catch (error) {
    await ctx.fiber.dispose()
    throw error
  }
}
