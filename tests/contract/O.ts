import type { ContractSection } from './clause.ts'

export const O: ContractSection = {
  letter: 'O',
  title: 'MCP',
  clauses: [
    {
      id: 'O1',
      text:
        'A plugin connects to servers (stdio and streamable HTTP; the `mcpServers` shape that MCP hosts use), lists ' +
        'tools with paging, follows `list_changed`, registers each as `<server>_<tool>` with its schemas, forwards ' +
        'cancellation and progress, reconnects, and removes its tools when the server is gone; one fiber a server. ' +
        '`annotations.readOnlyHint: true` makes a tool `parallel`; the configuration can say otherwise.',
      status: 'part',
      missing: 'streamable HTTP, progress, reconnection, and a configured mode',
    },
    {
      id: 'O2',
      text:
        "A tool's value is its structured content; without one, a single text block is parsed when it is a JSON " +
        'object or array, else it is the string; other contents are the block list. An `isError` answer is a failed ' +
        'call. A declared output schema with content only: the value by this rule is tried against the schema, and a ' +
        'misfit fails that call with the content in the message. -0 becomes 0. Bytes are base64 in content blocks.',
      status: 'held',
    },
    {
      id: 'O3',
      text:
        '`runcell mcp` is itself an MCP server (stdio, streamable HTTP) whose `run_code` reaches every configured ' +
        'server; approvals go to the client by elicitation where it can, and are denied otherwise.',
      status: 'planned',
    },
    {
      id: 'O4',
      text:
        'Exposed names are unique, at most 64 characters, deterministic, and map back to the original, which errors ' +
        'and `runcell tools` show. One bad schema, one dead or lying server takes nothing else with it; `runcell ' +
        'doctor` says why a tool is missing.',
      status: 'part',
      missing: '`runcell tools` and `runcell doctor`',
    },
    {
      id: 'O5',
      text:
        'A tool without an output schema can be given one in the configuration (`outputSchemas`), and `runcell tools ' +
        '--learn` proposes one from answers it has seen. A parameter that looks like a secret is warned about once.',
      status: 'planned',
    },
  ],
}
