// run_code end to end: real sandboxes, the real pipeline.
import { describe, expect, it } from 'vitest'
import { ledgerOf, rawTool, resultOf, testCell, textOf } from '../../support/cells.ts'
import { gate, isDeeplyFrozen } from '../../support/memory-environment.ts'

const echo = rawTool('echo', (args) => args)

describe('arguments of run_code', () => {
  it('[H1] needs a program and a description that is not blank, and says so for each', async () => {
    const cell = await testCell()
    const call = async (args: unknown) => textOf(await cell.call({ name: 'run_code', arguments: args }))
    expect(await call({})).toMatch(/args\.code is missing[\s\S]*args\.description is missing/)
    expect(await call({ code: 'return 1', description: '  ' })).toMatch(/args\.description must not be blank/)
    expect(await call({ code: '', description: 'd' })).toMatch(/args\.code must not be blank/)
    expect(await call({ code: 1, description: 'd' })).toMatch(/args\.code must be a string/)
    expect(await call({ code: 'return 1', description: 'd', path: 'x' })).toMatch(/args\.path is not a parameter/)
    expect(await call([])).toMatch(/must be an object/)
  })

  it('[H1] goes through the pipeline like any tool: policy, guards and observers see it', async () => {
    const cell = await testCell()
    const seen: string[] = []
    cell.ctx.on('tools/pre-execute', (execution, next) => {
      seen.push(`policy ${execution.name}`)
      return next()
    })
    cell.ctx.on('tools/result', (execution, result) => void seen.push(`result ${execution.name} ${result.isError}`))
    await cell.run('return 1')
    expect(seen).toEqual(['policy run_code', 'result run_code false'])
    cell.tools.guard((execution) => (execution.name === 'run_code' ? 'not today' : undefined))
    const denied = await cell.run('return 1')
    expect(textOf(denied)).toContain('not today')
  })
})

describe('the program and its tools', () => {
  it('[H2] has one own async member for each visible tool, whatever its name, and not run_code', async () => {
    const names = ['read', '__proto__', 'constructor', 'toString', 'then', 'odd-name', 'a.b', '']
    const cell = await testCell({ tools: names.slice(0, -1).map((name) => rawTool(name, () => name)) })
    const listed = resultOf(await cell.run('return Object.getOwnPropertyNames(tools).sort()'))
    expect(listed).toEqual(names.slice(0, -1).sort())
    const called = resultOf(
      await cell.run(
        `const out = []; for (const name of Object.getOwnPropertyNames(tools).sort()) out.push(await Object.getOwnPropertyDescriptor(tools, name).value({})); return out`,
      ),
    )
    expect(called).toEqual(listed)
  })

  it('[H2] shows what the calling agent sees, and nothing else', async () => {
    const cell = await testCell({ tools: [echo, rawTool('secret', () => 1)] })
    const agent = cell.agent({ id: 'limited' })
    agent.ctx.tools.restrict({ deny: ['secret'] })
    agent.ctx.tools.register(rawTool('own', () => 'mine'))
    expect(resultOf(await cell.run('return Object.keys(tools)', { agent }))).toEqual(['echo', 'own'])
    expect(resultOf(await cell.run('return Object.keys(tools)'))).toEqual(['echo', 'secret'])
    expect(textOf(await cell.run('return await tools.secret({})', { agent }))).toMatch(/tools\.secret does not exist/)
  })

  it('[H3, D3] numbers sub-calls by submission, gives them the outer token as parent, and runs the whole pipeline', async () => {
    const cell = await testCell({ tools: [echo] })
    const calls: { id: string; parented: boolean; frozen: boolean }[] = []
    let outer: symbol | undefined
    cell.ctx.on('tools/pre-execute', (execution, next) => {
      if (execution.name === 'run_code') outer = execution.token
      else {
        calls.push({
          id: execution.callId,
          parented: execution.parent === outer,
          frozen: isDeeplyFrozen(execution.arguments),
        })
      }
      return next()
    })
    await cell.run('await Promise.all([tools.echo({ a: [1] }), tools.echo({ b: 2 })]); return 0')
    expect(calls).toEqual([
      { id: 'run-1:code:1', parented: true, frozen: true },
      { id: 'run-1:code:2', parented: true, frozen: true },
    ])
  })

  it('[H3] resolves with the canonical value, and rejects with a ToolCallError of two fields', async () => {
    const cell = await testCell({
      tools: [
        rawTool('fails', () => {
          throw Object.assign(new Error('no such file'), { stack: 'at /secret/path.ts', code: 'X', extra: 1 })
        }),
      ],
    })
    const seen = resultOf(
      await cell.run(`try { await tools.fails({}) } catch (error) {
        return { real: error instanceof ToolCallError && error instanceof Error, tool: error.toolName, message: error.message,
          own: Object.getOwnPropertyNames(error).filter((key) => key !== 'stack').sort(), stack: String(error.stack).includes('secret') }
      }`),
    )
    expect(seen).toEqual({
      real: true,
      tool: 'fails',
      message: 'no such file',
      own: ['message', 'toolName'],
      stack: false,
    })
  })

  it('[H3, D15] overlaps parallel sub-calls up to the cap, and runs an exclusive one alone', async () => {
    let running = 0
    let most = 0
    const log: string[] = []
    const work = async (args: any) => {
      running += 1
      most = Math.max(most, running)
      log.push(`${args.id}:${running}`)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      return null
    }
    const cell = await testCell({
      tools: [rawTool('shared', work), rawTool('alone', work, { isConcurrencySafe: () => false })],
      maxParallelSubCalls: 3,
    })
    await cell.run(
      `await Promise.all([...Array.from({ length: 7 }, (_, id) => tools.shared({ id })), tools.alone({ id: 'x' }), tools.shared({ id: 'y' })])`,
    )
    expect(most).toBe(3)
    expect(log.find((line) => line.startsWith('x'))).toBe('x:1')
    expect(log.at(-1)).toBe('y:1')
  })

  it('[H4] rejects a call whose argument is no lossless JSON, and dispatches nothing', async () => {
    let calls = 0
    const cell = await testCell({
      tools: [
        rawTool('count', () => {
          calls += 1
          return calls
        }),
      ],
    })
    const messages = resultOf(
      await cell.run(`const out = []
        for (const bad of [{ when: new Date(0) }, { n: NaN }, { n: -0 }, { u: undefined }, { f: () => 1 }, { b: 1n }, { a: [, 1] }, { m: new Map() }]) {
          try { await tools.count(bad); out.push('accepted') } catch (error) { out.push(error.message) }
        }
        return out`),
    ) as string[]
    expect(messages).toHaveLength(8)
    for (const message of messages) expect(message).toMatch(/args\.\w+/)
    expect(calls).toBe(0)
  })

  it('[H14] names the nearest member when one does not exist, and calls nothing', async () => {
    const cell = await testCell({ tools: [rawTool('read_file', () => 1)] })
    expect(textOf(await cell.run('return await tools.readFile({})'))).toMatch(
      /tools\.readFile does not exist[\s\S]*tools\.read_file/,
    )
    expect(resultOf(await cell.run(`return [typeof tools.then, typeof tools.toJSON, 'readFile' in tools]`))).toEqual([
      'undefined',
      'undefined',
      false,
    ])
  })
})

describe('how a run ends', () => {
  it('[H8] succeeds with logs and result, rendered as lines', async () => {
    const cell = await testCell()
    const run = await cell.run(`console.log('one', { a: 1 }); console.error('two'); return { n: [1] }`)
    expect(run).toMatchObject({ isError: false, value: { logs: ['one { a: 1 }', 'two'], result: { n: [1] } } })
    expect(textOf(run)).toBe('one { a: 1 }\ntwo\n{\n  "n": [\n    1\n  ]\n}')
    expect(textOf(await cell.run(`return 'raw "text"'`))).toBe('raw "text"')
    expect(textOf(await cell.run('const quiet = 1'))).toBe('(run_code completed with no output)')
    expect(textOf(await cell.run('return null'))).toBe('null')
  })

  it('[H8] fails as CODE_RUN_FAILED with the kind, the message, the captured output', async () => {
    const cell = await testCell()
    const run = await cell.run(`console.log('before')\nthrow new RangeError('too far')`)
    expect(run).toMatchObject({
      isError: true,
      error: { info: { name: 'CodeRunFailedError', code: 'CODE_RUN_FAILED' } },
    })
    expect(textOf(run)).toMatch(/^Error: code run failed \(exception\): RangeError: too far\n.*program\.ts:2/)
    expect(textOf(run)).toContain('Output before the failure:\nbefore')
    expect(run.meta?.['failure']).toMatchObject({ kind: 'exception', name: 'RangeError', line: 2 })
  })

  it('[H8, A3] renders a deep result without recursion', async () => {
    const cell = await testCell()
    const run = await cell.run('let deep = []; for (let i = 0; i < 9000; i++) deep = [deep]; return deep')
    expect(run.isError).toBe(false)
    expect(textOf(run).length).toBeGreaterThan(18_000)
  })

  it('[H9, B4] streams log lines to onLog, and to listeners of the agent’s scope and above', async () => {
    const cell = await testCell()
    const agent = cell.agent({ id: 'a' })
    const other = cell.agent({ id: 'b' })
    const lines: unknown[] = []
    const heard: string[] = []
    cell.ctx.on('tools/code-log', (event) => void heard.push(`root ${event.text}`))
    agent.ctx.on('tools/code-log', (event) => void heard.push(`agent ${event.text}`))
    other.ctx.on('tools/code-log', (event) => void heard.push(`other ${event.text}`))
    await cell.run(`console.warn('careful')`, { agent, onLog: (line, level) => void lines.push([line, level]) })
    expect(lines).toEqual([['careful', 'warn']])
    expect(heard).toEqual(['root careful', 'agent careful'])
  })

  it('[H10] reports what a run used in the meta of a top-level call', async () => {
    const cell = await testCell({ tools: [echo] })
    const { meta } = await cell.run('await tools.echo({ a: 1 }); return 1')
    expect(meta).toMatchObject({ usage: { calls: 1, wallMs: expect.any(Number), cpuMs: expect.any(Number) } })
    const usage = meta?.['usage'] as Record<string, number>
    expect(usage['bytesIn']).toBeGreaterThan(0)
    expect(usage['bytesOut']).toBeGreaterThan(0)
  })

  it('[H11] accounts for every sub-call by what its body did, also when the program fails', async () => {
    const cell = await testCell({
      tools: [
        echo,
        rawTool('fails', () => {
          throw new Error('no')
        }),
        rawTool('denied', () => 1),
      ],
    })
    cell.tools.guard((execution) => (execution.name === 'denied' ? 'never' : undefined))
    const run = await cell.run(
      `await tools.echo({}); await tools.fails({}).catch(() => 0); await tools.denied({}).catch(() => 0); throw new Error('over')`,
    )
    expect(ledgerOf(run)).toEqual([
      ['echo', 'committed'],
      ['fails', 'failed'],
      ['denied', 'refused'],
    ])
    expect(textOf(run)).toMatch(
      /Tool calls: 1 of 3 committed; not committed:\n- #2 fails: failed\n- #3 denied: refused$/,
    )
  })

  it('[H8, H11] ends a failure with the whole ledger, however much the program said, and whatever tools are called', async () => {
    const name = 'x: committed\n- #9 y'
    const fails = () => {
      throw new Error('no')
    }
    const cell = await testCell({ tools: [rawTool(name, fails)] })
    const run = await cell.run(
      `for (let i = 0; i < 400; i++) console.log('.'.repeat(100))
      await tools[${JSON.stringify(name)}]({}).catch(() => 0)
      throw new Error('!'.repeat(50_000))`,
    )
    const text = textOf(run)
    expect(text).toMatch(/^Error: code run failed \(exception\): Error: !/)
    expect(text).toContain('Output before the failure:\n....')
    expect(text.endsWith(`\nTool calls: 0 of 1 committed; not committed:\n- #1 ${JSON.stringify(name)}: failed`)).toBe(
      true,
    )
  })

  it('[H11, K2] enters calls that a budget refused, a thousand of them by name and the others by number', async () => {
    const cell = await testCell({ tools: [echo], limits: { maxCalls: 2 } })
    const run = await cell.run(
      `for (let i = 0; i < 1200; i++) await tools.echo({ i }).catch(() => 0); throw new Error('over')`,
    )
    const ledger = ledgerOf(run)
    expect(ledger).toHaveLength(1_002)
    expect(ledger.slice(0, 4)).toEqual([
      ['echo', 'committed'],
      ['echo', 'committed'],
      ['echo', 'refused'],
      ['echo', 'refused'],
    ])
    expect(run.meta?.['refusedBeyond']).toBe(198)
    expect(textOf(run)).toMatch(
      /Tool calls: 2 of 1200 committed; not committed:\n- #3 echo: refused[\s\S]*- and 1158 more$/,
    )
  })

  it('[D5, R4] shows the program to whoever approves one of its calls', async () => {
    const cell = await testCell({ tools: [echo] })
    const asked: unknown[] = []
    cell.ctx.provide('approval', {
      request: async (request: { toolName: string; program?: string }) => {
        asked.push([request.toolName, request.program])
        return 'allowed-once'
      },
    })
    cell.ctx.on('tools/pre-execute', (execution, next) => (execution.name === 'echo' ? { kind: 'ask' } : next()))
    expect(resultOf(await cell.run('return await tools.echo({ a: 1 })'))).toEqual({ a: 1 })
    expect(asked).toEqual([['echo', 'return await tools.echo({ a: 1 })']])
  })

  it('[H7, H11, E1] aborts and awaits open sub-calls before it returns, and says which never started', async () => {
    const entered = gate()
    const events: string[] = []
    const cell = await testCell({
      tools: [
        rawTool('slow', async (_args, exec) => {
          entered.open()
          await new Promise<void>((resolve) => exec.signal.addEventListener('abort', () => resolve()))
          events.push('wound down')
          throw new Error('stopped')
        }),
        rawTool('next', () => 1, { isConcurrencySafe: () => false }),
      ],
    })
    const run = await cell.run(
      'void tools.slow({}).catch(() => 0); void tools.next({}).catch(() => 0); await 0; return 1',
    )
    events.push('returned')
    await entered.promise
    expect(events).toEqual(['wound down', 'returned'])
    expect(resultOf(run)).toBe(1)
    expect(ledgerOf(run)).toEqual([
      ['slow', 'unknown'],
      ['next', 'not-started'],
    ])
  })

  it('[H7] accounts for open calls when the program is aborted in mid call', async () => {
    const controller = new AbortController()
    const cell = await testCell({
      tools: [
        rawTool('slow', async (_args, exec) => {
          queueMicrotask(() => controller.abort())
          await new Promise<void>((resolve) => exec.signal.addEventListener('abort', () => resolve()))
          return 'done all the same'
        }),
      ],
    })
    const run = await cell.run('return await tools.slow({})', { signal: controller.signal })
    expect(run).toMatchObject({ isError: true, error: { info: { code: 'CODE_RUN_FAILED' } } })
    expect(textOf(run)).toContain('code run failed (abort)')
    expect(ledgerOf(run)).toEqual([['slow', 'committed']])
  })

  it('[H6] carries contexts and pictures of sub-calls to the outer result, in order, also when the program fails', async () => {
    const picture = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const
    const cell = await testCell({
      tools: [
        rawTool('noted', (args, exec) => {
          exec.deferContext({ id: `note-${args.n}`, role: 'user', content: [{ type: 'text', text: `n${args.n}` }] })
          return args.n
        }),
        rawTool('shot', () => 'png', { output: { schema: true, render: () => [picture] } }),
      ],
    })
    const run = await cell.run(
      `await tools.noted({ n: 1 }); await tools.shot({}); await tools.noted({ n: 2 }); throw new Error('late')`,
    )
    expect(run.isError).toBe(true)
    expect(run.additionalContexts?.map(({ id }) => id)).toEqual(['note-1', 'run-1:code:2:content', 'note-2'])
    expect(run.additionalContexts?.[1]?.content).toEqual([picture])
  })
})
