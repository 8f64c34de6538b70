import type { ContractSection } from './clause.ts'

export const H: ContractSection = {
  letter: 'H',
  title: 'Code Mode: `run_code`',
  clauses: [
    {
      id: 'H1',
      text:
        '`run_code` takes `code` and `description` (both required; a blank description is an error) and goes through ' +
        'the pipeline like any tool.',
      status: 'held',
    },
    {
      id: 'H2',
      text:
        'The program gets `tools`, one async member per tool that the calling agent sees, `run_code` excluded; every ' +
        'member is an own property, `__proto__` and `constructor` included.',
      status: 'held',
    },
    {
      id: 'H3',
      text:
        'Each sub-call is snapshotted, numbered by submission (`<callId>:code:<n>`), given the outer token as parent, ' +
        'and runs through the whole pipeline under the D15 contract with `maxParallelSubCalls` (default 10, a ' +
        'positive integer). It resolves to the final canonical value, or rejects with a real `ToolCallError` that ' +
        'carries `toolName` and `message` and nothing else.',
      status: 'held',
    },
    {
      id: 'H4',
      text: 'A value that is not lossless JSON rejects that one call and dispatches nothing.',
      status: 'held',
    },
    {
      id: 'H5',
      text:
        'For an agent with a session, each started sub-call appends `tool/code-dispatch-start` and, settled, one ' +
        "`tool/code-dispatch` with the complete content. A queued call that the run's end abandons appends neither. " +
        '`tools/code-dispatch-log` may replace the logged copy only.',
      status: 'planned',
    },
    {
      id: 'H6',
      text:
        'Contexts of sub-calls, and the content of a successful sub-call that holds an image, are deferred onto the ' +
        '`run_code` result in order, also when the program later fails.',
      status: 'held',
    },
    {
      id: 'H7',
      text:
        'However the run ends, open sub-calls are aborted and drained before `run_code` returns; budgets bound the ' +
        'program, the drain waits for bodies and, after 5 s, says which (`tools/code-log`). A late binding is ' +
        'refused.',
      status: 'held',
    },
    {
      id: 'H8',
      text:
        'Success is `{ logs: string[], result?: JsonValue }`. Logs and calls that left the program before it was ' +
        'stopped are not lost: logs are written through within 50 ms, calls by turn. Rendered: the log lines, then ' +
        'the result (a string raw, other JSON pretty-printed without recursion, indentation bounded), or `(run_code ' +
        'completed with no output)`. Failure is `CODE_RUN_FAILED`: `code run failed (<kind>): <message>`, then the ' +
        'captured output.',
      status: 'held',
    },
    {
      id: 'H9',
      text: '`logs` also stream while the program runs (`onLog` on the request, a `tools/code-log` event for the agent).',
      status: 'held',
    },
    {
      id: 'H10',
      text:
        "The result's `meta` of a top-level `run_code` holds the run's usage: wall and CPU milliseconds, sub-calls, " +
        'peak memory, bytes in and out.',
      status: 'held',
    },
    {
      id: 'H11',
      text:
        '**Call ledger.** Every outcome of a run, success, failure, timeout, abort and crash alike, accounts for each ' +
        'sub-call: after the drain, by what its body did: returned is `committed` (whatever later stages made of it), ' +
        'threw is `failed`, threw after its signal fired or lost its connection is `unknown`; denied, unknown tool, ' +
        'invalid arguments and over a limit are `refused`; never dispatched is `not-started`. The ledger is in ' +
        "`meta`; a failure's text ends with what a model needs to decide whether to try again: how many committed, " +
        'and each call that is not `committed`, by name and number.',
      status: 'held',
    },
    {
      id: 'H12',
      text:
        'Waiting for an approval is on no clock: the wall budget stands still while at least one call is being asked ' +
        'about; the others go on. `approvalTimeoutMs` (none by default) ends it as `unavailable`.',
      status: 'planned',
    },
    {
      id: 'H13',
      text:
        'Two projections: a program always gets the whole value or an error, never a shortened one. What goes back to ' +
        'the model has one budget (`maxResultTokens`, over all the text that `run_code` returns, ledger included) and ' +
        'is shortened by structure: long strings clipped, array tails dropped, shape kept, valid JSON with a note of ' +
        'what was left out; the canonical value stays whole for the host.',
      status: 'planned',
    },
    {
      id: 'H14',
      text:
        'Names in the prompt, the SDK, search, errors and the callable members are the same bytes; nothing is renamed ' +
        'for looks. Reading an unknown string key of `tools` throws and names the nearest (`then` and `toJSON` read ' +
        'as undefined; `in` is false); an unknown global says which exist. `sdk.*` look-ups are no sub-calls. Fan-out ' +
        'past a limit queues; it never commits a prefix and then fails.',
      status: 'part',
      missing: 'the list of globals in the error of an unknown one, and `sdk.*`',
    },
  ],
}
