// Writes docs/contract.md: the clauses with their status and the test files that cite them.
// `npm run docs` writes the file; coverage.test.ts fails when it is out of date.
import { basename } from 'node:path'
import type { Citation } from '../../tests/contract/citations.ts'
import type { Clause, ContractSection } from '../../tests/contract/clause.ts'

/** Where the page stands in the repository. */
export const CONTRACT_PAGE = 'docs/contract.md'

const HEAD = `# The contract

What runcell promises, clause by clause. This page is written by \`npm run docs\` from \`tests/contract/\`; do not edit it.

A clause is **held** when the whole of it is there and tests cite it (\`it('[C7] …')\`); a test fails when a held clause has none.
**part** means the same but for what is named as missing. **planned** means that it is not there, whatever a test may touch of it.

Words: an **agent** is whoever calls tools; a **scope** is the key of one agent (or of a preset that several agents share); a **layer**
is what one scope has registered; a **call** is one execution of a tool; a **sub-call** is a call that a program makes through its SDK;
a **program** is the model-written source given to \`run_code\`; a **binding** is a host function that a program can call; a **runtime**
runs programs of one language; a **sandbox** is the isolate, and the process around it, that holds one program.
`

/** The whole page. */
export function contractPage(sections: readonly ContractSection[], citations: readonly Citation[]): string {
  const clauses = sections.flatMap((section) => section.clauses)
  const held = clauses.filter((clause) => clause.status === 'held').length
  const parts = clauses.filter((clause) => clause.status === 'part').length
  const count = `${held} of ${clauses.length} clauses are held, ${parts} more in part.\n`
  return [HEAD, count, ...sections.map((section) => sectionText(section, citations))].join('\n')
}

function sectionText({ letter, title, intro, clauses }: ContractSection, citations: readonly Citation[]): string {
  const rows = clauses.map((clause) => {
    return `| ${clause.id} | ${cell(clause.text)} | ${statusText(clause)} | ${testLinks(clause, citations)} |`
  })
  const lines = [`## ${letter}. ${title}`, '']
  if (intro !== undefined) lines.push(intro, '')
  lines.push('| id | promise | status | tests |', '|---|---|---|---|', ...rows, '')
  return lines.join('\n')
}

function statusText({ status, missing }: Clause): string {
  if (missing !== undefined) return `${status}; missing: ${cell(missing)}`
  return status === 'held' ? '**held**' : status
}

/** A pipe ends a table cell, inside code too. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}

function testLinks(clause: Clause, citations: readonly Citation[]): string {
  const files = new Set(citations.filter((citation) => citation.id === clause.id).map((citation) => citation.file))
  return [...files]
    .sort()
    .map((file) => `[${basename(file).replace(/\.test(-d)?\.ts$/, '')}](../${file})`)
    .join(', ')
}
