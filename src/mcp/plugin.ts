// The plugins of MCP: `mcpServers` mounts a configuration, one fiber a server; each fiber holds a connection and the
// registrations of that server's tools, and takes both with it when it is disposed.
//
//   mcpServers ──▶ mcpServer (files) ──▶ McpConnection ── tools/list ──▶ RemoteToolSet ──▶ ctx.tools.register
//             └──▶ mcpServer (memory) ──▶ …                └── list_changed: again
import type { Context } from '@deepseek-ai/cordis'
import { describeThrown } from '../errors/describe-thrown.ts'
import { HarnessError } from '../errors/harness-error.ts'
import { type McpServerConfig, type McpServersConfig, parseMcpConfig, type ResolvedMcpConfig } from './config.ts'
import { McpConnection } from './connection.ts'
import { packageVersion } from './package-version.ts'
import { RemoteToolSet } from './tool-set.ts'

interface ServerOptions {
  readonly name: string
  readonly server: McpServerConfig
  readonly peers: readonly string[]
}

/** One server. Not exported from `runcell/mcp`: names depend on all servers of a configuration, so they are mounted together. */
const mcpServer = {
  name: 'mcp-server',
  inject: ['tools'],
  async apply(ctx: Context, { name, server, peers }: ServerOptions): Promise<void> {
    const warn = (message: string): void => ctx.logger.warn('%s', message)
    const tools = new RemoteToolSet({
      server: name,
      peers,
      call: (tool, args, signal) => connection.callTool(tool, args, signal),
      register: (definition) => ctx.tools.register(definition),
      warn,
    })
    const refresh = inTurn(async () => {
      if (!connection.isReady) return
      try {
        const { tools: listed, warnings } = await connection.listTools()
        warnings.forEach(warn)
        await tools.sync(listed)
      } catch (error) {
        warn(`The changed tools of MCP server "${name}" are not known: ${describeThrown(error).message}`)
      }
    })
    let isListed = false
    let changedEarly = false
    const connection = new McpConnection(
      name,
      server,
      {
        onToolsChanged() {
          if (isListed) refresh()
          else changedEarly = true
        },
        onLost(error) {
          ctx.logger.error(error)
          void tools.close()
        },
      },
      packageVersion(),
    )
    ctx.effect(() => () => connection.close(), `mcp server "${name}"`)
    // Effects are disposed after the fiber has loaded, which a server that does not answer would hold up.
    ctx.on('internal/plugin', () => {
      if (isBeingDisposed(ctx)) void connection.close()
    })
    try {
      await connection.start()
      const { tools: listed, warnings } = await connection.listTools()
      warnings.forEach(warn)
      if (isBeingDisposed(ctx)) return
      await tools.sync(listed)
    } catch (error) {
      if (!isBeingDisposed(ctx)) throw error
    }
    isListed = true
    if (changedEarly) refresh()
  },
}

/** True once the context's fiber, or one that it stands in, is told to go: Cordis takes its id away first. */
function isBeingDisposed(ctx: Context): boolean {
  for (let { fiber } = ctx; fiber.runtime !== null; fiber = fiber.parent.fiber) if (fiber.uid === null) return true
  return false
}

/**
 * The plugin that connects to MCP servers and registers their tools as `<server>_<tool>`. Its configuration is the shape that
 * MCP hosts share: `{ mcpServers: { <name>: { command, args?, env?, cwd? } } }`. Mounting it waits for every server.
 * Throws `MCP_CONFIG` for a bad configuration and, unless `onStartFailure` is `warn`, `MCP_SERVER` when one does not start.
 */
export const mcpServers = {
  name: 'mcp-servers',
  inject: ['tools'],
  Config: {
    '~standard': {
      version: 1 as const,
      vendor: 'runcell',
      validate: (value: unknown) => ({ value: parseMcpConfig(value, 'the mcpServers configuration') }),
      types: undefined as unknown as { readonly input: McpServersConfig; readonly output: ResolvedMcpConfig },
    },
  },
  async apply(ctx: Context, config: McpServersConfig): Promise<void> {
    // Checked by `Config` already; this fills the defaults in for the types.
    const { mcpServers: servers, onStartFailure } = parseMcpConfig(config)
    const enabled = Object.entries(servers).filter(([, server]) => !server.disabled)
    const peers = Object.keys(servers)
    const outcomes = await Promise.allSettled(
      enabled.map(([name, server]) => ctx.plugin(mcpServer, { name, server, peers })),
    )
    const failures = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []))
    if (failures.length === 0 || onStartFailure === 'warn') return
    if (failures.length === 1) throw failures[0]
    const messages = failures.map((failure) => describeThrown(failure).message)
    throw new HarnessError('MCP_SERVER', messages.join('\n\n'), { cause: new AggregateError(failures) })
  },
}

/** Runs one after the other; calls that come while one is waiting are one more run together. */
function inTurn(run: () => Promise<void>): () => void {
  let isRunning = false
  let isWanted = false
  return () => {
    isWanted = true
    if (isRunning) return
    isRunning = true
    void (async () => {
      while (isWanted) {
        isWanted = false
        await run()
      }
      isRunning = false
    })()
  }
}
