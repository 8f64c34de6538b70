import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { HarnessError } from '../../../src/errors/harness-error.ts'
import { loadMcpConfig, parseMcpConfig } from '../../../src/mcp/config.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'runcell-config-'))
})
afterAll(() => rm(directory, { recursive: true }))

/** `${…}` as a file has it. */
const ref = (name: string): string => `$\{${name}}`

async function file(text: string): Promise<string> {
  const path = join(directory, 'mcp.json')
  await writeFile(path, text)
  return path
}

async function refusal(act: () => unknown): Promise<HarnessError> {
  try {
    await act()
  } catch (error) {
    if (HarnessError.is(error)) return error
    throw error
  }
  throw new Error('accepted')
}

describe('parseMcpConfig', () => {
  it('[O1] fills in defaults and passes over what other hosts write beside', () => {
    const { mcpServers, onStartFailure } = parseMcpConfig({
      $schema: 'https://example.org/mcp.json',
      inputs: [],
      mcpServers: { files: { command: 'files', type: 'stdio', autoApprove: ['read'] } },
    })
    expect(onStartFailure).toBe('throw')
    expect(mcpServers).toEqual({
      files: { command: 'files', args: [], env: {}, startTimeoutMs: 30_000, disabled: false },
    })
  })

  it.each<[input: unknown, says: string]>([
    [undefined, 'must be an object with an "mcpServers" object'],
    [[], 'must be an object with an "mcpServers" object'],
    [{ servers: {} }, '"mcpServers" is missing (found: servers)'],
    [{ mcpServers: [] }, 'mcpServers must be an object'],
    [{ mcpServers: { a: {} } }, 'mcpServers.a.command is missing'],
    [{ mcpServers: { a: { command: 1 } } }, 'mcpServers.a.command must be a string'],
    [{ mcpServers: { a: { command: '' } } }, 'mcpServers.a.command must not be empty'],
    [{ mcpServers: { a: null } }, 'mcpServers.a must be an object with a "command"'],
    [{ mcpServers: { a: { command: 'x', args: ['y', 2] } } }, 'mcpServers.a.args[1] must be a string'],
    [{ mcpServers: { a: { command: 'x', args: 'y' } } }, 'mcpServers.a.args must be a list of strings'],
    [{ mcpServers: { a: { command: 'x', env: { KEY: 1 } } } }, 'mcpServers.a.env.KEY must be a string'],
    [
      { mcpServers: { 'a b': { command: 'x', startTimeoutMs: 0 } } },
      'mcpServers["a b"].startTimeoutMs must be positive',
    ],
    [{ mcpServers: { a: { command: 'x', startTimeoutMs: 2 ** 31 } } }, 'at most 2147483647'],
    [{ mcpServers: { a: { url: 'https://example.org/mcp' } } }, 'mcpServers.a has a "url"'],
    [{ mcpServers: { '': { command: 'x' } } }, 'mcpServers[""] is no usable server name'],
    [JSON.parse('{"mcpServers":{"__proto__":{"command":"x"}}}'), 'is no usable server name'],
    [{ mcpServers: {}, onStartFailure: 'ignore' }, 'onStartFailure must be "throw" or "warn"'],
  ])('[O1] refuses %j and names the place', async (input, says) => {
    const error = await refusal(() => parseMcpConfig(input, 'my.json'))
    expect(error.code).toBe('MCP_CONFIG')
    expect(error.message).toMatch(/^my\.json is refused:\n- /)
    expect(error.message).toContain(says)
    expect(error.message).toContain('Expected: { "mcpServers"')
  })

  it('[O1] names every place that is wrong, not the first alone', async () => {
    const error = await refusal(() => parseMcpConfig({ mcpServers: { a: { args: [] }, b: { command: 'x', cwd: 1 } } }))
    expect(error.message).toContain('mcpServers.a.command is missing')
    expect(error.message).toContain('mcpServers.b.cwd must be a string')
  })
})

describe('loadMcpConfig', () => {
  it.each([
    ['{ "mcpServers": {\n  "a": { "command": "x", }\n} }', ':2:26 is not JSON: a comma before "}" is not allowed'],
    ['', ':1:1 is not JSON: the text ends where a value is expected'],
    ['// servers\n{}', ':1:1 is not JSON: comments are not allowed in JSON'],
  ])('[O1] gives file, line and column of %j', async (text, says) => {
    const path = await file(text)
    const error = await refusal(() => loadMcpConfig(path))
    expect(error.code).toBe('MCP_CONFIG')
    expect(error.message).toContain(`${path}${says}`)
  })

  it('[O1] tells a missing file from a directory', async () => {
    expect((await refusal(() => loadMcpConfig(join(directory, 'none.json')))).message).toContain('does not exist')
    expect((await refusal(() => loadMcpConfig(directory))).message).toContain('is a directory')
  })

  it('[O1] replaces variables, with defaults, in commands, arguments, directories and values of env', async () => {
    const path = await file(
      JSON.stringify({
        mcpServers: {
          a: {
            command: `${ref('BIN')}/server`,
            args: [`--dir=${ref('DIR:-/data')}`, '$HOME', ref('EMPTY:-given')],
            env: { TOKEN: ref('TOKEN') },
            cwd: ref('DIR:-/work'),
          },
        },
      }),
    )
    const { mcpServers } = await loadMcpConfig(path, { BIN: '/opt', TOKEN: ref('BIN'), EMPTY: '' })
    expect(mcpServers['a']).toMatchObject({
      command: '/opt/server',
      args: ['--dir=/data', '$HOME', 'given'],
      // What a variable holds is not expanded again.
      env: { TOKEN: ref('BIN') },
      cwd: '/work',
    })
  })

  it('[O1] refuses a variable that is not set, by name and place', async () => {
    const path = await file(`{"mcpServers":{"a":{"command":"x","env":{"TOKEN":"${ref('RUNCELL_NO_SUCH')}"}}}}`)
    const error = await refusal(() => loadMcpConfig(path, {}))
    expect(error.code).toBe('MCP_CONFIG')
    expect(error.message).toContain('mcpServers.a.env.TOKEN needs the environment variable RUNCELL_NO_SUCH')
  })
})
