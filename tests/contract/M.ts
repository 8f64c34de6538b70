import type { ContractSection } from './clause.ts'

export const M: ContractSection = {
  letter: 'M',
  title: 'Python runtime',
  clauses: [
    {
      id: 'M1',
      text:
        'CPython (Pyodide) with its standard library inside a V8 isolate; top-level `await` and `return`; `print` is ' +
        "a log line; `asyncio` (gather, sleep, wait_for, create_task) works; tracebacks name the program's own lines.",
      status: 'planned',
    },
    {
      id: 'M2',
      text:
        'A fresh interpreter in a fresh isolate for each run, restored from a memory snapshot that is made once and ' +
        'cached on disk; standby interpreters hide the cost. Nothing is shared between isolates.',
      status: 'planned',
    },
    {
      id: 'M3',
      text:
        'Budgets as K2; WebAssembly memory growth is capped and ends in `MemoryError` or `worker-exit`, never in the ' +
        "machine's memory.",
      status: 'planned',
    },
    {
      id: 'M4',
      text:
        'Python runs in process sandboxes only. Packages: wheels named in the configuration (local files or a ' +
        'directory) are part of the snapshot.',
      status: 'planned',
    },
  ],
}
