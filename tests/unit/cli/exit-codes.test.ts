import { expect, it } from 'vitest'
import { EXIT_CODE_HELP, EXIT_CODES, exitCodeFor } from '../../../src/cli/exit-codes.ts'

it.each([
  ['CODE_RUN_FAILED', 1],
  ['INVALID_CONFIG', 2],
  ['MCP_CONFIG', 2],
  ['MCP_SERVER', 3],
  ['SOMETHING_NEW', 3],
  ['toString', 3],
  [undefined, 3],
])('[P1] %s ends with %i', (code, exitCode) => {
  expect(exitCodeFor(code)).toBe(exitCode)
})

it('[P1] no two meanings share a code, and the help names those that people meet', () => {
  const codes = Object.values(EXIT_CODES)
  expect(new Set(codes).size).toBe(codes.length)
  for (const code of codes.filter((each) => each !== EXIT_CODES.terminated)) {
    expect(EXIT_CODE_HELP).toMatch(new RegExp(`^ *${code}  `, 'm'))
  }
})
