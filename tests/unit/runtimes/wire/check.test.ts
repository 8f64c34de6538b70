import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_CALLS_PER_TURN } from '../../../../runtimes/wire/caps.ts'
import { readHostMessage, readSandboxMessage } from '../../../../runtimes/wire/check.ts'
import { Frame, WireError } from '../../../../runtimes/wire/frames.ts'

/** A frame around a head as an attacker would write it; `bodies` follow it. */
const frame = (head: unknown, bodies = ''): Frame => {
  const bytes = Buffer.from(bodies)
  return new Frame(JSON.parse(JSON.stringify(head)), bytes, 0, bytes.length)
}

const turn = { type: 'turn', run: 1, calls: [1, 0, 0, 2], wakeMs: null, cpuUs: 5 }
const log = { type: 'log', run: 1, level: 'log', text: 2 }
const fatal = { type: 'fatal', run: 1, reason: 'memory', message: 2 }
const deliver = { type: 'deliver', run: 1, answers: [1, 1, 2], wake: false, entryTimeoutMs: 10 }
const start = {
  type: 'start',
  run: 1,
  source: 2,
  file: 'a.js',
  namespaces: [{ global: 'tools', members: ['a'] }],
  memoryMb: 64,
  entryTimeoutMs: 10,
  seed: null,
  now: null,
}
const strangers = [undefined, null, true, 'x', -1, 1.5, 1e300, [], {}, [[]], { __proto__: 1 }]

describe('[K3] what a sandbox sends', () => {
  it('is rebuilt: what goes on shares nothing with the head', () => {
    const head = structuredClone(turn)
    const read = readSandboxMessage(frame(head, '{}'))
    expect(read).toEqual({ ...turn, calls: [{ call: 1, namespace: 0, member: 0, text: '{}' }] })
    expect(read).not.toBe(head)
  })

  it.each([
    ['an unknown type', { ...turn, type: 'start' }],
    ['a type from the prototype', { ...turn, type: 'constructor' }],
    ['no type', { run: 1 }],
    ['an unknown key', { ...turn, extra: 1 }],
    ['a key that shadows the prototype', JSON.parse(`{"__proto__":{"type":"turn"},"run":1}`)],
    ['an unknown level', { ...log, level: 'fatal' }],
    ['an unknown reason', { ...fatal, reason: 'abort' }],
    ['a version that is no number', { type: 'ready', version: '1' }],
    ['a ready with more to say', { type: 'ready', version: 1, run: 1 }],
    ['calls that are no fours', { ...turn, calls: [1, 0, 0] }],
    ['calls that are objects', { ...turn, calls: [{ call: 1, namespace: 0, member: 0, text: 2 }] }],
    ['an end of no kind', { ...turn, end: {} }],
    ['an end of unknown kind', { ...turn, end: { kind: 'timeout', message: 2 } }],
    ['an end with an unknown key', { ...turn, end: { kind: 'value', value: 1 } }],
    ['an end that is undefined by name', { ...turn, end: null }],
    ['a list', [turn]],
    ['null', null],
    ['a text', 'turn'],
  ])('with %s is refused', (_, head) => {
    expect(() => readSandboxMessage(frame(head, '{}'))).toThrow(WireError)
  })

  it.each([
    ['turn', turn],
    ['log', log],
    ['fatal', fatal],
    ['end', { ...turn, calls: [], end: { kind: 'exception', name: 0, message: 2, stack: 0 } }],
  ])('%s with any one field missing or strange is refused', (_, head) => {
    expect(readSandboxMessage(frame(head, '{}'))).toBeTruthy()
    for (const key of Object.keys(head)) {
      const { [key as 'run']: gone, ...rest } = head
      if (key !== 'end') expect(() => readSandboxMessage(frame(rest, '{}')), `${key} missing`).toThrow(WireError)
      for (const strange of strangers) {
        if (JSON.stringify(strange) === JSON.stringify(gone)) continue
        if ((key === 'calls' && Array.isArray(strange) && strange.length === 0) || strange === undefined) continue
        if (key === 'cpuUs' && (strange === 1.5 || strange === 1e300)) continue // CPU time is any amount.
        const forged = { ...head, [key]: strange }
        // A turn without calls leaves its body unread; that is refused too, by another rule.
        if (key === 'wakeMs' && typeof strange === 'number' && strange >= 0) continue
        expect(() => readSandboxMessage(frame(forged, '{}')), `${key}: ${JSON.stringify(strange)}`).toThrow(WireError)
      }
    }
  })

  it('with more calls than a turn may have is refused before they are rebuilt', () => {
    const calls = Array.from({ length: (MAX_CALLS_PER_TURN + 1) * 4 }, () => 0)
    expect(() => readSandboxMessage(frame({ ...turn, calls }))).toThrow('more than')
  })

  it('of any JSON gives a message or a WireError', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('turn', 'log', 'fatal', 'ready', 'x'), (value, type) => {
        const head = typeof value === 'object' && value !== null && !Array.isArray(value) ? { type, ...value } : value
        for (const read of [readSandboxMessage, readHostMessage]) {
          try {
            read(frame(head))
          } catch (error) {
            expect(error).toBeInstanceOf(WireError)
          }
        }
      }),
      { numRuns: 500, seed: 4 },
    )
  })
})

describe('what a host sends', () => {
  it.each([
    ['an unknown type', { ...deliver, type: 'turn' }],
    ['an unknown key', { ...deliver, more: 1 }],
    ['answers that are no threes', { ...deliver, answers: [1, 1] }],
    ['an answer that is neither', { ...deliver, answers: [1, 2, 2] }],
    ['a wake that is no boolean', { ...deliver, wake: 1 }],
    ['no time', { ...deliver, entryTimeoutMs: 0 }],
    ['no memory', { ...start, memoryMb: 0 }],
    ['a seed that is no number', { ...start, seed: 'x' }],
    ['a file that is no text', { ...start, file: 1 }],
    ['a namespace with an unknown key', { ...start, namespaces: [{ global: 'a', members: [], x: 1 }] }],
    ['a member that is no text', { ...start, namespaces: [{ global: 'a', members: [1] }] }],
    ['half an error class', { ...start, namespaces: [{ global: 'a', members: [], errorClass: { name: 'E' } }] }],
  ])('with %s is refused', (_, head) => {
    expect(() => readHostMessage(frame(head, '{}'))).toThrow(WireError)
  })

  it('passes otherwise', () => {
    expect(readHostMessage(frame(deliver, '{}'))).toMatchObject({ answers: [{ call: 1, ok: true, text: '{}' }] })
    expect(readHostMessage(frame(start, '{}'))).toMatchObject({ source: '{}', seed: null })
  })
})
