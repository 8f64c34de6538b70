import type { ContractSection } from './clause.ts'

export const E: ContractSection = {
  letter: 'E',
  title: 'Cancellation',
  clauses: [
    {
      id: 'E1',
      text:
        'Cooperative and quiescent: a started body is awaited, never abandoned. Before the body: ' +
        "`ABORTED_BEFORE_DISPATCH`; after it: `ABORTED`, and only in place of a success. A denial, a wrapper's " +
        "failure, the tool's own failure, a post-policy failure and `TOOL_TIMEOUT` stay.",
      status: 'held',
    },
    {
      id: 'E2',
      text:
        'A call that is aborted on entry still materializes its arguments, skips every phase and publishes one ' +
        'result; arguments that cannot be materialized win.',
      status: 'held',
    },
  ],
}
