import { afterEach, describe, expect, it } from 'vitest'
import { HarnessError } from '../../src/errors/harness-error.ts'
import { type McpServerInput, parseMcpConfig } from '../../src/mcp/config.ts'
import { MAX_LIST_PAGES, MAX_LISTED_TOOLS, MAX_MESSAGE_BYTES, McpConnection } from '../../src/mcp/connection.ts'
import { isAlive, listed, scriptedServer } from './servers.ts'

const open: McpConnection[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((connection) => connection.close()))
})

interface Connected {
  readonly connection: McpConnection
  readonly lost: Promise<HarnessError>
  readonly changed: Promise<void>
}

function connect(server: McpServerInput): Connected {
  const lost = Promise.withResolvers<HarnessError>()
  const changed = Promise.withResolvers<void>()
  const config = parseMcpConfig({ mcpServers: { demo: server } }).mcpServers['demo']!
  const listener = { onLost: lost.resolve, onToolsChanged: () => changed.resolve() }
  const connection = new McpConnection('demo', config, listener, '0.0.0')
  open.push(connection)
  return { connection, lost: lost.promise, changed: changed.promise }
}

async function started(server: McpServerInput): Promise<Connected> {
  const connected = connect(server)
  await connected.connection.start()
  return connected
}

async function failure(promise: Promise<unknown>): Promise<HarnessError> {
  const error = await promise.then(
    () => new Error('did not fail'),
    (thrown: unknown) => thrown,
  )
  if (HarnessError.is(error)) return error
  throw error
}

const never = new AbortController().signal

describe('start', () => {
  it('[O1] tells a command that is not there from a directory that is not there', async () => {
    const noCommand = await failure(
      connect({ command: 'runcell-no-such-command', args: ['--x', 'a b'] }).connection.start(),
    )
    expect(noCommand.code).toBe('MCP_SERVER')
    expect(noCommand.message).toContain(
      'MCP server "demo" did not start: the command "runcell-no-such-command" was not found',
    )
    expect(noCommand.message).toContain('Command: runcell-no-such-command --x "a b"')
    expect(noCommand.message).toContain('Run the command by hand')
    const noDirectory = await failure(connect({ ...scriptedServer(), cwd: '/runcell/no/such' }).connection.start())
    expect(noDirectory.message).toContain('its directory "/runcell/no/such" does not exist')
  })

  it('[O1] gives what a server that ends wrote to stderr, without colours', async () => {
    const server = scriptedServer({ exitAt: 'initialize', stderr: '\u001b[31mno token\u001b[0m\nset DEMO_TOKEN\n' })
    const error = await failure(connect(server).connection.start())
    expect(error.code).toBe('MCP_SERVER')
    expect(error.message).toContain('its process ended with exit code 3 before it had answered')
    expect(error.message).toContain('It wrote to stderr:\n  no token\n  set DEMO_TOKEN\n')
  })

  it('[O1] gives up on a server that does not answer, and leaves no process behind', async () => {
    const server = scriptedServer({ silentAt: 'initialize', noise: 'Listening on stdio\n', stderr: 'pid {pid}\n' })
    const { connection } = connect({ ...server, startTimeoutMs: 700 })
    const error = await failure(connection.start())
    expect(error.message).toContain('it did not answer within 700 ms')
    expect(error.message).toContain('its stdout is not clean JSON-RPC')
    const pid = Number(/ {2}pid (\d+)/.exec(error.message)?.[1])
    expect(isAlive(pid)).toBe(false)
  })

  it('[O1] passes over noise between messages', async () => {
    const { connection } = await started(scriptedServer({ noise: 'hello\n', pages: [[listed('one')]] }))
    expect((await connection.listTools()).tools).toHaveLength(1)
  })

  it('[O1] hands on the environment of the configuration and none of ours but the few that a server needs', async () => {
    process.env['RUNCELL_TEST_SECRET'] = 'secret'
    try {
      const { connection } = await started({ ...scriptedServer(), env: { GIVEN: 'value' } })
      const text = async (name: string): Promise<unknown> => connection.callTool('env', { name }, never)
      expect(await text('GIVEN')).toMatchObject({ content: [{ text: 'value' }] })
      expect(await text('RUNCELL_TEST_SECRET')).toMatchObject({ content: [{ text: '(not set)' }] })
      expect(await text('PATH')).toMatchObject({ content: [{ text: process.env['PATH'] }] })
    } finally {
      delete process.env['RUNCELL_TEST_SECRET']
    }
  })
})

describe('listTools', () => {
  it('[O1] reads all pages', async () => {
    const { connection } = await started(scriptedServer({ pages: [[listed('a'), listed('b')], [], [listed('c')]] }))
    const { tools, warnings } = await connection.listTools()
    expect(tools).toMatchObject([{ name: 'a' }, { name: 'b' }, { name: 'c' }])
    expect(warnings).toEqual([])
  })

  it('[O4] stops at a page that points at itself', async () => {
    const { connection } = await started(scriptedServer({ pages: [[listed('a')], [listed('b')]], loopPages: true }))
    const { tools, warnings } = await connection.listTools()
    expect(tools).toMatchObject([{ name: 'a' }, { name: 'b' }])
    expect(warnings).toEqual([expect.stringContaining('it gives the same page again')])
  })

  it('[O4] is bounded in pages and in tools', async () => {
    const many = await started(scriptedServer({ pages: Array.from({ length: MAX_LIST_PAGES + 5 }, () => []) }))
    expect((await many.connection.listTools()).warnings).toEqual([
      expect.stringContaining(`more than ${MAX_LIST_PAGES} pages`),
    ])
    const page = Array.from({ length: 100 }, () => 0)
    const one = Array.from({ length: MAX_LISTED_TOOLS + 1 }, () => 0)
    for (const pages of [Array.from({ length: 60 }, () => page), [one]]) {
      const large = await started(scriptedServer({ pages }))
      const { tools, warnings } = await large.connection.listTools()
      expect(tools).toHaveLength(MAX_LISTED_TOOLS)
      expect(warnings).toEqual([expect.stringContaining(`more than ${MAX_LISTED_TOOLS} tools`)])
    }
  })

  it.each([[{ tools: 'none' }], [{}], [{ tools: null }]])('[O4] refuses %j as a listing', async (listAnswer) => {
    const { connection } = await started(scriptedServer({ listAnswer }))
    const error = await failure(connection.listTools())
    expect(error.code).toBe('MCP_SERVER')
    expect(error.message).toContain('did not list its tools')
  })

  it('[O1] hears that the tools changed', async () => {
    const { connection, changed } = await started(
      scriptedServer({ pages: [[listed('change')]], changed: [[listed('other')]] }),
    )
    await connection.callTool('change', {}, never)
    await changed
    expect((await connection.listTools()).tools).toMatchObject([{ name: 'other' }])
  })
})

describe('callTool', () => {
  it('[O1] makes a protocol error a failed call that names server and tool', async () => {
    const answers = { bad: { error: { code: -32602, message: 'path: required' } } }
    const { connection } = await started(scriptedServer({ answers }))
    const error = await failure(connection.callTool('bad', {}, never))
    expect(error.code).toBe('MCP_TOOL')
    expect(error.message).toContain('MCP server "demo", tool "bad": ')
    expect(error.message).toContain('path: required')
  })

  it.each<[rawAnswer: object, says: string | undefined]>([
    [{ result: { content: [], _meta: 'none' } }, undefined],
    [{ result: null }, 'its answer has no result object'],
    [{ result: [1] }, 'its answer has no result object'],
    [{}, 'its answer has no result object'],
    [{ error: 'out of order' }, 'out of order'],
    [{ error: { code: 'E1', message: 'no' } }, 'no'],
    [{ error: {} }, 'an error without a message'],
  ])('[O4] takes the malformed answer %j for what it is, and waits for nothing', async (rawAnswer, says) => {
    const { connection } = await started(scriptedServer({ raw: { odd: rawAnswer } }))
    const call = connection.callTool('odd', {}, never)
    if (says === undefined) expect(await call).toEqual({ content: [] })
    else expect(await failure(call)).toMatchObject({ code: 'MCP_TOOL', message: expect.stringContaining(says) })
  })

  it('[O4] takes a large answer, and loses a server that sends one beyond the bound', async () => {
    const { connection, lost } = await started(scriptedServer())
    const large = (await connection.callTool('large', { bytes: 8_000_000 }, never)) as { content: { text: string }[] }
    expect(large.content[0]?.text).toHaveLength(8_000_000)
    const error = await failure(connection.callTool('large', { bytes: MAX_MESSAGE_BYTES }, never))
    expect(error.code).toBe('MCP_SERVER')
    expect(error.message).toContain(`it sent a message of more than ${MAX_MESSAGE_BYTES} bytes`)
    await lost
  })

  it('[O1] forwards a cancellation', async () => {
    const { connection } = await started(scriptedServer())
    const controller = new AbortController()
    const call = failure(connection.callTool('hang', {}, controller.signal))
    controller.abort(new Error('enough'))
    expect((await call).code).toBe('ABORTED')
    expect(await connection.callTool('cancelled', {}, never)).toMatchObject({
      structuredContent: { cancelled: [expect.any(Number)] },
    })
  })

  it('[O1] fails what is in flight when the process ends, and reports the loss once, with its last words', async () => {
    const { connection, lost } = await started(scriptedServer())
    const hanging = failure(connection.callTool('hang', {}, never))
    const exiting = failure(connection.callTool('exit', {}, never))
    for (const error of await Promise.all([hanging, exiting])) {
      expect(error.code).toBe('MCP_SERVER')
      expect(error.message).toMatch(
        /^MCP server "demo" was lost during a call of "(hang|exit)", .*: its process ended with exit code 7\.$/,
      )
      // A model reads this: the command line and what the server wrote may hold secrets.
      expect(error.message).not.toMatch(/about to end|scripted-server/)
    }
    const { message } = await lost
    expect(message).toContain('ended with exit code 7 without being asked to')
    expect(message).toMatch(/Command: .*scripted-server/)
    expect(message).toContain('  about to end')
    expect(connection.isReady).toBe(false)
    expect((await failure(connection.callTool('pid', {}, never))).code).toBe('MCP_SERVER')
  })
})

describe('close', () => {
  it.each([false, true])(
    '[O1] ends the process (one that ignores a polite request: %s)',
    async (stubborn) => {
      const { connection } = await started(scriptedServer({ stubborn }))
      const answer = (await connection.callTool('pid', {}, never)) as { structuredContent: { pid: number } }
      const { pid } = answer.structuredContent
      expect(isAlive(pid)).toBe(true)
      await connection.close()
      await connection.close()
      expect(isAlive(pid)).toBe(false)
    },
    20_000,
  )

  it.each([false, true])(
    '[O1] ends a server behind the process that was started, as npx has it (stubborn: %s)',
    async (stubborn) => {
      const { command, args = [] } = scriptedServer({ stubborn })
      // The shell stays in front of the server and passes no signal on.
      const { connection } = await started({ command: 'sh', args: ['-c', '"$0" "$@"; exit', command, ...args] })
      const answer = (await connection.callTool('pid', {}, never)) as { structuredContent: { pid: number } }
      await connection.close()
      expect(isAlive(answer.structuredContent.pid)).toBe(false)
    },
    20_000,
  )
})
