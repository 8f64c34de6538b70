// One call of a host function: its argument parsed and checked, its result snapshotted and written as text, and whatever it
// throws turned into a sentence. The envelope never rejects (contract K8).
import { describeThrown } from '../../src/errors/describe-thrown.ts'
import { isSnapshot, snapshot } from '../../src/json/snapshot.ts'
import { parseJson, stringify } from '../../src/json/stringify.ts'
import type { CheckedMember } from '../../src/runtime/bindings.ts'
import type { WireAnswer, WireCall } from '../wire/messages.ts'

/** An answer with the size of its text in bytes, which is asked for more than once and costs a pass over the text. */
export interface SizedAnswer {
  readonly answer: WireAnswer
  readonly bytes: number
}

/** The answer of a call that fails with a sentence. */
export function refusedCall(call: number, text: string): SizedAnswer {
  return { answer: { call, ok: false, text }, bytes: Buffer.byteLength(text) }
}

/**
 * Calls `member` with the argument of a call. `refuseResult` is asked with the bytes of the result, and answers with a
 * sentence when it must not go back. Never rejects.
 */
export async function callBinding(
  { call, text }: WireCall,
  member: CheckedMember,
  refuseResult: (bytes: number) => string | undefined,
): Promise<SizedAnswer> {
  try {
    const result: unknown = await member.fn(parseJson(text, 'args'))
    const resultText = stringify(isSnapshot(result) ? result : snapshot(result, 'result'))
    const bytes = Buffer.byteLength(resultText)
    const refusal = refuseResult(bytes)
    return refusal === undefined ? { answer: { call, ok: true, text: resultText }, bytes } : refusedCall(call, refusal)
  } catch (thrown) {
    return refusedCall(call, describeThrown(thrown).message)
  }
}
