// What the facade adds to the parts that it ties: configuration and warnings reach them.
import { describe, expect, it } from 'vitest'
import { rawTool, testCell, textOf } from '../../support/cells.ts'
import { gate } from '../../support/memory-environment.ts'

describe('the tools service', () => {
  it('[D15] overlaps as many calls of a batch as are configured, unless the batch says otherwise', async () => {
    let running = 0
    let most = 0
    const busy = rawTool('busy', async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      return null
    })
    const cell = await testCell({ tools: [busy], mode: 'native', maxParallelSubCalls: 2 })
    const { signal } = new AbortController()
    const calls = Array.from({ length: 6 }, (_, i) => ({ callId: `c${i}`, name: 'busy', arguments: {}, signal }))
    await cell.tools.executeBatch(calls)
    expect(most).toBe(2)
    most = 0
    await cell.tools.executeBatch(calls, { maxParallel: 3 })
    expect(most).toBe(3)
  })

  it('[D16] enforces the timeout of a tool in a cell', async () => {
    const settled = gate()
    const slow = rawTool(
      'slow',
      async (_args, exec) => {
        await new Promise<void>((resolve) => exec.signal.addEventListener('abort', () => resolve()))
        settled.open()
        return 'too late'
      },
      { timeoutMs: 5 },
    )
    const cell = await testCell({ tools: [slow], mode: 'native' })
    const result = await cell.call({ name: 'slow', arguments: {} })
    await settled.promise
    expect(result).toMatchObject({ isError: true, error: { info: { code: 'TOOL_TIMEOUT' } } })
    expect(textOf(result)).toContain('5 ms')
  })

  it('[G3] warns of a pattern that is not enforced, naming the tool', async () => {
    const cell = await testCell({ mode: 'native' })
    const warnings: string[] = []
    cell.ctx.logger.exporter({
      levels: { default: 3 },
      export: ({ type, args }) => void (type === 'warn' && warnings.push(args.join(' '))),
    })
    const schema = { type: 'string', pattern: '(a)\\1' }
    cell.tools.register(rawTool('echo', () => 'aa', { output: { schema, render: String } }))
    expect(warnings).toEqual([expect.stringMatching(/output schema of tool "echo".*\(a\)/s)])
  })
})
