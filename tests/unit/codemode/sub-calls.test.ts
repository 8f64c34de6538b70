import { describe, expect, it } from 'vitest'
import { SubCalls } from '../../../src/codemode/sub-calls.ts'
import type { ToolExecutionToken } from '../../../src/tools/execution.ts'
import { callOf, gate, MemoryEnvironment, toolOf } from '../../support/memory-environment.ts'

function subCallsOf(environment: MemoryEnvironment): SubCalls {
  return new SubCalls(environment.pipeline.scheduler(), {
    callId: 'outer',
    token: Symbol('outer') as ToolExecutionToken,
    program: 'await tools.stuck({})',
    deferContext: () => {},
  })
}

describe('the end of a program', () => {
  it('[H7, E1] waits for a body that does not heed its signal, and says which after a while', async () => {
    const environment = new MemoryEnvironment()
    const entered = gate()
    const stuck = gate<string>()
    environment.add(
      toolOf('stuck', () => {
        entered.open()
        return stuck.promise
      }),
    )
    const subCalls = subCallsOf(environment)
    const call = subCalls.submit('stuck', {})
    await entered.promise
    const told = gate<readonly string[]>()
    let isDrained = false
    const drained = subCalls
      .drain((open) => told.open(open), 1)
      .then(() => {
        isDrained = true
      })
    expect(await told.promise).toEqual(['stuck (outer:code:1)'])
    expect(isDrained).toBe(false)
    stuck.open('late')
    await drained
    await expect(call).rejects.toThrow()
    expect(subCalls.ledger().entries).toMatchObject([{ name: 'stuck', outcome: 'committed' }])
  })

  it('[H7] refuses a late binding, which reaches no pipeline and no ledger', async () => {
    const environment = new MemoryEnvironment()
    let calls = 0
    environment.add(toolOf('late', () => ++calls))
    const subCalls = subCallsOf(environment)
    await subCalls.drain(() => {}, 1_000)
    await expect(subCalls.submit('late', {})).rejects.toThrow('The program is over; "late" was not called.')
    expect(calls).toBe(0)
    expect(subCalls.ledger().entries).toEqual([])
    // The tool itself is fine.
    expect(await environment.pipeline.execute(callOf('late'))).toMatchObject({ value: 1 })
  })
})
