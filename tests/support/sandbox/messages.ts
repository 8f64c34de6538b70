// Arbitrary messages of the wire, for properties.
import fc from 'fast-check'
import type { HostMessage, SandboxMessage, WireEnd } from '../../../runtimes/wire/messages.ts'

/** Texts that UTF-8 carries as they are: no half surrogate pairs. JSON texts never hold one unescaped. */
const text = fc.string({ unit: 'binary', maxLength: 40 })
const natural = fc.nat({ max: 2 ** 31 })
const run = fc.integer({ min: 1, max: 2 ** 31 })
const positive = fc.integer({ min: 1, max: 2 ** 31 - 1 })
const optional = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null })

const end: fc.Arbitrary<WireEnd> = fc.oneof(
  fc.constant({ kind: 'value' } as const),
  fc.record({ kind: fc.constant('value' as const), text }),
  fc.record({ kind: fc.constant('exception' as const), name: text, message: text, stack: text }),
  fc.record({ kind: fc.constant('invalid-output' as const), message: text }),
)
const turnFields = {
  type: fc.constant('turn' as const),
  run,
  calls: fc.array(fc.record({ call: natural, namespace: natural, member: natural, text }), { maxLength: 5 }),
  wakeMs: optional(fc.double({ min: 0, max: 1e9, noNaN: true }).filter((value) => !Object.is(value, -0))),
  cpuUs: natural,
}

/** What a sandbox may say. */
export const sandboxMessages: fc.Arbitrary<SandboxMessage> = fc.oneof(
  fc.record({ type: fc.constant('ready' as const), version: natural }),
  fc.record({
    type: fc.constant('log' as const),
    run,
    level: fc.constantFrom('log' as const, 'info' as const, 'warn' as const, 'error' as const, 'debug' as const),
    text,
  }),
  fc.record(turnFields),
  fc.record({ ...turnFields, end }),
  fc.record({
    type: fc.constant('fatal' as const),
    run,
    reason: fc.constantFrom('memory' as const, 'entry-timeout' as const, 'engine' as const, 'output' as const),
    message: text,
  }),
)

const errorClass = fc.record({ name: text, memberNameProperty: text })
const namespace = fc.oneof(
  fc.record({ global: text, members: fc.array(text, { maxLength: 4 }) }),
  fc.record({ global: text, members: fc.array(text, { maxLength: 4 }), errorClass }),
)

/** What a host may say. */
export const hostMessages: fc.Arbitrary<HostMessage> = fc.oneof(
  fc.record({
    type: fc.constant('start' as const),
    run,
    source: text,
    file: text,
    namespaces: fc.array(namespace, { maxLength: 3 }),
    memoryMb: positive,
    entryTimeoutMs: positive,
    seed: optional(fc.integer()),
    now: optional(fc.integer()),
  }),
  fc.record({
    type: fc.constant('deliver' as const),
    run,
    answers: fc.array(fc.record({ call: natural, ok: fc.boolean(), text }), { maxLength: 5 }),
    wake: fc.boolean(),
    entryTimeoutMs: positive,
  }),
)
