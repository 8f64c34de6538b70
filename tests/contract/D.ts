import type { ContractSection } from './clause.ts'

export const D: ContractSection = {
  letter: 'D',
  title: 'Pipeline: `execute({ callId, name, arguments, signal, agent?, parent? })`',
  intro:
    'Order: snapshot and freeze arguments → token → `tools/pre-execute` waterfall → approval if asked → guards → ' +
    '`tools/execute` waterfall around the body → `tools/post-execute` waterfall → `finalizeContent` → `tools/result`.',
  clauses: [
    {
      id: 'D1',
      text:
        '`execute` never rejects: every outcome is a frozen `ToolExecutionResult`, `{ isError: false, value, content, ' +
        'meta?, additionalContexts?, concludesTurn? }` or `{ isError: true, error: { message, info? }, content, ' +
        "meta?, additionalContexts? }`. A failure's content is one text block `Error: <message>`.",
      status: 'held',
    },
    {
      id: 'D2',
      text:
        'Arguments are read once and snapshotted before policy; arguments that are not lossless JSON take the same ' +
        'result path without reaching policy or body.',
      status: 'held',
    },
    {
      id: 'D3',
      text:
        "The token is a fresh branded Symbol; `parent` is the enclosing call's token. Tokens never reach a model, a " +
        'log or a sandbox.',
      status: 'held',
    },
    {
      id: 'D4',
      text:
        "`tools/pre-execute` answers `{ kind: 'allow' }`, `{ kind: 'deny', reason, info? }`, `{ kind: 'ask', reason?, " +
        "displayReason? }` or `{ kind: 'cancel' }` (the canonical aborted-before-dispatch result). No input " +
        'rewriting.',
      status: 'held',
    },
    {
      id: 'D5',
      text:
        '`ask` goes to `ctx.approval` when it is mounted and the call has an agent; otherwise it denies. Outcomes: ' +
        '`allowed-once` goes on to the guards, `rejected`, `cancelled` and `unavailable` deny with distinct reasons; ' +
        'an unknown outcome is an error result.',
      status: 'held',
    },
    {
      id: 'D6',
      text:
        "A `tools/execute` wrapper may change only `signal`; the caller's signal is fused back in before the body; " +
        "the wrapper's signal is restored afterwards. It may answer without `next()`. A result it authored, or cached " +
        "from another call, is revalidated under the resolved tool's output declaration.",
      status: 'held',
    },
    {
      id: 'D7',
      text:
        'The body returns the canonical value only. It is snapshotted, validated against `output.schema` ' +
        '(`INVALID_TOOL_OUTPUT` with path-qualified violations), frozen, then rendered with `output.render(args, ' +
        'value)`. A renderer that throws is `INVALID_TOOL_OUTPUT`.',
      status: 'held',
    },
    {
      id: 'D8',
      text:
        '`presentationMeta` is computed only for top-level calls. A `HarnessError` may carry `meta` (JSON): on a ' +
        "top-level failure it becomes the result's `meta`, and a `block` keeps it.",
      status: 'held',
    },
    {
      id: 'D9',
      text:
        '`tools/post-execute` answers `accept` with `content` or `value` (both: an error) and `additionalContexts?`, ' +
        'or `block` with `feedback`. Replaced content keeps value and meta; a replaced value is revalidated and ' +
        'rerendered; the value of a failure cannot be replaced. A block is a valueless failure that drops contexts ' +
        "deferred by the tool and keeps only the decision's own.",
      status: 'held',
    },
    {
      id: 'D10',
      text:
        "`deferContext(message)` adds a context to the call's own result, before decision contexts; it survives a " +
        'throw and a cancellation. `concludeTurn()` marks a successful result as terminal.',
      status: 'held',
    },
    {
      id: 'D11',
      text:
        '`finalizeContent(exec, result)` is captured when the call starts and runs exactly once for every normalized ' +
        'outcome, failures included; it may replace only `content`; if it throws, the call fails with that error and ' +
        'it is not run again.',
      status: 'held',
    },
    {
      id: 'D12',
      text:
        '`tools/result` observers get the frozen execution and outcome; what they throw is logged and changes ' +
        'nothing.',
      status: 'held',
    },
    {
      id: 'D13',
      text:
        'A listener or wrapper that throws makes an error result; a `HarnessError` keeps `{ name, code }` in ' +
        '`error.info`; anything thrown, however hostile, becomes some message.',
      status: 'held',
    },
    {
      id: 'D14',
      text: 'An unknown tool is `UNKNOWN_TOOL`, after policy has seen the name.',
      status: 'held',
    },
    {
      id: 'D15',
      text:
        "`executeBatch(calls, { maxParallel? })` runs a model's parallel native calls under one contract with code " +
        'mode: starts in submission order, neighbours that are `parallel` overlap up to the cap, an `exclusive` call ' +
        'drains, runs alone and bars later ones until its post-execute is done. Pre-execute to guards run one call at ' +
        'a time in submission order; post-execute runs one at a time in order of completion (so a race is not held up ' +
        'by the slowest); a call waiting for approval holds back later starts only. The list of results is in ' +
        'submission order.',
      status: 'held',
    },
    {
      id: 'D16',
      text:
        "`toolTimeouts` is a plugin on `tools/execute` that enforces `timeoutMs`: it aborts the body's signal and, " +
        'once the body has settled, reports `TOOL_TIMEOUT` with the budget in the message. `createCell` mounts it.',
      status: 'held',
    },
  ],
}
