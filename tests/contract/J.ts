import type { ContractSection } from './clause.ts'

export const J: ContractSection = {
  letter: 'J',
  title: 'The runtime seam (`CodeRuntime`, service key `codeRuntime`)',
  clauses: [
    {
      id: 'J1',
      text:
        '`language`, `isolation` (a label, no security claim), `run({ program, bindings, language?, name?, ' +
        'declarations?, signal?, onLog?, limits?, seed?, now? })`; `limits` may only lower the configured ones. The ' +
        'program is the body of an async function: top-level `await` and `return`.',
      status: 'held',
    },
    {
      id: 'J2',
      text:
        '`run` resolves with `{ value?, logs, error?, usage? }`; `error.kind` is `exception`, `timeout`, `abort`, ' +
        '`worker-exit`, `invalid-output`, `output-limit` or `type-check`, `stalled`. It rejects only for misuse: an ' +
        'invalid or duplicate binding global, a run after disposal. A budget of memory (heap, buffers or resident ' +
        'size) is `worker-exit` with the budget named; a syntax error is an `exception` named SyntaxError with line ' +
        'and column; a flood is `output-limit`; of several at once, the first that the host saw. Kinds are decided by ' +
        "the host's own clocks and facts, never by the text of an error, which a program can forge.",
      status: 'part',
      missing:
        'the kind `type-check`, and `worker-exit` for a buffer that does not fit, which is a `RangeError` of the program',
    },
    {
      id: 'J3',
      text:
        'Bindings are namespaces `{ global, functions, errorClass?: { name, memberNameProperty } }` with ' +
        'language-portable identifiers: reserved words of every supported language, `console`, dunder names and ' +
        'runtime-owned globals are refused by every runtime alike. `errorClass` is a real constructor in the program ' +
        '(`instanceof` works).',
      status: 'held',
    },
    {
      id: 'J4',
      text: 'No state survives a run. Disposal aborts runs in flight and waits for them.',
      status: 'held',
    },
    {
      id: 'J5',
      text:
        'A conformance kit (`runcell/testkit`) holds all of J and K; the built-in runtimes pass it, and a new ' +
        'language proves itself with it.',
      status: 'planned',
    },
    {
      id: 'J6',
      text:
        'Several runtimes can be mounted at once behind one `ctx.codeRuntime`. Cordis refuses a second provider of a ' +
        'service, so: `CodeRuntime` is the abstract class that a runtime extends; where a `CodeRuntimes` service (a ' +
        'fiber of its own; `createCell` mounts it) is there, the runtime registers with it, and that service is ' +
        '`codeRuntime`, with `languages` and `run` by `language`; where none is, the runtime provides `codeRuntime` ' +
        'itself.',
      status: 'held',
    },
    {
      id: 'J7',
      text:
        "A request may fix `seed` and `now`: then clock, timers' order and every source of randomness in the program " +
        'are functions of the request, in each language. (Replay is built on this; programs must not change when it ' +
        'comes.)',
      status: 'part',
      missing: '`crypto` and Python',
    },
    {
      id: 'J8',
      text: 'A program that waits with nothing left to wait for (no sub-call, no timer) fails at once as `stalled`.',
      status: 'held',
    },
  ],
}
