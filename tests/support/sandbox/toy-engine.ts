// A small real engine for tests of the host and the sandbox process: an isolate with a plain, unhardened prelude. Programs
// are JavaScript bodies with the namespaces of their start message, `log`, `sleep(ms)` and `orphan()`.
import ivm from 'isolated-vm'
import type { Engine, EngineOptions, EngineTurn, LogSink } from '../../../runtimes/child/engine.ts'
import {
  createIsolate,
  describeOrphan,
  disposeIsolate,
  enterIsolate,
  isolateCpuUs,
} from '../../../runtimes/child/isolate.ts'
import type { DeliverMessage, StartMessage, WireCall, WireEnd } from '../../../runtimes/wire/messages.ts'

const PRELUDE = `
  const pending = new Map(), timers = []
  let last = 0, time = 0
  const call = (n, m, argument = {}) => new Promise((resolve, reject) => {
    pending.set(++last, [resolve, reject])
    $0('call', last, n, m, JSON.stringify(argument))
  })
  const names = ['log', 'sleep'], values = [
    (text, level = 'log') => $0('log', 0, 0, 0, String(text), level),
    (ms) => new Promise((resolve) => timers.push({ at: Date.now() + ms, resolve })),
  ]
  const fail = (e) => $0('fail', 0, 0, 0, String(e?.message ?? e), String(e?.name ?? 'Error'), String(e?.stack ?? ''))
  return {
    start(namespaces, source) {
      JSON.parse(namespaces).forEach(({ global, members }, n) => {
        const object = {}
        members.forEach((member, m) => { object[member] = (argument) => call(n, m, argument) })
        names.push(global)
        values.push(object)
      })
      let body
      try { body = new (async () => {}).constructor(...names, source) } catch (e) { return fail(e) }
      body(...values).then((value) => $0('done', 0, 0, 0, value === undefined ? undefined : JSON.stringify(value)), fail)
    },
    deliver(batch, wake) {
      for (const [id, ok, text] of JSON.parse(batch)) {
        const [resolve, reject] = pending.get(id)
        pending.delete(id)
        if (ok) resolve(JSON.parse(text))
        else reject(new Error(text))
      }
      if (!wake) return
      for (const timer of timers.filter(({ at }) => at <= Date.now() + 1)) {
        timers.splice(timers.indexOf(timer), 1)
        timer.resolve()
      }
    },
    wakeMs: () => timers.length === 0 ? -1 : Math.max(0, Math.min(...timers.map(({ at }) => at)) - Date.now()),
  }
`

interface Room {
  readonly isolate: ivm.Isolate
  readonly start: ivm.Reference
  readonly deliver: ivm.Reference
  readonly wakeMs: ivm.Reference
  calls: WireCall[]
  end: WireEnd | undefined
  log: LogSink
  memoryMb: number
}

class ToyEngine implements Engine {
  readonly #memoryMb: number
  #standby: Room | undefined
  #live: Room | undefined

  constructor({ memoryMb }: EngineOptions) {
    this.#memoryMb = memoryMb
  }

  prepare(): void {
    this.#standby ??= makeRoom(this.#memoryMb)
  }

  start(message: StartMessage, log: LogSink): EngineTurn {
    const room = this.#standby?.memoryMb === message.memoryMb ? this.#standby : makeRoom(message.memoryMb)
    if (room === this.#standby) this.#standby = undefined
    this.#live = room
    room.log = log
    return this.#enter(room, message.entryTimeoutMs, () =>
      room.start.applySync(undefined, [JSON.stringify(message.namespaces), message.source], {
        timeout: message.entryTimeoutMs,
      }),
    )
  }

  deliver({ answers, wake, entryTimeoutMs }: DeliverMessage): EngineTurn {
    const room = this.#live!
    const batch = JSON.stringify(answers.map(({ call, ok, text }) => [call, ok, text]))
    return this.#enter(room, entryTimeoutMs, () =>
      room.deliver.applySync(undefined, [batch, wake], { timeout: entryTimeoutMs }),
    )
  }

  end(): void {
    if (this.#live !== undefined) disposeIsolate(this.#live.isolate)
    this.#live = undefined
  }

  dispose(): void {
    this.end()
    if (this.#standby !== undefined) disposeIsolate(this.#standby.isolate)
    this.#standby = undefined
  }

  #enter(room: Room, timeoutMs: number, entry: () => void): EngineTurn {
    const orphan = enterIsolate(room.isolate, timeoutMs, entry)
    if (orphan !== undefined) room.log('warn', `unhandled: ${describeOrphan(orphan)}`)
    const wakeMs = room.wakeMs.applySync(undefined, [], { timeout: timeoutMs }) as number
    const turn = { calls: room.calls, wakeMs: wakeMs < 0 ? null : wakeMs, cpuUs: isolateCpuUs(room.isolate) }
    room.calls = []
    return room.end === undefined ? turn : { ...turn, end: room.end }
  }
}

function makeRoom(memoryMb: number): Room {
  const isolate = createIsolate(memoryMb)
  const context = isolate.createContextSync()
  const room = { isolate, calls: [], end: undefined, log: () => {}, memoryMb } as unknown as Room
  const send = new ivm.Callback(
    (kind: string, call: number, namespace: number, member: number, text: string, name: string, stack: string) => {
      if (kind === 'log') room.log(name as 'log', text)
      else if (kind === 'call') room.calls.push({ call, namespace, member, text })
      else if (kind === 'fail') room.end = { kind: 'exception', name, message: text, stack }
      else room.end = text === undefined ? { kind: 'value' } : { kind: 'value', text }
    },
  )
  const api = context.evalClosureSync(PRELUDE, [send], { result: { reference: true } })
  const member = (name: string) => api.getSync(name, { reference: true })
  return Object.assign(room, { start: member('start'), deliver: member('deliver'), wakeMs: member('wakeMs') })
}

/** The export of an engine module. */
export const createEngine = (options: EngineOptions): Engine => new ToyEngine(options)
