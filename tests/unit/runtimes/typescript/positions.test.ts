import { describe, expect, it } from 'vitest'
import { codeFrame, describeException, syntaxError } from '../../../../runtimes/typescript/positions.ts'

const PROGRAM = 'const one = 1\nconst two = 2\nconst three = ;\nconst four = 4\nconst five = 5\nconst six = 6'

describe('code frames', () => {
  it('[L1] shows the line, its neighbours and the column', () => {
    expect(codeFrame(PROGRAM, 3, 15)).toBe(
      [
        '  1 | const one = 1',
        '  2 | const two = 2',
        '> 3 | const three = ;',
        '    |               ^',
        '  4 | const four = 4',
        '  5 | const five = 5',
      ].join('\n'),
    )
  })

  it('[L1] at the edges, and past them', () => {
    expect(codeFrame('x', 1, 1)).toBe('> 1 | x\n    | ^')
    expect(codeFrame('x', 1, 2)).toBe('> 1 | x\n    |  ^')
    expect(codeFrame('', 1, 1)).toBe('> 1 |\n    | ^')
    expect(codeFrame('x\n', 2, 1)).toBe('  1 | x\n> 2 |\n    | ^')
    expect(codeFrame(PROGRAM, 99, 1).length).toBeLessThan(200)
  })

  it('[L1] line numbers line up, tabs count as one, every kind of line end counts', () => {
    const program = Array.from({ length: 12 }, (_, i) => `line ${i + 1}`).join('\r\n')
    expect(codeFrame(program, 10, 1)).toBe(
      '   8 | line 8\n   9 | line 9\n> 10 | line 10\n     | ^\n  11 | line 11\n  12 | line 12',
    )
    expect(codeFrame('\tx', 1, 2)).toBe('> 1 |  x\n    |  ^')
    expect(codeFrame('a\u2028b', 2, 1)).toContain('> 2 | b')
  })

  it('[L1] long lines are shown around the column', () => {
    const frame = codeFrame(`${'a'.repeat(5_000)}!${'b'.repeat(5_000)}`, 1, 5_001)
    expect(frame.length).toBeLessThan(400)
    const [line, mark] = frame.split('\n') as [string, string]
    expect(line[mark.indexOf('^')]).toBe('!')
  })
})

describe('syntax errors', () => {
  it('[J2] [L1] are an exception named SyntaxError with line and column', () => {
    expect(syntaxError({ message: 'Expression expected.', line: 3, column: 15 }, PROGRAM, 'program.ts')).toEqual({
      kind: 'exception',
      name: 'SyntaxError',
      message: `SyntaxError: Expression expected. (program.ts:3:15)\n${codeFrame(PROGRAM, 3, 15)}`,
      line: 3,
      column: 15,
    })
  })

  it('[L1] what V8 refuses looks the same', () => {
    expect(
      describeException(
        { name: 'SyntaxError', message: 'Unexpected token', stack: '    at program.ts:3:15' },
        PROGRAM,
        'program.ts',
      ),
    ).toEqual(syntaxError({ message: 'Unexpected token', line: 3, column: 15 }, PROGRAM, 'program.ts'))
  })

  it('[L1] a SyntaxError that the program met while it ran keeps its frames', () => {
    const stack = '    at JSON.parse (<anonymous>)\n    at program.ts:2:3'
    expect(describeException({ name: 'SyntaxError', message: 'bad JSON', stack }, PROGRAM, 'program.ts')).toEqual({
      message: 'SyntaxError: bad JSON',
      name: 'SyntaxError',
      stack,
      line: 2,
      column: 3,
    })
  })
})

describe('exceptions', () => {
  it.each([
    [
      { name: 'TypeError', message: 'no', stack: '    at f (my file.ts:4:5)\n    at my file.ts:9:1' },
      { message: 'TypeError: no', name: 'TypeError', line: 4, column: 5 },
    ],
    [
      { name: 'TypeError', message: '', stack: '' },
      { message: 'TypeError', name: 'TypeError' },
    ],
    [
      { name: '', message: '5 was thrown, which is no Error', stack: '' },
      { message: '5 was thrown, which is no Error' },
    ],
    [
      { name: 'E', message: 'm', stack: '    at other.ts:1:1' },
      { message: 'E: m', name: 'E' },
    ],
    [
      {
        name: 'E',
        message: 'm',
        stack: '    at my file.ts:x:y\n    at my file.ts:99999999999:1\n    at (my file.ts:7:8',
      },
      { message: 'E: m', name: 'E', line: 7, column: 8 },
    ],
  ])('[J2] %j', (exception, expected) => {
    const { stack, ...described } = describeException(exception, PROGRAM, 'my file.ts')
    expect(described).toEqual(expected)
    expect(stack ?? '').toBe(exception.stack)
  })
})
