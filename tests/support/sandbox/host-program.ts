// A host in a process of its own, for tests that end hosts. Writes the ids of its sandboxes as JSON and then does what its
// argument says.

import { SandboxHost } from '../../../runtimes/host/sandbox-host.ts'
import { DEFAULT_LIMITS } from '../../../src/runtime/budgets.ts'

const mode = process.argv[2]
const host = new SandboxHost({
  engine: new URL('./toy-engine.ts', import.meta.url),
  isolation: 'process',
  memoryMb: 64,
  spares: 1,
})
const announce = (): void => void process.stdout.write(`${JSON.stringify(host.pids)}\n`)
const run = (source: string, onLog: () => void = () => {}): Promise<unknown> =>
  host.run({ source, file: 'a.js', namespaces: [], limits: { ...DEFAULT_LIMITS, memoryMb: 64 }, onLog })

if (mode === 'waiting') void run('log("x"); await sleep(1e8)', announce)
else if (mode === 'exit-in-loop') {
  const leave = (): void => {
    announce()
    setTimeout(() => process.exit(0), 50)
  }
  void run('log("x"); for (;;) {}', leave)
} else {
  await run('return 1')
  announce()
  if (mode === 'idle') setInterval(() => {}, 1_000)
}
