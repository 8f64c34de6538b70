// Public names of `runcell/mcp`.
export { loadMcpConfig, type McpServerInput, type McpServersConfig, parseMcpConfig } from './config.ts'
export { mcpServers } from './plugin.ts'
