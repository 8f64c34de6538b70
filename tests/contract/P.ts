import type { ContractSection } from './clause.ts'

export const P: ContractSection = {
  letter: 'P',
  title: 'Command line',
  clauses: [
    {
      id: 'P1',
      text:
        '`runcell run <file.ts|file.py|->`, `sdk`, `tools`, `mcp`, `bench`, `doctor`; `--config`/`--mcp`; logs stream ' +
        'to stderr, the result goes to stdout (`--json` for machines), a trace of the sub-calls with `--trace`; exit ' +
        'codes tell a failed program from bad usage. Every error says what to do.',
      status: 'part',
      missing: 'every command but `run`',
    },
  ],
}
