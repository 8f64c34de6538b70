import { expect, it } from 'vitest'
import { formatTrace } from '../../../src/cli/trace.ts'

it('[P1] shows the ledger as a table with a summary', () => {
  const calls = [
    { callId: 'c:code:1', name: 'files_read', outcome: 'committed', ms: 3.0501 },
    { callId: 'c:code:2', name: 'memory_create_entities', outcome: 'failed', ms: 120 },
    { callId: 'c:code:3', name: 'files_read', outcome: 'not-started', ms: null },
  ]
  expect(formatTrace({ usage: null, calls })).toBe(
    [
      'sub-calls: 1 committed, 1 failed, 1 not-started',
      '#  tool                    outcome         ms',
      '1  files_read              committed      3.1',
      '2  memory_create_entities  failed       120.0',
      '3  files_read              not-started      -',
    ].join('\n'),
  )
})

it.each([[undefined], [{}], [{ calls: [] }], [{ calls: null }]])('[P1] says that %j has no sub-calls', (meta) => {
  expect(formatTrace(meta)).toBe('sub-calls: none')
})
