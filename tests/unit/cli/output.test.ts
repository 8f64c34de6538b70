import { describe, expect, it } from 'vitest'
import { failureOf, failureToJson, Output } from '../../../src/cli/output.ts'
import { ERROR_CODES } from '../../../src/errors/codes.ts'
import { HarnessError } from '../../../src/errors/harness-error.ts'

function streams(isTTY: boolean) {
  const written = { stdout: '', stderr: '' }
  const output = new Output(
    { isTTY, write: (text) => (written.stdout += text) },
    { isTTY, write: (text) => (written.stderr += text) },
  )
  return { output, written }
}

describe('Output', () => {
  it('[P1] writes results to stdout and everything else to stderr', () => {
    const { output, written } = streams(false)
    output.log('a line', 'warn')
    output.note('a note')
    output.result('raw "text"')
    output.result({ a: [1] })
    output.result(undefined)
    output.json({ ok: true, logs: ['a\nb'] })
    expect(written.stderr).toBe('a line\na note\n')
    expect(written.stdout).toBe('raw "text"\n{\n  "a": [\n    1\n  ]\n}\n{"ok":true,"logs":["a\\nb"]}\n')
  })

  it('[P1] gives a failure its code and what to do', () => {
    const { output, written } = streams(false)
    output.failure(failureOf(new HarnessError('MCP_CONFIG', 'mcp.json is refused')))
    expect(written.stderr).toBe(
      `error [MCP_CONFIG]: mcp.json is refused\nwhat to do: ${ERROR_CODES.MCP_CONFIG.remedy}\n`,
    )
    expect(written.stdout).toBe('')
  })

  it('[P1] leaves out what to do where the message says it', () => {
    const { output, written } = streams(false)
    output.failure(failureOf(new HarnessError('INVALID_CONFIG', 'x.ts does not exist. Name a file.')))
    expect(written.stderr).toBe('error [INVALID_CONFIG]: x.ts does not exist. Name a file.\n')
  })

  it.each([new Error('plain'), 'text', { code: 'toString' }])(
    '[P1] shows %j without a code and without a remedy',
    (thrown) => {
      const { output, written } = streams(false)
      output.failure(failureOf(thrown))
      expect(written.stderr).toMatch(/^error: [^\n]+\n$/)
      expect(failureToJson(failureOf(thrown))).toMatchObject({ code: null })
    },
  )

  it('[P1] lets no escape sequence of a program reach a terminal, and changes nothing in a pipe', () => {
    const hostile = '\u001b]0;owned\u0007text\u001b[2J'
    const terminal = streams(true)
    terminal.output.result(hostile)
    terminal.output.note(hostile)
    expect(terminal.written).toEqual({ stdout: 'text\n', stderr: 'text\n' })
    const pipe = streams(false)
    pipe.output.result(hostile)
    expect(pipe.written.stdout).toBe(`${hostile}\n`)
  })
})
