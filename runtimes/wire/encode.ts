// Messages to frames, for both directions. What check.ts reads is written here: texts become bodies, and calls and
// answers flat lists of numbers, which keeps the head small and its check cheap.
import { encodeFrame } from './frames.ts'
import type { HostMessage, SandboxMessage, WireAnswer, WireCall, WireEnd } from './messages.ts'

/** Encodes a message as one frame. Throws `FrameTooLargeError`, and then nothing was written. */
export function encodeMessage(message: HostMessage | SandboxMessage): Buffer {
  const bodies = new Bodies()
  const head = headOf(message, bodies)
  return encodeFrame(head, bodies.texts, bodies.byteLengths)
}

/** Collects texts and answers with their length in bytes, which takes their place in the head. */
class Bodies {
  readonly texts: string[] = []
  readonly byteLengths: number[] = []

  add(text: string): number {
    const length = Buffer.byteLength(text)
    this.texts.push(text)
    this.byteLengths.push(length)
    return length
  }
}

function headOf(message: HostMessage | SandboxMessage, bodies: Bodies): object {
  switch (message.type) {
    case 'turn': {
      const { type, run, wakeMs, cpuUs, end } = message
      const calls = callList(message.calls, bodies)
      return end === undefined
        ? { type, run, calls, wakeMs, cpuUs }
        : { type, run, calls, wakeMs, cpuUs, end: endOf(end, bodies) }
    }
    case 'deliver': {
      const { type, run, wake, entryTimeoutMs } = message
      return { type, run, answers: answerList(message.answers, bodies), wake, entryTimeoutMs }
    }
    case 'log':
      return { type: message.type, run: message.run, level: message.level, text: bodies.add(message.text) }
    case 'start':
      return { ...message, source: bodies.add(message.source) }
    case 'fatal':
      return { type: message.type, run: message.run, reason: message.reason, message: bodies.add(message.message) }
    case 'ready':
      return message
  }
}

function callList(calls: readonly WireCall[], bodies: Bodies): number[] {
  const list: number[] = []
  for (const { call, namespace, member, text } of calls) list.push(call, namespace, member, bodies.add(text))
  return list
}

function answerList(answers: readonly WireAnswer[], bodies: Bodies): number[] {
  const list: number[] = []
  for (const { call, ok, text } of answers) list.push(call, ok ? 1 : 0, bodies.add(text))
  return list
}

function endOf(end: WireEnd, bodies: Bodies): object {
  switch (end.kind) {
    case 'value':
      return end.text === undefined ? { kind: end.kind } : { kind: end.kind, text: bodies.add(end.text) }
    case 'exception': {
      const { kind, name, message, stack } = end
      return { kind, name: bodies.add(name), message: bodies.add(message), stack: bodies.add(stack) }
    }
    case 'invalid-output':
      return { kind: end.kind, message: bodies.add(end.message) }
  }
}
