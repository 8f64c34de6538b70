import { describe, expect, it } from 'vitest'
import { StderrTail, withoutControls } from '../../../src/mcp/stderr-tail.ts'

describe('StderrTail', () => {
  it('keeps the last lines, whatever came before', () => {
    const tail = new StderrTail()
    for (let line = 0; line < 5_000; line += 1) tail.append(`line ${line}\n`)
    tail.append('x'.repeat(1_000_000))
    tail.append('\nlast words\n\n')
    const lines = tail.lines()
    expect(lines.at(-1)).toBe('last words')
    expect(lines.length).toBeLessThanOrEqual(12)
    expect(lines.join('').length).toBeLessThanOrEqual(8_192)
  })

  it('is empty for a server that said nothing', () => {
    const tail = new StderrTail()
    tail.append('\n  \n')
    expect(tail.lines()).toEqual([])
  })
})

it.each([
  ['\u001b[31mred\u001b[0m', 'red'],
  ['\u001b]0;title\u0007text', 'text'],
  ['\u001b]8;;https://example.org\u001b\\link', 'link'],
  ['a\r\nb\rc', 'a\nb\nc'],
  ['bell\u0007 back\b tab\t', 'bell back tab\t'],
  ['\u009b31mC1', '31mC1'],
  ['no escape \u001b', 'no escape '],
])('withoutControls makes %j harmless', (text, expected) => {
  expect(withoutControls(text)).toBe(expected)
})

it('[O4] keeps the line that names an error in front of the end of its stack', () => {
  const tail = new StderrTail()
  tail.append(`booting\nError: Cannot find module 'left-pad'\n${'    at Module._load (node:internal)\n'.repeat(20)}}\n`)
  const lines = tail.lines()
  expect(lines[0]).toBe("Error: Cannot find module 'left-pad'")
  expect(lines).toHaveLength(12)
  expect(lines.at(-1)).toBe('}')
})
