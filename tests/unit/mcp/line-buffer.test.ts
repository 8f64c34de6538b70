import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LineBuffer } from '../../../src/mcp/line-buffer.ts'

it('gives the same lines however the bytes are cut', () => {
  const line = fc
    .string({ unit: fc.constantFrom('a', 'é', '😀', '"', '\\', '\r', ' ') })
    .map((text) => text.replace(/\r+$/, ''))
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 8 }),
      fc.array(fc.nat(40), { maxLength: 12 }),
      fc.boolean(),
      (lines, cuts, isCrlf) => {
        const bytes = Buffer.from(lines.map((each) => each + (isCrlf ? '\r\n' : '\n')).join(''))
        const buffer = new LineBuffer(10_000)
        const got: string[] = []
        let from = 0
        for (const cut of cuts) {
          got.push(...buffer.push(bytes.subarray(from, from + cut)))
          from += cut
        }
        got.push(...buffer.push(bytes.subarray(from)))
        expect(got).toEqual(lines)
      },
    ),
    { seed: 5, numRuns: 300 },
  )
})

it('refuses a line beyond the bound, also one that never ends, and takes lines at the bound one after the other', () => {
  const buffer = new LineBuffer(4)
  expect(buffer.push(Buffer.from('1234\n1234\n12'))).toEqual(['1234', '1234'])
  expect(() => buffer.push(Buffer.from('345'))).toThrow(RangeError)
  const endless = new LineBuffer(4)
  endless.push(Buffer.from('123'))
  expect(() => endless.push(Buffer.from('45'))).toThrow('more than 4 bytes')
})
