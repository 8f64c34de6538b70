import type { ContractSection } from './clause.ts'

export const R: ContractSection = {
  letter: 'R',
  title: 'Types and defaults',
  clauses: [
    {
      id: 'R1',
      text:
        'Limits: `computeMs` 10 000, `maxWallMs` 300 000 (at most 2^31−1), `memoryMb` 256 (Python 512), ' +
        '`maxOutputBytes` 8 MiB, `maxCalls` 1 000, `maxCallBytes` 64 MiB; units in the names; zero, negative, ' +
        'fractional and non-finite values are refused at load.',
      status: 'part',
      missing: 'the memory of Python',
    },
    {
      id: 'R2',
      text:
        "`maxParallelSubCalls` 10; `sdk: { detail: 'auto', budgetTokens: 8000 }` and `maxResultTokens` 8 000, both " +
        'counted with o200k_base; pool: as many processes as twice the cores (at least 4), one spare.',
      status: 'planned',
    },
    {
      id: 'R3',
      text:
        'Content blocks: `text`, `image` (`data` base64, `mimeType`), `audio`, `resource`, as MCP has them. A context ' +
        "is `{ id, role: 'user', content, source? }`.",
      status: 'part',
      missing: 'a test of each block and context',
    },
    {
      id: 'R4',
      text:
        '`approval.request({ agent, toolName, callId, arguments, reason?, displayReason?, program?, signal })` gives ' +
        '`allowed-once`, `rejected`, `cancelled` or `unavailable`; policies `ask` and `never`; answerers are ' +
        '`approval/request` waterfall listeners.',
      status: 'part',
      missing: 'the service behind the seam: policies and answerers',
    },
    {
      id: 'R5',
      text:
        '`session.append(type, data)` is awaited; a start event that fails refuses the call, a settle event that ' +
        'fails is logged.',
      status: 'planned',
    },
    {
      id: 'R6',
      text:
        'Dependencies: isolated-vm, typescript, ajv, zod; `@deepseek-ai/cordis` as a peer; pyodide an optional peer ' +
        'with a message that says how to install it (a dev dependency here); vitest an optional peer of the test-kit.',
      status: 'planned',
    },
    {
      id: 'R7',
      text:
        'Not in 1.0, and the docs say so: paused and resumed programs, state between runs, saved programs, several ' +
        'namespaces, OpenAPI.',
      status: 'planned',
    },
  ],
}
