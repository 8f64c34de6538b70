import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['runcell-source'] },
  ssr: { resolve: { conditions: ['runcell-source', 'node', 'import', 'default'] } },
  test: {
    // isolated-vm needs --no-node-snapshot where isolates are made in the test process; the thread pool cannot pass it.
    pool: 'forks',
    execArgv: ['--no-node-snapshot'],
    include: ['tests/**/*.test.ts'],
    reporters: ['default', './tests/support/summary-reporter.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
