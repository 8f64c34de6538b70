import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from '@deepseek-ai/cordis'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { HarnessError } from '../../src/errors/harness-error.ts'
import { type McpServersConfig, mcpServers } from '../../src/mcp/index.ts'
import { SystemPrompt } from '../../src/prompt/service.ts'
import { ToolRuntime } from '../../src/tool-runtime/service.ts'
import type { ToolExecutionResult } from '../../src/tools/result.ts'
import { isAlive, listed, publishedServer, scriptedServer } from './servers.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'runcell-mcp-'))
})
afterAll(() => rm(directory, { recursive: true }))

const open: Context[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((ctx) => ctx.fiber.dispose()))
})

/** A host with a registry; its log as text. */
async function host() {
  const ctx = new Context()
  open.push(ctx)
  const log: string[] = []
  // The default threshold of an exporter lets infos pass and stops warnings.
  const levels = { default: 3 }
  ctx.logger.exporter({ levels, export: ({ type, args }) => log.push(`${type}: ${args.map(text).join(' ')}`) })
  await ctx.plugin(SystemPrompt, {})
  await ctx.plugin(ToolRuntime, {})
  const mount = async (config: McpServersConfig) => ctx.plugin(mcpServers, config)
  let calls = 0
  const call = (
    name: string,
    args: unknown = {},
    signal = new AbortController().signal,
  ): Promise<ToolExecutionResult> => ctx.tools.execute({ callId: `call-${++calls}`, name, arguments: args, signal })
  const names = (): string[] => ctx.tools.schemas().map(({ name }) => name)
  return { ctx, log, mount, call, names }
}

function text(value: unknown): string {
  return value instanceof Error ? value.message : String(value)
}

async function value(result: Promise<ToolExecutionResult>): Promise<any> {
  const settled = await result
  if (settled.isError) throw new Error(settled.error.message)
  return settled.value
}

async function failure(promise: Promise<unknown>): Promise<HarnessError> {
  const error = await promise.then(
    () => new Error('did not fail'),
    (thrown: unknown) => thrown,
  )
  if (HarnessError.is(error)) return error
  throw error
}

describe('published servers', () => {
  it('[O1] filesystem: its tools with their schemas, structured values, failures as the server words them', async () => {
    const { ctx, mount, call, names } = await host()
    await writeFile(join(directory, 'a.txt'), 'text of a')
    await mount({ mcpServers: { filesystem: publishedServer('filesystem', [directory]) } })
    expect(names()).toContain('filesystem_read_text_file')
    expect(names().every((name) => name.startsWith('filesystem_'))).toBe(true)
    const schema = ctx.tools.schemas().find(({ name }) => name === 'filesystem_read_text_file')
    expect(schema?.parameters).toMatchObject({ type: 'object', required: ['path'] })
    const read = await call('filesystem_read_text_file', { path: join(directory, 'a.txt') })
    expect(read).toMatchObject({ value: { content: 'text of a' }, content: [{ type: 'text', text: 'text of a' }] })
    const denied = await call('filesystem_read_text_file', { path: '/etc/passwd' })
    expect(denied).toMatchObject({ isError: true, error: { info: { code: 'MCP_TOOL' } } })
    expect(denied.isError && denied.error.message).toMatch(/MCP server "filesystem", tool "read_text_file": .*denied/i)
    const mode = (name: string) => ctx.tools.executionMode({ name, arguments: {} }).kind
    expect(mode('filesystem_read_text_file')).toBe('parallel')
    expect(mode('filesystem_write_file')).toBe('exclusive')
  })

  it('[O2] filesystem: a picture reaches a model as a picture, and a program as data', async () => {
    const { mount, call } = await host()
    const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='
    await writeFile(join(directory, 'dot.png'), Buffer.from(png, 'base64'))
    await mount({ mcpServers: { filesystem: publishedServer('filesystem', [directory]) } })
    const result = await call('filesystem_read_media_file', { path: join(directory, 'dot.png') })
    expect(result).toMatchObject({
      isError: false,
      content: [{ type: 'image', data: png, mimeType: 'image/png' }],
      value: { content: [{ type: 'image', data: png }] },
    })
  })

  it('[O1] memory and filesystem side by side, each in a fiber of its own', async () => {
    const { mount, call, names } = await host()
    const memory = { ...publishedServer('memory'), env: { MEMORY_FILE_PATH: join(directory, 'memory.jsonl') } }
    const fiber = await mount({ mcpServers: { memory, files: publishedServer('filesystem', [directory]) } })
    const entity = { name: 'runcell', entityType: 'project', observations: ['calls tools'] }
    expect(await value(call('memory_create_entities', { entities: [entity] }))).toEqual({ entities: [entity] })
    expect(await value(call('memory_read_graph'))).toEqual({ entities: [entity], relations: [] })
    expect(names().some((name) => name.startsWith('files_'))).toBe(true)
    await fiber.dispose()
    expect(names()).toEqual([])
  })
})

describe('values', () => {
  it('[O2] -0 and content go by the rule; a declared schema is enforced', async () => {
    const { mount, call } = await host()
    const number = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
    const answers = {
      zero: { structuredContent: { n: -0 } },
      good: { content: [{ type: 'text', text: '{"n": 1}' }] },
      bad: { content: [{ type: 'text', text: 'quota exceeded' }] },
      lying: { structuredContent: { n: 'one' }, content: [] },
    }
    const pages = [['zero', 'good', 'bad', 'lying'].map((name) => listed(name, { outputSchema: number }))]
    await mount({ mcpServers: { demo: scriptedServer({ pages, answers }) } })
    expect(await value(call('demo_zero'))).toEqual({ n: 0 })
    expect(await value(call('demo_good'))).toEqual({ n: 1 })
    const bad = await call('demo_bad')
    expect(bad).toMatchObject({ isError: true, error: { info: { code: 'MCP_TOOL' } } })
    expect(bad.isError && bad.error.message).toContain('The content: quota exceeded')
    expect(await call('demo_lying')).toMatchObject({ isError: true, error: { info: { code: 'INVALID_TOOL_OUTPUT' } } })
  })
})

describe('one bad thing takes nothing else with it', () => {
  it('[O4] a bad tool', async () => {
    const { mount, names, log } = await host()
    const pages = [
      [
        listed('good'),
        listed('', {}),
        listed('bad', { inputSchema: { type: 'array' } }),
        listed('dangling', { inputSchema: { type: 'object', properties: { a: { $ref: '#/$defs/none' } } } }),
        listed('loose', { outputSchema: { type: 'nonsense' } }),
        listed('good', { description: 'again' }),
        listed('also good'),
      ],
    ]
    await mount({ mcpServers: { demo: scriptedServer({ pages }) } })
    expect(names()).toEqual(expect.arrayContaining(['demo_good', 'demo_loose']))
    expect(names().some((name) => /^demo_also_good_[\da-f]{8}$/.test(name))).toBe(true)
    expect(names()).not.toContain('demo_bad')
    const warnings = log.filter((line) => line.startsWith('warn')).join('\n')
    expect(warnings).toMatch(/tool "bad" is left out/)
    expect(warnings).toMatch(/tool "good" is left out: another tool/)
    expect(warnings).toMatch(/tool "loose": its values are not checked/)
  })

  it('[O4] a server that does not start, where the configuration says so', async () => {
    const { mount, names, log } = await host()
    const servers = { good: scriptedServer({ pages: [[listed('one')]] }), dead: { command: 'runcell-no-such-command' } }
    await mount({ mcpServers: servers, onStartFailure: 'warn' })
    expect(names()).toEqual(['good_one'])
    expect(log.join('\n')).toContain('MCP server "dead" did not start')
  })

  it('[O1] by default it fails the mount with its reason, and the others are ended', async () => {
    const { mount, names } = await host()
    const pidFile = join(directory, 'good.pid')
    const servers = {
      good: scriptedServer({ pages: [[listed('one')]], pidFile }),
      dead: scriptedServer({ exitAt: 'tools/list' }),
    }
    const error = await failure(mount({ mcpServers: servers }))
    expect(error.code).toBe('MCP_SERVER')
    expect(error.message).toMatch(/^MCP server "dead" did not list its tools/)
    await vi.waitFor(() => expect(isAlive(Number(readFileSync(pidFile, 'utf8')))).toBe(false))
    expect(names()).toEqual([])
  })

  it('[O1] several that do not start are named in one error', async () => {
    const { mount } = await host()
    const error = await failure(
      mount({ mcpServers: { a: { command: 'runcell-none-a' }, b: { command: 'runcell-none-b' } } }),
    )
    expect(error.message).toContain('MCP server "a" did not start')
    expect(error.message).toContain('MCP server "b" did not start')
  })
})

describe('a server that changes', () => {
  it('[O1] list_changed brings the registry in step', async () => {
    const { mount, call, names } = await host()
    const pages = [[listed('change'), listed('old'), listed('same')]]
    const changed = [[listed('same'), listed('new')]]
    await mount({ mcpServers: { demo: scriptedServer({ pages, changed }) } })
    expect(names().sort()).toEqual(['demo_change', 'demo_old', 'demo_same'])
    await call('demo_change')
    await vi.waitFor(() => expect(names().sort()).toEqual(['demo_new', 'demo_same']))
  })

  it('[O1] one whose process ends: what is in flight fails, and its tools go', async () => {
    const { mount, call, names, log } = await host()
    const demo = scriptedServer({ pages: [[listed('exit'), listed('hang')]] })
    await mount({ mcpServers: { demo, other: scriptedServer({ pages: [[listed('one')]] }) } })
    const hanging = call('demo_hang')
    const results = [await call('demo_exit'), await hanging]
    for (const result of results) {
      expect(result).toMatchObject({ isError: true, error: { info: { code: 'MCP_SERVER' } } })
      expect(result.isError && result.error.message).toContain('its process ended with exit code 7')
    }
    await vi.waitFor(() => expect(names()).toEqual(['other_one']))
    expect(log.join('\n')).toMatch(/MCP server "demo" ended with exit code 7 without being asked to.*about to end/s)
  })

  it('[O1, E1] an abort is forwarded, and the call fails as aborted', async () => {
    const { mount, call } = await host()
    await mount({ mcpServers: { demo: scriptedServer({ pages: [[listed('hang'), listed('cancelled')]] }) } })
    const controller = new AbortController()
    const hanging = call('demo_hang', {}, controller.signal)
    // The call is under way once a later one is answered.
    await call('demo_cancelled')
    controller.abort()
    expect(await hanging).toMatchObject({ isError: true, error: { info: { code: 'ABORTED' } } })
    expect((await value(call('demo_cancelled'))).cancelled).toHaveLength(1)
  })
})

describe('the plugin', () => {
  it('[O1] ends its servers when it is disposed', async () => {
    const { mount, call } = await host()
    const fiber = await mount({ mcpServers: { demo: scriptedServer({ pages: [[listed('pid')]] }) } })
    const { pid } = await value(call('demo_pid'))
    expect(isAlive(pid)).toBe(true)
    await fiber.dispose()
    expect(isAlive(pid)).toBe(false)
  })

  it('[O1] ends a server that does not answer at once, when it is disposed while that server starts', async () => {
    const { ctx, mount, log } = await host()
    const pidFile = join(directory, 'silent.pid')
    const silent = { ...scriptedServer({ silentAt: 'initialize', pidFile }), startTimeoutMs: 100_000 }
    const mounting = Promise.resolve(mount({ mcpServers: { silent } })).catch(() => {})
    const pid = await vi.waitFor(() => {
      const read = Number(readFileSync(pidFile, 'utf8'))
      expect(read).toBeGreaterThan(0)
      return read
    }, 10_000)
    await ctx.fiber.dispose()
    await mounting
    expect(isAlive(pid)).toBe(false)
    expect(log.filter((line) => line.startsWith('error'))).toEqual([])
  })

  it('[O1] refuses a configuration with MCP_CONFIG, naming the place', async () => {
    const { mount } = await host()
    const error = await failure(mount({ mcpServers: { demo: { command: '' } } }))
    expect(error.code).toBe('MCP_CONFIG')
    expect(error.message).toContain('mcpServers.demo.command must not be empty')
  })

  it('[O1] starts no server that is disabled', async () => {
    const { mount, names } = await host()
    await mount({ mcpServers: { demo: { command: 'runcell-no-such-command', disabled: true } } })
    expect(names()).toEqual([])
  })
})
