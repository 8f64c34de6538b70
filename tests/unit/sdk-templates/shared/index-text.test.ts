import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { groupOf, indexLines } from '../../../../sdk-templates/shared/index-text.ts'
import { catalogNames, readCatalog } from '../../../support/catalogs.ts'
import { tool } from '../support.ts'

const tools = (count: number, name: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => tool(name(index), {}, {}, 'Does one thing. Explains it at length.'))

describe('an index', () => {
  it('names the tools with a summary each, in lexicographic order', () => {
    expect(indexLines(tools(2, (index) => (index === 0 ? 'b' : 'B')))).toEqual([
      'B: Does one thing',
      'b: Does one thing',
    ])
    expect(indexLines([tool('x', {})])).toEqual(['x'])
  })

  it('of a larger catalog names them by group', () => {
    const lines = indexLines(tools(120, (index) => `${index % 2 === 0 ? 'repo' : 'issue'}_tool_${index}`))
    expect(lines).toHaveLength(2)
    expect(lines[0]).toMatch(/^issue: issue_tool_1, /)
  })

  it('of the largest counts them, each tool once', () => {
    const lines = indexLines(tools(3000, (index) => `group${index % 400}_tool_${index}`))
    const counted = lines.map((line) =>
      Number(/^\d+ more groups with (\d+)/.exec(line)?.[1] ?? /: (\d+) \(/.exec(line)?.[1]),
    )
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(3000)
  })

  it('is bounded whatever the names', () => {
    const names = fc.array(fc.string({ unit: 'binary', maxLength: 400 }), { maxLength: 60 })
    fc.assert(
      fc.property(names, (all) => indexLines(all.map((name) => tool(name, {}, {}, name))).join('\n').length < 4000),
      { seed: 3, numRuns: 100 },
    )
    const lengths = catalogNames().map((name) => indexLines(readCatalog(name).tools).join('\n').length)
    expect(Math.max(...lengths)).toBeLessThan(3200)
  })

  it.each([
    ['read_file', 'read'],
    ['API-get-user', 'API'],
    ['getUser', 'get'],
    ['GetUser', 'Get'],
    ['_private', '_private'],
    ['日本', '日本'],
    ['', ''],
  ])('puts %s into the group %s', (name, group) => expect(groupOf(name)).toBe(group))
})
