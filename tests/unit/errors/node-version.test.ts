import { describe, expect, it } from 'vitest'
import { oldNodeProblem } from '../../../src/errors/node-version.ts'

describe('the version of Node', () => {
  it.each(['20.20.2', '23.11.0', '8.0.0'])('%s is too old, and the message says what to do', (version) => {
    expect(oldNodeProblem(version)).toMatch(/needs Node 24 or later; this is v[\d.]+ .*\nInstall Node 24/)
  })

  it.each(['24.0.0', '26.10.0', process.versions.node])('%s will do', (version) => {
    expect(oldNodeProblem(version)).toBeUndefined()
  })
})
