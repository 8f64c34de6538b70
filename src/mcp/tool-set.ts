// The registered tools of one server, kept in step with what it lists: new ones are registered, changed ones replaced,
// missing ones taken away (contract O1). One bad tool is left out with a warning and takes nothing else with it (O4).
// Owned by plugin.ts; registration itself, with its checks, is the registry's.
import { describeThrown } from '../errors/describe-thrown.ts'
import { stringify } from '../json/stringify.ts'
import type { ToolDefinition } from '../tools/definition.ts'
import { exposedName } from './names.ts'
import { type RemoteCall, type RemoteTool, readRemoteTool, remoteToolDefinition } from './tool.ts'

/** What a set asks of the world. */
export interface ToolSetOptions {
  readonly server: string
  /** Names of all configured servers. */
  readonly peers: readonly string[]
  readonly call: RemoteCall
  /** Files a definition and gives its disposer; throws when it is refused. */
  register(definition: ToolDefinition): () => unknown
  warn(message: string): void
}

interface Entry {
  /** The listed tool as text: a tool that lists the same again is left as it is. */
  readonly fingerprint: string
  readonly dispose: () => unknown
}

/** The tools of one server. */
export class RemoteToolSet {
  readonly #options: ToolSetOptions
  readonly #entries = new Map<string, Entry>()
  #isClosed = false

  constructor(options: ToolSetOptions) {
    this.#options = options
  }

  /** How many are registered. */
  get size(): number {
    return this.#entries.size
  }

  /** Brings the registry in step with a listing. Never throws. */
  async sync(listed: readonly unknown[]): Promise<void> {
    const wanted = this.#read(listed)
    for (const [name, entry] of this.#entries) {
      if (wanted.get(name)?.fingerprint !== entry.fingerprint) await this.#remove(name, entry)
    }
    for (const [name, { tool, fingerprint }] of wanted) {
      if (!this.#isClosed && !this.#entries.has(name)) this.#add(name, tool, fingerprint)
    }
  }

  /** Takes all tools away, for good: a listing that is still under way adds none. Never throws. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const [name, entry] of this.#entries) await this.#remove(name, entry)
  }

  #read(listed: readonly unknown[]): Map<string, { tool: RemoteTool; fingerprint: string }> {
    const wanted = new Map<string, { tool: RemoteTool; fingerprint: string }>()
    listed.forEach((entry, index) => {
      try {
        const tool = readRemoteTool(entry)
        const name = exposedName(this.#options.server, tool.name, this.#options.peers)
        if (wanted.has(name)) throw new Error('another tool of this server has that name')
        wanted.set(name, { tool, fingerprint: stringify({ ...tool }) })
      } catch (error) {
        this.#leaveOut(labelOf(entry, index), error)
      }
    })
    return wanted
  }

  #add(name: string, tool: RemoteTool, fingerprint: string): void {
    try {
      this.#entries.set(name, { fingerprint, dispose: this.#register(name, tool) })
    } catch (error) {
      this.#leaveOut(tool.name, error)
    }
  }

  #register(name: string, tool: RemoteTool): () => unknown {
    const { server, call, register, warn } = this.#options
    const options = { name, server, call }
    try {
      return register(remoteToolDefinition(tool, options))
    } catch (error) {
      const { outputSchema, ...rest } = tool
      if (outputSchema === undefined) throw error
      // A tool is worth having without the promise about its values. If it was not that, it is refused again.
      const dispose = register(remoteToolDefinition(rest, options))
      const problem = describeThrown(error).message
      warn(`MCP server "${server}", tool "${tool.name}": its values are not checked. ${problem}`)
      return dispose
    }
  }

  async #remove(name: string, entry: Entry): Promise<void> {
    this.#entries.delete(name)
    try {
      await entry.dispose()
    } catch (error) {
      this.#options.warn(`Removing tool "${name}" failed: ${describeThrown(error).message}`)
    }
  }

  #leaveOut(label: string, error: unknown): void {
    this.#options.warn(
      `MCP server "${this.#options.server}": tool "${label}" is left out: ${describeThrown(error).message}`,
    )
  }
}

function labelOf(entry: unknown, index: number): string {
  const name: unknown = typeof entry === 'object' && entry !== null ? Reflect.get(entry, 'name') : undefined
  return typeof name === 'string' && name !== '' ? name.slice(0, 100) : `#${index + 1} of its list`
}
