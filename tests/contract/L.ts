import type { ContractSection } from './clause.ts'

export const L: ContractSection = {
  letter: 'L',
  title: 'TypeScript runtime',
  clauses: [
    {
      id: 'L1',
      text:
        'Full TypeScript syntax, enums, namespaces and parameter properties included. Syntax errors come back before ' +
        'anything runs, with line and column of the program as written; stack traces name those lines too.',
      status: 'held',
    },
    {
      id: 'L2',
      text:
        "The program is type-checked against the SDK before it runs (`typecheck: 'error' | 'warn' | 'off'`): a " +
        'misspelled tool, a wrong argument, a tool call whose promise is dropped as a statement (by a rule of our ' +
        "own: `tsc` is silent there) cost no side effect. Checking happens off the host's event loop, within a time " +
        'limit; past it the program runs unchecked and says so.',
      status: 'planned',
    },
    {
      id: 'L3',
      text:
        'Globals: the ECMAScript library, `console` (log, info, warn, error, debug; inspect-like rendering), ' +
        '`setTimeout`/`clearTimeout`/`setInterval`/`clearInterval`/`queueMicrotask`, `structuredClone`, ' +
        '`TextEncoder`/`TextDecoder`, `URL`/`URLSearchParams`, `atob`/`btoa`, `AbortController`, ' +
        '`crypto.randomUUID`/`getRandomValues`. No `WebAssembly`, no `eval` surprises, no network.',
      status: 'part',
      missing: '`URL`, `URLSearchParams`, `AbortController` and `crypto`',
    },
    {
      id: 'L4',
      text:
        "`isolation: 'process'` (default) or `'in-process'` (isolates entered on the host's own thread: fastest, and " +
        'it blocks the host while a program computes). Same values, errors and budgets; K4, K5 in mid loop, K6 and K9 ' +
        "are not promised in-process, and the docs and the kit's declared abilities say so.",
      status: 'part',
      missing: 'the declared abilities of a conformance kit',
    },
    {
      id: 'L5',
      text:
        'What models really send is accepted by a normaliser on the syntax tree, with a fixed list of shapes: a bare ' +
        'body, a fenced block, one async arrow or function expression, a declared `main`, `export default`. Text that ' +
        'tries to close the wrapper is a syntax error. Shell text and the wrong language get a hint. Safety never ' +
        'rests on it.',
      status: 'part',
      missing: 'the shapes beside a bare body, and the hints',
    },
    {
      id: 'L6',
      text: '`SharedArrayBuffer` and `Atomics` are absent. The exact global surface is a list in a test.',
      status: 'held',
    },
  ],
}
