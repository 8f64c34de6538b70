// What a server writes, made into messages that the SDK's client understands. A message that the client does not recognize is
// dropped by it, and the request that it should have answered would wait for ever; so an answer is mended, or becomes an error.
// Used by stdio-transport.ts.
import { ErrorCode, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

/** The messages of one line. Throws a SyntaxError for what is no JSON. */
export function readMessages(line: string): JSONRPCMessage[] {
  const parsed: unknown = JSON.parse(line)
  return (Array.isArray(parsed) ? parsed : [parsed]).map(mend) as JSONRPCMessage[]
}

function mend(message: unknown): unknown {
  if (!isRecord(message) || message['id'] === undefined || message['method'] !== undefined) return message
  const { id, result, error } = message
  if (error !== undefined && error !== null) return { jsonrpc: '2.0', id, error: mendError(error) }
  if (!isRecord(result)) {
    return { jsonrpc: '2.0', id, error: { code: ErrorCode.InternalError, message: 'its answer has no result object' } }
  }
  // We read nothing in it, and a malformed one would cost the whole answer.
  const { _meta, ...rest } = result
  return { jsonrpc: '2.0', id, result: rest }
}

function mendError(error: unknown): { code: number; message: string } {
  const { code, message } = isRecord(error) ? error : { code: undefined, message: error }
  return {
    code: Number.isSafeInteger(code) ? (code as number) : ErrorCode.InternalError,
    message: typeof message === 'string' && message !== '' ? message : 'an error without a message',
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
