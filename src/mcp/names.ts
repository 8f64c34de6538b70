// The names under which remote tools are registered: `<server>_<tool>`, unique, at most 64 characters (contract O4).
// A name is a function of the configuration and of the tool's own name alone: what else a server lists, in which order, or
// which server was quicker changes none. So a program, a policy or a prompt that was written with a name keeps working.
import { createHash } from 'node:crypto'

/** Longest name that the native tool interfaces of models take. */
export const MAX_TOOL_NAME_LENGTH = 64
const HASH_LENGTH = 8
/** Reserved by the registry in every mode; a server `run` with a tool `code` must not meet it. */
const RESERVED = new Set(['run_code'])

/**
 * The name that a server's tool gets.
 *
 * It is `<server>_<tool>` as they stand, where that is unambiguous. Where it is not, the name ends in eight characters of a
 * hash over both originals: a character outside `[A-Za-z0-9_-]` was replaced, the name was cut, or another configured
 * server's name reads into it (`a` with a tool `b_c` beside a server `a_b`).
 * @param peers names of all configured servers, this one included or not.
 */
export function exposedName(server: string, tool: string, peers: readonly string[]): string {
  const plain = `${server}_${tool}`
  const base = portable(plain)
  const isAmbiguous = peers.some(
    (peer) => peer.length > server.length && peer.startsWith(`${server}_`) && base.startsWith(`${portable(peer)}_`),
  )
  if (base === plain && base.length <= MAX_TOOL_NAME_LENGTH && !isAmbiguous && !RESERVED.has(base)) return base
  const hash = createHash('sha256')
    .update(JSON.stringify([server, tool]))
    .digest('hex')
    .slice(0, HASH_LENGTH)
  return `${base.slice(0, MAX_TOOL_NAME_LENGTH - HASH_LENGTH - 1)}_${hash}`
}

function portable(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/gu, '_')
}
