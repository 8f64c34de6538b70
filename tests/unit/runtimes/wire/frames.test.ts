import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_FRAME_BYTES, MAX_SANDBOX_HEAD_BYTES } from '../../../../runtimes/wire/caps.ts'
import { readHostMessage, readSandboxMessage } from '../../../../runtimes/wire/check.ts'
import { encodeMessage } from '../../../../runtimes/wire/encode.ts'
import { encodeFrame, FrameDecoder, FrameTooLargeError, WireError } from '../../../../runtimes/wire/frames.ts'
import type { DeliverMessage, TurnMessage } from '../../../../runtimes/wire/messages.ts'
import { hostMessages, sandboxMessages } from '../../../support/sandbox/messages.ts'

function raw(length: number, headLength: number, head: string, bodies = ''): Buffer {
  const rest = Buffer.from(head + bodies)
  const frame = Buffer.alloc(8 + rest.length)
  frame.writeUInt32LE(length, 0)
  frame.writeUInt32LE(headLength, 4)
  rest.copy(frame, 8)
  return frame
}

/** Cuts a stream at the given places, as sockets do. */
function chunks(stream: Buffer, cuts: number[]): Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % (stream.length + 1)).sort((a, b) => a - b), stream.length]
  return places.slice(1).map((end, index) => stream.subarray(places[index], end))
}

describe('a stream of frames', () => {
  it('[K3] carries every message unchanged, however it is cut into chunks', () => {
    fc.assert(
      fc.property(
        fc.array(sandboxMessages, { maxLength: 6 }),
        fc.array(fc.nat({ max: 2_000 }), { maxLength: 12 }),
        (messages, cuts) => {
          const decoder = new FrameDecoder()
          const seen: unknown[] = []
          for (const chunk of chunks(Buffer.concat(messages.map(encodeMessage)), cuts)) {
            decoder.push(chunk)
            for (let frame = decoder.next(); frame !== undefined; frame = decoder.next()) {
              seen.push(readSandboxMessage(frame))
            }
          }
          expect(seen).toEqual(messages)
          expect(decoder.pendingBytes).toBe(0)
        },
      ),
      { numRuns: 300, seed: 1 },
    )
  })

  it('carries what a host says', () => {
    fc.assert(
      fc.property(hostMessages, (message) => {
        const decoder = new FrameDecoder()
        decoder.push(encodeMessage(message))
        expect(readHostMessage(decoder.next()!)).toEqual(message)
        expect(decoder.next()).toBeUndefined()
      }),
      { numRuns: 300, seed: 2 },
    )
  })

  it('carries 10 MB each way, in chunks as small as a socket gives', () => {
    const text = JSON.stringify('äöü€😀 plain '.repeat(700_000))
    expect(Buffer.byteLength(text)).toBeGreaterThan(10_000_000)
    const turn: TurnMessage = { type: 'turn', run: 1, calls: [], wakeMs: null, cpuUs: 0, end: { kind: 'value', text } }
    const deliver: DeliverMessage = {
      type: 'deliver',
      run: 1,
      answers: [{ call: 1, ok: true, text }],
      wake: false,
      entryTimeoutMs: 1,
    }
    const decoder = new FrameDecoder()
    const stream = Buffer.concat([encodeMessage(turn), encodeMessage(deliver)])
    for (let at = 0; at < stream.length; at += 65_536) decoder.push(stream.subarray(at, at + 65_536))
    expect(readSandboxMessage(decoder.next()!)).toEqual(turn)
    expect(readHostMessage(decoder.next()!)).toEqual(deliver)
  })

  it('keeps counts right for half surrogate pairs, which arrive as U+FFFD', () => {
    const decoder = new FrameDecoder()
    decoder.push(encodeMessage({ type: 'log', run: 1, level: 'log', text: 'a\ud800b' }))
    decoder.push(encodeMessage({ type: 'log', run: 1, level: 'log', text: 'next' }))
    expect(readSandboxMessage(decoder.next()!)).toMatchObject({ text: 'a\ufffdb' })
    expect(readSandboxMessage(decoder.next()!)).toMatchObject({ text: 'next' })
  })

  it('does not keep a chunk that it has read to its end', () => {
    const decoder = new FrameDecoder()
    const chunk = encodeMessage({ type: 'log', run: 1, level: 'log', text: 'once' })
    decoder.push(chunk)
    const message = readSandboxMessage(decoder.next()!)
    expect(decoder.pendingBytes).toBe(0)
    chunk.fill(0)
    decoder.push(encodeMessage({ type: 'log', run: 2, level: 'log', text: 'twice' }))
    expect(message).toMatchObject({ text: 'once' })
    expect(readSandboxMessage(decoder.next()!)).toMatchObject({ text: 'twice' })
  })
})

describe('[K3] junk', () => {
  it.each([
    ['a frame above the cap', raw(MAX_FRAME_BYTES + 1, 2, '{}'), 'more than'],
    ['a head above its cap', raw(MAX_SANDBOX_HEAD_BYTES * 2, MAX_SANDBOX_HEAD_BYTES + 1, '{}'), 'head claims'],
    ['a head longer than its frame', raw(5, 2, '{}'), 'longer than its frame'],
    ['a frame without room for a head', raw(0, 0, ''), 'longer than its frame'],
    ['a head that is no JSON', raw(7, 3, '{"x'), 'no JSON'],
    ['an empty head', raw(4, 0, ''), 'no JSON'],
    ['text', Buffer.from('Segmentation fault (core dumped)'), 'a frame claims'],
  ])('%s is refused', (_, bytes, part) => {
    const decoder = new FrameDecoder(MAX_SANDBOX_HEAD_BYTES)
    decoder.push(bytes)
    const read = (): unknown => decoder.next()
    expect(read).toThrow(WireError)
    expect(read).toThrow(part)
  })

  it('is told by its first bytes: nothing of a frame above the cap is waited for', () => {
    const decoder = new FrameDecoder()
    decoder.push(raw(0xffffffff, 2, ''))
    expect(() => decoder.next()).toThrow(WireError)
  })

  it('of any kind gives a WireError, a frame, or a wait, and nothing else', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 5 }), (parts) => {
        const decoder = new FrameDecoder(MAX_SANDBOX_HEAD_BYTES)
        try {
          for (const part of parts) {
            decoder.push(Buffer.from(part))
            for (let frame = decoder.next(); frame !== undefined; frame = decoder.next()) readSandboxMessage(frame)
          }
        } catch (error) {
          expect(error).toBeInstanceOf(WireError)
        }
      }),
      { numRuns: 500, seed: 3 },
    )
  })

  it.each([
    ['more than there is', '{"type":"log","run":1,"level":"log","text":9}', 'a body has no valid length'],
    ['a negative length', '{"type":"log","run":1,"level":"log","text":-1}', 'a body has no valid length'],
    ['half a byte', '{"type":"log","run":1,"level":"log","text":0.5}', 'a body has no valid length'],
    ['a text in the head', '{"type":"log","run":1,"level":"log","text":"body"}', 'a body has no valid length'],
    ['less than there is', '{"type":"log","run":1,"level":"log","text":2}', 'more bytes than its head names'],
  ])('a head that names %s is refused', (_, head, part) => {
    const decoder = new FrameDecoder()
    decoder.push(raw(4 + head.length + 4, head.length, head, 'body'))
    const frame = decoder.next()!
    expect(() => readSandboxMessage(frame)).toThrow(part)
  })
})

it('a message that does not fit is refused before anything is written', () => {
  const half = 'x'.repeat(MAX_FRAME_BYTES / 2)
  const encode = (): Buffer => encodeFrame({ type: 'any' }, [half, half], [half.length, half.length])
  expect(encode).toThrow(FrameTooLargeError)
})
