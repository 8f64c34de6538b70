// Ends a test run with one plain line, `<n> passed, <n> failed`, for whatever reads the output of `npm test`.
// A file that could not be loaded and an error outside of tests count as failures, so the line never looks better than the exit code.
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    // Printed at exit, after vitest's own summary.
    process.once('exit', () => process.stdout.write(`\n${summaryLine(modules, errors.length)}\n`))
  }
}

function summaryLine(modules: readonly TestModule[], errorsOutsideTests: number): string {
  const count = { passed: 0, failed: errorsOutsideTests, skipped: 0, pending: 0 }
  for (const module of modules) {
    count.failed += module.errors().length
    for (const test of module.children.allTests()) count[test.result().state]++
    for (const suite of module.children.allSuites()) count.failed += suite.errors().length
  }
  const skipped = count.skipped + count.pending
  return `${count.passed} passed, ${count.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
