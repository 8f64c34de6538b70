import { describe, expect, it } from 'vitest'
import { nearestNames } from '../../../src/errors/nearest.ts'

const known = ['read_file', 'write_file', 'list_directory', 'search', '__proto__']

describe('nearest names', () => {
  it.each([
    ['readFile', ['read_file']],
    ['raed_file', ['read_file']],
    ['searhc', ['search']],
    ['directory', ['list_directory']],
    ['zzzzzz', []],
    ['', []],
  ])('of %j are %j', (wanted, expected) => {
    expect(nearestNames(wanted, known)).toEqual(expected)
  })

  it('[D14] are none that only happen to be a part of it', () => {
    expect(nearestNames('nope', ['x', 'e', ' ', '--', 'op'])).toEqual([])
    expect(nearestNames('read_file_contents', ['read_file', 'e'])).toEqual(['read_file'])
  })

  it('stays cheap for hostile names, and gives three at most', () => {
    const many = Array.from({ length: 2_000 }, (_, i) => `tool_${i}`)
    expect(nearestNames('x'.repeat(1_000_000), many)).toEqual([])
    expect(nearestNames('tool_', many)).toHaveLength(3)
  })
})
