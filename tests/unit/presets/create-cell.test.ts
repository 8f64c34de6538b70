// What a cell does beyond mounting: refusing options, calling as a model does, and closing while something runs.
import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { type Cell, createCell } from '../../../src/presets/create-cell.ts'
import { rawTool, testCell } from '../../support/cells.ts'

/** A tool that answers once its signal fires, and a promise of its having started. */
function waiter() {
  let started!: () => void
  const running = new Promise<void>((resolve) => {
    started = resolve
  })
  const tool = rawTool(
    'wait',
    (_args, exec) =>
      new Promise((_resolve, reject) => {
        exec.signal.addEventListener('abort', () => reject(exec.signal.reason))
        started()
      }),
  )
  return { tool, running }
}

describe('createCell', () => {
  it.each([
    [null, 'options'],
    [{ mode: 'all' }, 'mode'],
    [{ languages: [] }, 'languages'],
    [{ languages: ['typescript', 'typescript'] }, 'must name each language once'],
    [{ languages: ['cobol'] }, 'no built-in runtime for "cobol"'],
    [{ tools: [null] }, 'tools.0'],
    [{ limits: { computeMs: 0 } }, 'limits.computeMs'],
    [{ unheard: 1 }, 'unheard'],
  ])('[Q3, R1] refuses %j, naming the key', async (options, named) => {
    await expect(createCell(options as never)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringContaining(named),
    })
  })

  it('[Q3, D1] answers a call that is none with a result', async () => {
    const cell = await testCell({ mode: 'native', tools: [rawTool('one', () => 1)] })
    for (const signal of [null, 7, {}]) {
      expect(await cell.call({ name: 'one', arguments: {}, signal: signal as never })).toMatchObject({
        isError: true,
        error: { info: { code: 'INVALID_CALL' } },
      })
    }
    expect(await cell.call({ name: 7 as never, arguments: {} })).toMatchObject({ isError: true })
  })

  it('[Q3] leaves nothing listening on the signal of its caller', async () => {
    const cell = await testCell({ mode: 'native', tools: [rawTool('one', () => 1)] })
    const { signal } = new AbortController()
    for (let i = 0; i < 20; i++) await cell.call({ name: 'one', arguments: {}, signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

describe('closing a cell', () => {
  it.each(['native', 'code'] as const)('[Q3, E1] aborts what runs in mode %s', async (mode) => {
    const { tool, running } = waiter()
    const cell = await testCell({ mode, tools: [tool] })
    const call =
      mode === 'native' ? cell.call({ name: 'wait', arguments: {} }) : cell.run('return await tools.wait({})')
    await running
    await cell.close()
    expect(await call).toMatchObject({ isError: true })
  })

  it('[Q3, H7] may be the doing of a tool that a program calls', async () => {
    let cell!: Cell
    const closer = rawTool('closer', async () => {
      await cell.close()
      return 1
    })
    cell = await testCell({ tools: [closer] })
    const run = await cell.run('return await tools.closer({})')
    expect(run).toMatchObject({ isError: true, meta: { calls: [{ name: 'closer', outcome: 'committed' }] } })
  })

  it('[Q3] refuses everything afterwards, and says so', async () => {
    const cell = await testCell()
    await cell.close()
    await cell.close()
    const closed = expect.objectContaining({ code: 'RUNTIME_DISPOSED' })
    await expect(cell.run('return 1')).rejects.toEqual(closed)
    await expect(cell.call({ name: 'run_code', arguments: {} })).rejects.toEqual(closed)
    await expect(cell.prompt()).rejects.toEqual(closed)
    await expect(cell.toolSchemas()).rejects.toEqual(closed)
    expect(() => cell.agent({ id: 'late' })).toThrow(closed)
  })
})

describe('options', () => {
  it.each([
    ['a mode that is none', { mode: 'auto' }, /mode/],
    ['an unknown key', { mode: 'code', sandbox: true }, /sandbox/],
    ['a check that is not there yet', { typecheck: 'error' }, /only "off" is there yet/],
    ['a language without a runtime', { languages: ['cobol'] }, /no built-in runtime for "cobol"/],
    ['no language', { languages: [] }, /at least one/],
    ['a bad budget', { limits: { computeMs: 0 } }, /limits\.computeMs/],
  ])('[Q3, R1] refuses %s, naming it', async (_what, options, message) => {
    await expect(createCell(options as never)).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
      message: expect.stringMatching(message),
    })
  })

  it('[Q3] takes a cell without a type check', async () => {
    const cell = await testCell({ typecheck: 'off' })
    expect(await cell.run('return 1')).toMatchObject({ value: { result: 1 } })
  })
})
