import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isAlive, publishedServer, scriptedServer } from '../mcp/servers.ts'
import { repositoryRoot } from '../support/repository.ts'
import { runcell, start } from './command.ts'

let directory: string
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'runcell-cli-'))
})
afterAll(() => rm(directory, { recursive: true }))

async function file(name: string, text: string | object): Promise<string> {
  const path = join(directory, name)
  await writeFile(path, typeof text === 'string' ? text : JSON.stringify(text))
  return path
}

const servers = (mcpServers: object): Promise<string> => file('mcp.json', { mcpServers })
const run = (program: string, ...options: string[]) => runcell(['run', '-', ...options], { stdin: program })

describe('a program that succeeds', () => {
  it('[P1] streams its logs to stderr and gives its result on stdout', async () => {
    expect(await run('console.log("one"); console.warn("two"); return { a: [1] }')).toEqual({
      stdout: '{\n  "a": [\n    1\n  ]\n}\n',
      stderr: 'one\ntwo\n',
      code: 0,
    })
  })

  it('[P1] prints a string raw, and nothing for nothing', async () => {
    expect((await run('return "plain"')).stdout).toBe('plain\n')
    expect((await run('await 0')).stdout).toBe('')
  })

  it('[P1] prints one JSON document with --json', async () => {
    const { stdout, code } = await run('console.log("hi"); return { answer: 42 }', '--json')
    expect(stdout.trim().split('\n')).toHaveLength(1)
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      result: { answer: 42 },
      logs: ['hi'],
      usage: expect.objectContaining({ calls: 0, wallMs: expect.any(Number), cpuMs: expect.any(Number) }),
      calls: [],
    })
    expect(code).toBe(0)
  })

  it('[P1] reads a file, calls tools of a real server, and traces the sub-calls with --trace', async () => {
    const mcp = await servers({ files: publishedServer('filesystem', [directory]) })
    const data = await file('data.txt', 'forty-two')
    const program = await file(
      'read.ts',
      `interface Answer { content: string }
       const [a, b]: Answer[] = await Promise.all([1, 2].map(() => tools.files_read_text_file({ path: ${JSON.stringify(data)} })))
       return a.content + b.content`,
    )
    const { stdout, stderr, code } = await runcell(['run', program, '--mcp', mcp, '--trace'])
    expect(stdout).toBe('forty-twoforty-two\n')
    expect(stderr).toMatch(/^sub-calls: 2 committed$/m)
    expect(stderr).toMatch(/^2 {2}files_read_text_file {2}committed +\d+\.\d$/m)
    expect(code).toBe(0)
  })

  it('[P1] runs the example against the example configuration', async () => {
    const env = { TMPDIR: directory }
    const args = ['run', 'docs/examples/programs/knowledge-graph.ts', '--mcp', 'docs/examples/mcp.json', '--json']
    const { stdout, stderr, code } = await runcell(args, { env })
    expect(stderr).toContain('reading it back')
    const document = JSON.parse(stdout)
    expect(document).toMatchObject({ ok: true, result: { idle: ['Barbara', 'Donald'], leftOver: 0 } })
    expect(document.result.answers.every((answer: { isKnown: boolean }) => answer.isKnown)).toBe(true)
    expect(document.calls.length).toBe(document.usage.calls)
    expect(code).toBe(0)
  })
})

describe('a program that fails', () => {
  it.each<[what: string, program: string, options: string[], kind: string, says: RegExp]>([
    ['throws', 'const x: number = 1\nthrow new TypeError("bad " + x)', [], 'exception', /TypeError: bad 1/],
    ['has a syntax error', 'const a = 1\nconst b = = 2', [], 'exception', /SyntaxError[\s\S]*2/],
    ['never ends', 'for (;;) {}', ['--compute-ms', '300'], 'timeout', /300/],
    ['waits too long', 'await new Promise((r) => setTimeout(r, 60000))', ['--timeout-ms', '400'], 'timeout', /400/],
    [
      'eats memory',
      'const a = []; for (;;) a.push(new Array(1e5).fill(1.5))',
      ['--memory-mb', '64'],
      'worker-exit',
      /64/,
    ],
    ['waits for nothing', 'await new Promise(() => {})', [], 'stalled', /never|nothing|wait/],
    ['returns what is no JSON', 'return new Map()', [], 'invalid-output', /Map/],
    ['calls a tool that is not there', 'return await tools.nothing_here({})', [], 'exception', /nothing_here/],
  ])('[P1] %s: code 1, and a message that says what happened', async (_what, program, options, kind, says) => {
    const { stdout, stderr, code } = await run(program, '--json', ...options)
    const document = JSON.parse(stdout)
    expect(document).toMatchObject({ ok: false, error: { code: 'CODE_RUN_FAILED', kind } })
    expect(document.error.message).toMatch(says)
    expect(document.error.remedy).toEqual(expect.any(String))
    expect(stderr).toMatch(/^error \[CODE_RUN_FAILED\]: code run failed/m)
    expect(code).toBe(1)
  })

  it('[P1] keeps what it said before it failed', async () => {
    const { stdout, stderr } = await run('console.log("before"); throw new Error("then")', '--json')
    expect(JSON.parse(stdout).logs).toEqual(['before'])
    // Streamed, and not repeated in the failure.
    expect(stderr.match(/^before$/gm)).toHaveLength(1)
  })

  it('[P1] tells which call of a failed program had effects', async () => {
    const mcp = await servers({
      demo: scriptedServer({ pages: [[{ name: 'echo', inputSchema: { type: 'object' } }]] }),
    })
    const { stdout } = await run('await tools.demo_echo({}); throw new Error("half way")', '--mcp', mcp, '--json')
    expect(JSON.parse(stdout).calls).toMatchObject([{ name: 'demo_echo', outcome: 'committed' }])
  })
})

/** Any program that is there. */
const PROGRAM = 'docs/examples/programs/folder-graph.ts'

describe('bad usage and configuration', () => {
  it.each<[what: string, args: string[], says: string]>([
    ['a missing program', ['run', 'no-such.ts'], 'The program file no-such.ts does not exist'],
    ['a directory', ['run', 'docs'], 'docs is a directory'],
    ['a Python program', ['run', 'x.py'], 'TypeScript only'],
    ['a file of another kind', ['run', 'README.md'], 'The language of README.md is not known'],
    ['a missing configuration', ['run', PROGRAM, '--mcp', 'no-such.json'], 'no-such.json does not exist'],
    ['a configuration that is a directory', ['run', PROGRAM, '--mcp', 'docs'], 'docs is a directory'],
    ['no file', ['run'], "missing required argument 'file'"],
    ['an unknown option', ['run', '-', '--nope'], "unknown option '--nope'"],
    ['an unknown command', ['fly'], "unknown command 'fly'"],
    ['a budget of zero', ['run', '-', '--timeout-ms', '0'], 'positive whole number'],
    ['a budget that a run refuses', ['run', PROGRAM, '--memory-mb', '1'], 'memoryMb'],
  ])('[P1] %s: code 2', async (_what, args, says) => {
    const { stdout, stderr, code } = await runcell(args)
    expect(stderr).toContain(says)
    expect(stdout).toBe('')
    expect(code).toBe(2)
  })

  it('[P1] a broken mcp.json: code 2 with file, line and column, also as JSON', async () => {
    const mcp = await file('broken.json', '{\n  "mcpServers": {,}\n}')
    const { stdout, stderr, code } = await run('return 1', '--mcp', mcp, '--json')
    expect(stderr).toContain(`error [MCP_CONFIG]: ${mcp}:2:18 is not JSON`)
    expect(stderr).toMatch(/^what to do: /m)
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'MCP_CONFIG' }, logs: [], calls: [] })
    expect(code).toBe(2)
  })

  it('[P1] an empty program: code 2, and what a program is', async () => {
    const path = await file('empty.ts', '  \n')
    const { stderr, code } = await runcell(['run', path])
    expect(stderr).toMatch(/is empty\. A program is the body/)
    expect(code).toBe(2)
  })

  it('[P1] a directory with the ending of a program: code 2', async () => {
    const { mkdir } = await import('node:fs/promises')
    const path = join(directory, 'folder.ts')
    await mkdir(path)
    const { stderr, code } = await runcell(['run', path])
    expect(stderr).toContain('is a directory')
    expect(code).toBe(2)
  })
})

describe('servers', () => {
  it('[P1] one that does not start: code 3 with its command and what it wrote', async () => {
    const mcp = await servers({ broken: scriptedServer({ exitAt: 'initialize', stderr: 'DEMO_TOKEN is not set\n' }) })
    const { stderr, code } = await run('return 1', '--mcp', mcp)
    expect(stderr).toContain('error [MCP_SERVER]: MCP server "broken" did not start')
    expect(stderr).toContain('  DEMO_TOKEN is not set')
    expect(stderr).toContain('what to do: ')
    expect(code).toBe(3)
  })

  it('[P1] one that dies in a call fails that call, and the program goes on', async () => {
    const pages = [[{ name: 'exit', inputSchema: { type: 'object' } }]]
    const mcp = await servers({ demo: scriptedServer({ pages }) })
    const program =
      'try { await tools.demo_exit({}) } catch (e) { return [e instanceof ToolCallError, e.toolName, e.message] }'
    const { stdout, code } = await run(program, '--mcp', mcp, '--json')
    const document = JSON.parse(stdout)
    expect(document.result).toEqual([true, 'demo_exit', expect.stringContaining('MCP server "demo" was lost')])
    expect(document.calls).toMatchObject([{ outcome: 'unknown' }])
    expect(code).toBe(0)
  })
})

describe('signals', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('[P1] %s aborts the program, ends the servers and exits with %i', async (signal, code) => {
    const pages = [[{ name: 'pid', inputSchema: { type: 'object' } }]]
    const mcp = await servers({ demo: scriptedServer({ pages }) })
    const program = await file(
      'wait.ts',
      'console.log("pid " + (await tools.demo_pid({})).pid)\nawait new Promise((r) => setTimeout(r, 60000))',
    )
    const running = start(['run', program, '--mcp', mcp, '--json'])
    await running.seen(/^pid \d+$/m)
    running.child.kill(signal)
    const ended = await running.ended
    expect(ended.code).toBe(code)
    expect(JSON.parse(ended.stdout)).toMatchObject({ ok: false, error: { kind: 'abort' } })
    const pid = Number(/pid (\d+)/.exec(ended.stderr)?.[1])
    expect(isAlive(pid)).toBe(false)
  })

  it('[P1] SIGINT while a server starts ends it and exits with 130', async () => {
    const pidFile = join(directory, 'silent.pid')
    const mcp = await servers({ demo: scriptedServer({ silentAt: 'initialize', pidFile }) })
    const running = start(['run', '-', '--mcp', mcp], { stdin: 'return 1' })
    const pid = await vi.waitFor(async () => {
      const read = Number(await readFile(pidFile, 'utf8'))
      expect(read).toBeGreaterThan(0)
      return read
    }, 20_000)
    running.child.kill('SIGINT')
    const { code, stderr, stdout } = await running.ended
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' })
    expect(stderr).toContain('Interrupted before the program started')
    expect(isAlive(pid)).toBe(false)
  })
})

describe('help', () => {
  it('[P1] names options, examples and exit codes', async () => {
    const { stdout, code } = await runcell(['run', '--help'])
    for (const part of ['--mcp <file>', '--json', '--trace', '--timeout-ms <n>', 'Examples:', 'Exit codes:']) {
      expect(stdout).toContain(part)
    }
    expect(code).toBe(0)
  })

  it('[P1] gives the version of the package', async () => {
    const { version } = JSON.parse(await readFile(join(repositoryRoot, 'package.json'), 'utf8'))
    expect(await runcell(['--version'])).toEqual({ stdout: `${version}\n`, stderr: '', code: 0 })
  })
})
