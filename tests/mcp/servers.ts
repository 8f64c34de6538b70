// How the tests of this folder describe servers: the scripted one, and the published ones that are dev dependencies.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { McpServerInput } from '../../src/mcp/config.ts'
import type { ServerScript } from './scripted-server.ts'

const scripted = fileURLToPath(new URL('./scripted-server.ts', import.meta.url))

/** The scripted server with this script. */
export function scriptedServer(script: ServerScript = {}): McpServerInput {
  return { command: process.execPath, args: [scripted, JSON.stringify(script)] }
}

/** A published server, started from node_modules without a network. */
export function publishedServer(name: 'filesystem' | 'memory', args: readonly string[] = []): McpServerInput {
  const require = createRequire(import.meta.url)
  const manifest = require.resolve(`@modelcontextprotocol/server-${name}/package.json`)
  return { command: process.execPath, args: [join(dirname(manifest), 'dist/index.js'), ...args] }
}

/** A tool as a server lists it. */
export function listed(name: string, more: object = {}): object {
  return { name, description: `The tool ${name}.`, inputSchema: { type: 'object' }, ...more }
}

/** Whether a process runs. One that is dead and not yet reaped by its parent does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch (error) {
    // Gone in between, or a system without /proc.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT' || process.platform !== 'linux'
  }
}
