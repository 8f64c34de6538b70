// Calls out of the isolate and the answers to them. The program holds a promise for each call; outside, a call is a number.
// A call leaves through one callback with primitive arguments, an answer comes as primitives and is never a rejection (contract
// K8): the error is made here, from plain text. Called by tools.ts (calls) and by the engine through the prelude (answers).

import type { MakeError } from './errors.ts'
import { mapDelete, mapGet, mapSet, NativeMap, NativePromise, ownPromise, parseJson } from './intrinsics.ts'
import { serialize } from './lossless.ts'

/** Takes a call out: its number, the indexes of namespace and member, and the JSON text of its argument. */
export type SendCall = (call: number, namespace: number, member: number, text: string) => void

/** An answer; without a prototype, so that resolving a promise with it looks up no `then` of the program's. */
interface Answer {
  readonly ok: boolean
  readonly text: string
}

/** What a member knows of itself. */
export interface Member {
  readonly namespace: number
  readonly member: number
  /** How it is called in messages: `tools.read_file`. */
  readonly label: string
  readonly name: string
  readonly makeError: MakeError
}

/** The open calls of one program. */
export class Bridge {
  readonly #send: SendCall
  readonly #open = new NativeMap<number, (answer: Answer) => void>()
  #lastCall = 0

  constructor(send: SendCall) {
    this.#send = send
  }

  /**
   * The function of one member: resolves with the value, or rejects with the error of its namespace. It is async itself, so that the
   * error is made while the program's own frames await it, and its stack names them.
   */
  member(of: Member): (...args: unknown[]) => Promise<unknown> {
    return async (...args) => {
      const answer = await this.#request(of, argumentText(of, args))
      if (answer.ok) return parseJson(answer.text)
      throw of.makeError(answer.text, of.name)
    }
  }

  /** Settles calls: for each its number, whether it succeeded, and the JSON text or the message. */
  deliver(answers: readonly unknown[]): void {
    for (let at = 0; at + 2 < answers.length; at += 3) {
      const call = answers[at] as number
      const settle = mapGet(this.#open, call)
      if (settle === undefined) continue
      mapDelete(this.#open, call)
      settle({ __proto__: null, ok: answers[at + 1], text: answers[at + 2] } as unknown as Answer)
    }
  }

  #request(of: Member, text: string): Promise<Answer> {
    const call = ++this.#lastCall
    const answered = new NativePromise<Answer>((resolve) => mapSet(this.#open, call, resolve))
    this.#send(call, of.namespace, of.member, text)
    return ownPromise(answered)
  }
}

/** The JSON text of the one argument. Throws the error of the namespace, and nothing is sent (contract H4). */
function argumentText(of: Member, args: readonly unknown[]): string {
  if (args.length === 0) return '{}'
  if (args.length > 1) {
    const message = `${of.label} takes one argument, got ${args.length}: pass one object, as in ${of.label}({ … })`
    throw of.makeError(message, of.name)
  }
  const { text, refusal } = serialize(args[0], 'args')
  if (refusal !== undefined) throw of.makeError(`${of.label}: ${refusal}`, of.name)
  return text
}
