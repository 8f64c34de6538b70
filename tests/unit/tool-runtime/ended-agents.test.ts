// A disposed agent has lost its guards and restrictions; its handle must not fall back to what the root may do.
import { describe, expect, it } from 'vitest'
import { rawTool, testCell, textOf } from '../../support/cells.ts'
import { gate } from '../../support/memory-environment.ts'

const tools = [rawTool('read', () => 'r'), rawTool('write', () => 'w')]

describe('an agent that was disposed', () => {
  it('[B3, C3, C7] can call nothing any more, natively or from a program', async () => {
    const cell = await testCell({ tools, mode: 'both' })
    const agent = cell.agent({ id: 'a' })
    agent.ctx.tools.restrict({ allow: ['read'] })
    agent.ctx.tools.guard(({ name }) => (name === 'read' ? 'guarded' : undefined))
    await agent.dispose()
    for (const name of ['read', 'write', 'run_code']) {
      const result = await cell.call({ name, arguments: { code: 'return 1', description: 'd' }, agent })
      expect(result).toMatchObject({ isError: true, error: { info: { code: 'UNKNOWN_TOOL' } } })
      expect(textOf(result)).toContain('was disposed')
    }
    expect(await cell.call({ name: 'write', arguments: {} })).toMatchObject({ value: 'w' })
  })

  it('[B2, B3] takes those below it along', async () => {
    const cell = await testCell({ tools, mode: 'native' })
    const parent = cell.agent({ id: 'parent' })
    const child = cell.agent({ id: 'child', parent })
    parent.ctx.tools.restrict({ deny: ['write'] })
    await parent.dispose()
    expect(textOf(await cell.call({ name: 'write', arguments: {}, agent: child }))).toContain('was disposed')
  })

  it('[B3] refuses a call that waits for policy while its agent ends', async () => {
    const cell = await testCell({ tools, mode: 'native' })
    const agent = cell.agent({ id: 'a' })
    agent.ctx.tools.guard(() => 'guarded')
    const asked = gate()
    const answer = gate()
    cell.ctx.on('tools/pre-execute', async (_execution, next) => {
      asked.open()
      await answer.promise
      return next()
    })
    const call = cell.call({ name: 'write', arguments: {}, agent })
    await asked.promise
    await agent.dispose()
    answer.open()
    expect(textOf(await call)).toContain('was disposed')
  })

  it('[B3, H3] refuses the next sub-call of a program that runs on', async () => {
    const cell = await testCell({
      tools: [...tools, rawTool('end', async () => (await agent.dispose()) ?? null)],
    })
    const agent = cell.agent({ id: 'a' })
    agent.ctx.tools.guard(({ name }) => (name === 'write' ? 'guarded' : undefined))
    const run = await cell.run(
      `const said = []
       for (const name of ['write', 'end', 'write']) said.push(await tools[name]({}).catch((error) => error.message))
       return said`,
      { agent },
    )
    expect(textOf(run)).toMatch(/guarded[\s\S]*was disposed/)
  })
})
