import type { ContractSection } from './clause.ts'

export const K: ContractSection = {
  letter: 'K',
  title: 'Sandboxes: the program is hostile',
  clauses: [
    {
      id: 'K1',
      text:
        "A program reaches nothing but the language's own library and its bindings: no Node API, no file, no network, " +
        'no environment, no other run, no host object, whatever it does to its globals and prototypes. In Python that ' +
        'holds too for `js`, `pyodide_js`, `ctypes` and everything reached through them: they end in the same empty ' +
        'isolate.',
      status: 'part',
      missing: 'Python',
    },
    {
      id: 'K2',
      text:
        'Budgets, each with its own message: `computeMs` (CPU time of the program; waiting on a tool is free), ' +
        '`maxWallMs`, `memoryMb` (all that the program makes the process hold: the JS heap, buffers, and what ' +
        'isolated-vm does not count: WebAssembly memory, resizable and growable buffers, Intl objects), ' +
        '`maxOutputBytes` (logs plus value or message, as serialized), `maxCalls`, `maxCallBytes` (a call over either ' +
        'is refused with a `ToolCallError`; the run goes on). Bad configuration is refused at load. A hot loop, a ' +
        "regex bomb and an allocation bomb end at their budget. The host's clock is the rule (native code can outlive " +
        "isolated-vm's `timeout` by seconds): a soft stop that saves what was said so far, then the kill. CPU time is " +
        'measured, not guessed from the wall.',
      status: 'part',
      missing: 'the soft stop, which decision 0002 does without, and buffers that end the run (J2)',
    },
    {
      id: 'K3',
      text:
        'The traffic from a sandbox is untrusted: every message is validated and rebuilt; unknown names, ids answered ' +
        'twice, junk and floods are dropped or end the run; no message crashes the host.',
      status: 'held',
    },
    {
      id: 'K4',
      text:
        'A sandbox process holds one live program. One that dies (kill -9, out of memory) fails its run as ' +
        '`worker-exit`; other runs go on and the pool heals.',
      status: 'held',
    },
    {
      id: 'K5',
      text: 'Abort is hard, also in the middle of a loop, and prompt.',
      status: 'held',
    },
    {
      id: 'K6',
      text:
        "Sandbox processes run with an empty environment, under Node's permission model (no file writes, no child " +
        'processes, no workers, no network where Node can deny it), and optionally behind a launcher (bubblewrap, a ' +
        'container).',
      status: 'held',
    },
    {
      id: 'K7',
      text:
        'A program cannot tell the outside apart from the inside by mutating a boundary intrinsic: JSON, Promise, ' +
        'Error, Object and Array intrinsics that the bridge uses are captured before the program starts.',
      status: 'held',
    },
    {
      id: 'K8',
      text:
        'A bridge function never rejects across the boundary: it resolves an envelope, and the error is rebuilt ' +
        'inside from plain fields, without host paths or frames. Nothing a program or a tool does raises an unhandled ' +
        'rejection in the host.',
      status: 'held',
    },
    {
      id: 'K9',
      text:
        "The host never formats, inspects or reads properties of a program's objects; logs and errors arrive as " +
        'bounded strings. An unhandled rejection inside a program is a warning of that run. What V8 itself cannot ' +
        'survive (one line such as splitting a string of 2^27 characters aborts the process it runs in) costs that ' +
        'run alone; native code that ignores termination (huge BigInts, native string searches) ends with its ' +
        'process.',
      status: 'held',
    },
    {
      id: 'K10',
      text: 'A sandbox is never used again after a timeout, an abort, a crash or an output limit.',
      status: 'held',
    },
  ],
}
