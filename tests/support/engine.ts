// Runs programs in the TypeScript engine in this process: real isolates, no host around them. Waits are skipped: the engine trusts a
// wake, so a timer fires when everything else is done.
import type { Engine } from '../../runtimes/child/engine.ts'
import { createEngine } from '../../runtimes/typescript/child/engine.ts'
import type { WireAnswer, WireCall, WireEnd, WireNamespace } from '../../runtimes/wire/messages.ts'

/** What a host function gets; it answers with a value, or throws. */
export type HostFunction = (argument: any) => unknown

export interface EngineRunOptions {
  /** Host functions of one namespace `tools` with the error class `ToolCallError`. */
  readonly tools?: Readonly<Record<string, HostFunction>>
  /** Namespaces by names only, instead of `tools`; each call answers with its own indexes. */
  readonly namespaces?: readonly WireNamespace[]
  readonly seed?: number
  readonly now?: number
  readonly entryTimeoutMs?: number
  readonly memoryMb?: number
  readonly file?: string
  /** Called with each `level: text` as it comes. */
  readonly onLog?: (line: string) => void
}

export interface EngineRun {
  readonly end: WireEnd | undefined
  /** Value of the program, parsed; `undefined` for every other end. */
  readonly value: any
  /** Lines as `level: text`. */
  readonly logs: readonly string[]
  readonly calls: readonly WireCall[]
  readonly turns: number
}

let shared: Engine | undefined

/** Runs JavaScript (the body of an async function) to its end, or to where it can never go on. */
export function runInEngine(source: string, options: EngineRunOptions = {}): EngineRun {
  shared ??= createEngine({ memoryMb: 64 })
  return drive(shared, source, options)
}

/** The same with an engine of the caller's. Throws what the engine throws. */
export function drive(engine: Engine, source: string, options: EngineRunOptions): EngineRun {
  const tools = Object.entries(options.tools ?? {})
  const namespaces = options.namespaces ?? [
    {
      global: 'tools',
      members: tools.map(([name]) => name),
      errorClass: { name: 'ToolCallError', memberNameProperty: 'toolName' },
    },
  ]
  const logs: string[] = []
  const calls: WireCall[] = []
  const entryTimeoutMs = options.entryTimeoutMs ?? 10_000
  const answer = ({ call, namespace, member, text }: WireCall): WireAnswer => {
    if (options.namespaces !== undefined) return { call, ok: true, text: JSON.stringify([namespace, member, text]) }
    try {
      return { call, ok: true, text: JSON.stringify(tools[member]?.[1](JSON.parse(text)) ?? null) }
    } catch (error) {
      return { call, ok: false, text: (error as Error).message }
    }
  }
  try {
    let turn = engine.start(
      {
        type: 'start',
        run: 1,
        source,
        file: options.file ?? 'program.ts',
        namespaces,
        memoryMb: options.memoryMb ?? 64,
        entryTimeoutMs,
        seed: options.seed ?? null,
        now: options.now ?? null,
      },
      (level, text) => {
        logs.push(`${level}: ${text}`)
        options.onLog?.(`${level}: ${text}`)
      },
    )
    let turns = 1
    for (;;) {
      calls.push(...turn.calls)
      const stuck = turn.calls.length === 0 && turn.wakeMs === null
      if (turn.end !== undefined || stuck) {
        const text = turn.end?.kind === 'value' ? turn.end.text : undefined
        return { end: turn.end, value: text === undefined ? undefined : JSON.parse(text), logs, calls, turns }
      }
      turn = engine.deliver({
        type: 'deliver',
        run: 1,
        answers: turn.calls.map(answer),
        wake: turn.calls.length === 0,
        entryTimeoutMs,
      })
      turns++
    }
  } finally {
    engine.end()
  }
}
