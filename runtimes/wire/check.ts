// Exact-shape checks of everything that arrives, in both directions, by the one module that both sides share.
// Threat (contract K3): a sandbox that was taken over writes whatever bytes it likes. Nothing of a head is used as it came:
// every field is checked for type and range, unknown keys are refused, and what goes on is a fresh object.
// Not decided here, because it takes the state of a run: run ids, numbering of calls, indexes. session.ts holds those.
// Attacked in tests/unit/runtimes/wire/check.test.ts and tests/security/forged-traffic.test.ts.
import { MAX_CALLS_PER_TURN } from './caps.ts'
import { type Frame, WireError } from './frames.ts'
import type {
  DeliverMessage,
  FatalMessage,
  HostMessage,
  LogMessage,
  SandboxMessage,
  StartMessage,
  TurnMessage,
  WireAnswer,
  WireCall,
  WireEnd,
  WireNamespace,
} from './messages.ts'

/** A head after its keys were checked: every key that is read below is an own one. */
type Fields = Readonly<Record<string, unknown>>

const LEVELS: ReadonlySet<unknown> = new Set<LogMessage['level']>(['log', 'info', 'warn', 'error', 'debug'])
const REASONS: ReadonlySet<unknown> = new Set<FatalMessage['reason']>(['memory', 'entry-timeout', 'engine', 'output'])

/** Rebuilds what a sandbox sent. Throws {@link WireError} for anything but one exact message. */
export function readSandboxMessage(frame: Frame): SandboxMessage {
  const message = sandboxMessage(frame)
  frame.finish()
  return message
}

/** Rebuilds what the host sent. Throws {@link WireError} for anything but one exact message. */
export function readHostMessage(frame: Frame): HostMessage {
  const message = hostMessage(frame)
  frame.finish()
  return message
}

function sandboxMessage(frame: Frame): SandboxMessage {
  switch (typeOf(frame.head)) {
    case 'turn':
      return turn(frame)
    case 'log': {
      const fields = exact(frame.head, ['type', 'run', 'level', 'text'])
      if (!LEVELS.has(fields['level'])) throw new WireError('a log line has an unknown level')
      const level = fields['level'] as LogMessage['level']
      return { type: 'log', run: natural(fields['run'], 'run'), level, text: frame.text(fields['text']) }
    }
    case 'fatal': {
      const fields = exact(frame.head, ['type', 'run', 'reason', 'message'])
      if (!REASONS.has(fields['reason'])) throw new WireError('a fatal message has an unknown reason')
      const reason = fields['reason'] as FatalMessage['reason']
      return { type: 'fatal', run: natural(fields['run'], 'run'), reason, message: frame.text(fields['message']) }
    }
    case 'ready': {
      const fields = exact(frame.head, ['type', 'version'])
      return { type: 'ready', version: natural(fields['version'], 'version') }
    }
    default:
      throw new WireError('a message has an unknown type')
  }
}

function turn(frame: Frame): TurnMessage {
  const fields = exact(frame.head, ['type', 'run', 'calls', 'wakeMs', 'cpuUs'], 'end')
  const run = natural(fields['run'], 'run')
  const calls = callsOf(fields['calls'], frame)
  const wakeMs = fields['wakeMs'] === null ? null : amount(fields['wakeMs'], 'wakeMs')
  const cpuUs = amount(fields['cpuUs'], 'cpuUs')
  if (!Object.hasOwn(fields, 'end')) return { type: 'turn', run, calls, wakeMs, cpuUs }
  return { type: 'turn', run, calls, wakeMs, cpuUs, end: endOf(fields['end'], frame) }
}

function callsOf(list: unknown, frame: Frame): WireCall[] {
  const numbers = array(list, 'calls')
  if (numbers.length % 4 !== 0) throw new WireError('calls is no list of fours')
  if (numbers.length / 4 > MAX_CALLS_PER_TURN) {
    throw new WireError(`a turn has ${numbers.length / 4} calls, more than ${MAX_CALLS_PER_TURN}`)
  }
  const calls: WireCall[] = []
  for (let i = 0; i < numbers.length; i += 4) {
    calls.push({
      call: natural(numbers[i], 'call'),
      namespace: natural(numbers[i + 1], 'namespace'),
      member: natural(numbers[i + 2], 'member'),
      text: frame.text(numbers[i + 3]),
    })
  }
  return calls
}

function endOf(value: unknown, frame: Frame): WireEnd {
  switch (keyOf(value, 'kind')) {
    case 'value': {
      const fields = exact(value, ['kind'], 'text')
      return Object.hasOwn(fields, 'text') ? { kind: 'value', text: frame.text(fields['text']) } : { kind: 'value' }
    }
    case 'exception': {
      const fields = exact(value, ['kind', 'name', 'message', 'stack'])
      const name = frame.text(fields['name'])
      const message = frame.text(fields['message'])
      return { kind: 'exception', name, message, stack: frame.text(fields['stack']) }
    }
    case 'invalid-output': {
      const fields = exact(value, ['kind', 'message'])
      return { kind: 'invalid-output', message: frame.text(fields['message']) }
    }
    default:
      throw new WireError('an end has an unknown kind')
  }
}

function hostMessage(frame: Frame): HostMessage {
  switch (typeOf(frame.head)) {
    case 'deliver':
      return deliver(frame)
    case 'start':
      return start(frame)
    default:
      throw new WireError('a message has an unknown type')
  }
}

function start(frame: Frame): StartMessage {
  const fields = exact(frame.head, [
    'type',
    'run',
    'source',
    'file',
    'namespaces',
    'memoryMb',
    'entryTimeoutMs',
    'seed',
    'now',
  ])
  return {
    type: 'start',
    run: natural(fields['run'], 'run'),
    source: frame.text(fields['source']),
    file: string(fields['file'], 'file'),
    namespaces: array(fields['namespaces'], 'namespaces').map(namespaceOf),
    memoryMb: positive(fields['memoryMb'], 'memoryMb'),
    entryTimeoutMs: positive(fields['entryTimeoutMs'], 'entryTimeoutMs'),
    seed: fields['seed'] === null ? null : finite(fields['seed'], 'seed'),
    now: fields['now'] === null ? null : finite(fields['now'], 'now'),
  }
}

function deliver(frame: Frame): DeliverMessage {
  const fields = exact(frame.head, ['type', 'run', 'answers', 'wake', 'entryTimeoutMs'])
  const numbers = array(fields['answers'], 'answers')
  if (numbers.length % 3 !== 0) throw new WireError('answers is no list of threes')
  const answers: WireAnswer[] = []
  for (let i = 0; i < numbers.length; i += 3) {
    const ok = numbers[i + 1]
    if (ok !== 0 && ok !== 1) throw new WireError('an answer is neither a value nor an error')
    answers.push({ call: natural(numbers[i], 'call'), ok: ok === 1, text: frame.text(numbers[i + 2]) })
  }
  if (typeof fields['wake'] !== 'boolean') throw new WireError('wake is no boolean')
  return {
    type: 'deliver',
    run: natural(fields['run'], 'run'),
    answers,
    wake: fields['wake'],
    entryTimeoutMs: positive(fields['entryTimeoutMs'], 'entryTimeoutMs'),
  }
}

function namespaceOf(value: unknown): WireNamespace {
  const fields = exact(value, ['global', 'members'], 'errorClass')
  const global = string(fields['global'], 'global')
  const members = array(fields['members'], 'members').map((member) => string(member, 'member'))
  if (!Object.hasOwn(fields, 'errorClass')) return { global, members }
  const errorClass = exact(fields['errorClass'], ['name', 'memberNameProperty'])
  const name = string(errorClass['name'], 'name')
  const memberNameProperty = string(errorClass['memberNameProperty'], 'memberNameProperty')
  return { global, members, errorClass: { name, memberNameProperty } }
}

function typeOf(head: unknown): unknown {
  return keyOf(head, 'type')
}

function keyOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return (value as Fields)[key]
}

/** Refuses any own key but `keys` and, where given, one optional one; and any of `keys` that is missing. */
function exact(value: unknown, keys: readonly string[], optional?: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new WireError('a field is no object')
  let missing = keys.length
  for (const key of Object.keys(value)) {
    if (keys.includes(key)) missing--
    else if (key !== optional) throw new WireError('a message has an unknown key')
  }
  if (missing > 0) throw new WireError('a message lacks a key')
  return value as Fields
}

function array(value: unknown, name: string): unknown[] {
  if (!Array.isArray(value)) throw new WireError(`${name} is no list`)
  return value
}

function string(value: unknown, name: string): string {
  if (typeof value !== 'string') throw new WireError(`${name} is no string`)
  return value
}

function finite(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new WireError(`${name} is no finite number`)
  return value
}

function amount(value: unknown, name: string): number {
  if (finite(value, name) < 0) throw new WireError(`${name} is negative`)
  return value as number
}

function natural(value: unknown, name: string): number {
  if (!Number.isSafeInteger(value) || (value as number) < 0) throw new WireError(`${name} is no natural number`)
  return value as number
}

function positive(value: unknown, name: string): number {
  if (natural(value, name) === 0) throw new WireError(`${name} is not positive`)
  return value as number
}
