// Writes docs/errors.md from the table of codes (src/errors/codes.ts), which is where a code is added or changed.
import { type CodeEntry, ERROR_CODES, RETIRED_CODES } from '../../src/errors/codes.ts'

/** Where the page stands in the repository. */
export const ERROR_PAGE = 'docs/errors.md'

const HEAD = `# Error codes

This page is written by \`npm run docs\` from \`src/errors/codes.ts\`; do not edit it.

Every error that runcell throws or reports is a \`HarnessError\` with a \`code\`. A failed call resolves with \`isError: true\`, its code
stands in \`error.info.code\`, and a model reads \`Error: <message>\`. Codes are stable: match on them, never on the text of a message. A code is never reused for another meaning.
Plugins may throw \`HarnessError\`s with codes of their own; those reach \`error.info\` unchanged and are not listed here.
`

/** The whole page. */
export function errorPage(codes: Readonly<Record<string, CodeEntry>> = ERROR_CODES, retired = RETIRED_CODES): string {
  const rows = Object.entries(codes).map(
    ([code, { meaning, remedy }]) => `| \`${code}\` | ${cell(meaning)} | ${cell(remedy)} |`,
  )
  const lines = [HEAD, '| code | what it means | what to do |', '|---|---|---|', ...rows, '']
  if (retired.length > 0)
    lines.push(`Retired, and reserved for ever: ${retired.map((code) => `\`${code}\``).join(', ')}.`, '')
  return lines.join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
