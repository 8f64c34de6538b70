import type { ContractSection } from './clause.ts'

export const F: ContractSection = {
  letter: 'F',
  title: 'Presentation and prompt (`SystemPrompt`, service key `systemPrompt`)',
  clauses: [
    {
      id: 'F1',
      text:
        '`systemPrompt.section({ name, order, text })`, `.tools(provider)`, `.variable(name, provider)`, `.assemble({ ' +
        'scope?, signal? })`, the `system-prompt/assemble` waterfall (its answer is authoritative), ' +
        '`system-prompt/change`, `renderPrompt(assembly)`; `{{variable}}` references are strict. `toolOrder` must ' +
        'contain `<unlisted-tools>` once; an entry that is unknown, or that the mode does not contribute, rejects ' +
        'assembly.',
      status: 'held',
    },
    {
      id: 'F2',
      text:
        '`mode: native` (default of the service), `code`, `both`. `native` contributes the visible schemas. `code` ' +
        'contributes only `run_code`, the `tools:code-only` section (order 99) and the `tools:sdk` section (order ' +
        '150). `both` contributes both forms and no such rule.',
      status: 'held',
    },
    {
      id: 'F3',
      text:
        'Under `code` a model-direct call that names anything but `run_code` is `UNKNOWN_TOOL` before any policy ' +
        'runs; for a visible tool the message names the way back (call it inside a `run_code` program). Sub-calls ' +
        'carry a parent token and pass.',
      status: 'held',
    },
    {
      id: 'F4',
      text:
        'A code mode without a `ctx.codeRuntime`, or with a language that has no renderer, fails assembly loudly and ' +
        'says what to mount.',
      status: 'held',
    },
    {
      id: 'F5',
      text: 'The SDK text is deterministic: lexicographic tool order, byte-identical for an unchanged tool set.',
      status: 'held',
    },
    {
      id: 'F6',
      text:
        "`presentAs('code', { language })` picks a language per agent when several runtimes are mounted; `{ " +
        'languages: [...] }` presents several, and `run_code` then takes a `language` argument.',
      status: 'held',
    },
    {
      id: 'F7',
      text:
        'SDK detail `full`, `signatures` (types without the prose of properties), `index` (names with one-line ' +
        'summaries, then only groups with counts) or `auto` (default: the richest that fits a token budget); below ' +
        '`full`, programs look declarations up with `sdk.search(query)`, `sdk.describe(name)`, `sdk.list(group?)`.',
      status: 'part',
      missing: '`auto` with its budget, and `sdk.search`, `sdk.describe`, `sdk.list` in programs',
    },
  ],
}
