// The run loop over a scripted engine: what becomes of each thing an engine can do.
import { describe, expect, it } from 'vitest'
import type { Engine, EngineTurn, LogSink } from '../../../../runtimes/child/engine.ts'
import { EngineFatalError } from '../../../../runtimes/child/engine.ts'
import { RunLoop } from '../../../../runtimes/child/run-loop.ts'
import { MAX_CALLS_PER_TURN } from '../../../../runtimes/wire/caps.ts'
import { FrameTooLargeError } from '../../../../runtimes/wire/frames.ts'
import type { DeliverMessage, HostMessage, SandboxMessage, StartMessage } from '../../../../runtimes/wire/messages.ts'

const start = (run: number): StartMessage => ({
  type: 'start',
  run,
  source: '',
  file: 'a.js',
  namespaces: [],
  memoryMb: 8,
  entryTimeoutMs: 1,
  seed: null,
  now: null,
})
const deliver = (run: number): DeliverMessage => ({ type: 'deliver', run, answers: [], wake: true, entryTimeoutMs: 1 })
const resting: EngineTurn = { calls: [{ call: 1, namespace: 0, member: 0, text: '{}' }], wakeMs: 5, cpuUs: 7 }
const ended: EngineTurn = { calls: [], wakeMs: null, cpuUs: 9, end: { kind: 'value', text: '1' } }

type Step = EngineTurn | Error | ((log: LogSink) => EngineTurn)

/** A loop over an engine that takes one step an entry; `did` has what was said and done, in order. */
function scripted(...steps: Step[]): { loop: RunLoop; did: unknown[]; refuse: (type: string) => void } {
  const did: unknown[] = []
  let refused: string | undefined
  const enter = (log: LogSink): EngineTurn => {
    const step = steps.shift()!
    if (step instanceof Error) throw step
    return typeof step === 'function' ? step(log) : step
  }
  let sink: LogSink = () => {}
  const engine: Engine = {
    prepare: () => void did.push('prepare'),
    start: (_, log) => {
      sink = log
      return enter(log)
    },
    deliver: () => enter(sink),
    end: () => void did.push('end'),
    dispose: () => void did.push('dispose'),
  }
  const loop = new RunLoop(engine, (message: SandboxMessage) => {
    if (message.type === refused) throw new FrameTooLargeError(999)
    did.push(message)
  })
  return { loop, did, refuse: (type) => (refused = type) }
}

describe('a program', () => {
  it('goes from start over turns to its end, and leaves a standby isolate when the host has its turn', () => {
    const { loop, did } = scripted(resting, ended)
    expect(loop.handle(start(3))).toBe('resting')
    expect(loop.handle(deliver(3))).toBe('ended')
    expect(did).toEqual([
      { type: 'turn', run: 3, ...resting },
      { type: 'turn', run: 3, ...ended },
    ])
    loop.settle()
    expect(did.slice(2)).toEqual(['end', 'prepare'])
  })

  it('has its log lines written through, before the turn in which it said them', () => {
    const { loop, did } = scripted((log) => {
      log('warn', 'first')
      return ended
    })
    loop.handle(start(1))
    expect(did).toEqual([
      { type: 'log', run: 1, level: 'warn', text: 'first' },
      expect.objectContaining({ type: 'turn' }),
    ])
  })
})

describe('a sandbox that is of no more use says why, once', () => {
  const cases: [string, Step, object][] = [
    ['a fatal error of the engine', new EngineFatalError('memory', 'full'), { reason: 'memory', message: 'full' }],
    [
      'one of a copy of its class',
      Object.assign(new Error('late'), { name: 'EngineFatalError', reason: 'entry-timeout' }),
      { reason: 'entry-timeout', message: 'late' },
    ],
    [
      'a reason that is none',
      Object.assign(new Error('x'), { name: 'EngineFatalError', reason: 'abort' }),
      { reason: 'engine', message: 'EngineFatalError: x' },
    ],
    ['any other throw', new TypeError('bug'), { reason: 'engine', message: 'TypeError: bug' }],
    [
      'a flood of calls',
      { ...resting, calls: Array.from({ length: MAX_CALLS_PER_TURN + 1 }, () => resting.calls[0]!) },
      { reason: 'output', message: expect.stringContaining(String(MAX_CALLS_PER_TURN)) },
    ],
  ]
  it.each(cases)('%s', (_, step, fatal) => {
    const { loop, did } = scripted(step)
    expect(loop.handle(start(2))).toBe('fatal')
    expect(did).toEqual([{ type: 'fatal', run: 2, ...fatal }])
  })

  it.each(['turn', 'log'])('a %s that does not fit into a frame', (type) => {
    const { loop, did, refuse } = scripted((log) => {
      log('log', 'too long')
      return ended
    })
    refuse(type)
    expect(loop.handle(start(2))).toBe('fatal')
    expect(did.at(-1)).toMatchObject({ type: 'fatal', reason: 'output', message: expect.stringContaining('999') })
  })

  const orders: [string, HostMessage[]][] = [
    ['answers before any program', [deliver(1)]],
    ['answers for another run', [start(1), deliver(2)]],
    ['a start beside a live program', [start(1), start(2)]],
    ['answers after the end', [start(1), deliver(1), deliver(1)]],
  ]
  it.each(orders)('%s', (_, messages) => {
    const { loop, did } = scripted(resting, ended)
    const states = messages.map((message) => loop.handle(message))
    expect(states.at(-1)).toBe('fatal')
    expect(states.slice(0, -1)).not.toContain('fatal')
    expect(did.at(-1)).toMatchObject({ type: 'fatal', reason: 'engine' })
  })
})
