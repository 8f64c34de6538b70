import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exposedName, MAX_TOOL_NAME_LENGTH } from '../../../src/mcp/names.ts'

describe('exposedName', () => {
  it.each([
    ['filesystem', 'read_file', 'filesystem_read_file'],
    ['git-hub', 'list-issues', 'git-hub_list-issues'],
    ['a', '__proto__', 'a___proto__'],
  ])('[O4] is <server>_<tool> as they stand: %s, %s', (server, tool, name) => {
    expect(exposedName(server, tool, [server])).toBe(name)
  })

  it.each([
    ['a character that is replaced', 'files', 'read.file', /^files_read_file_[\da-f]{8}$/],
    ['a space in the server', 'my files', 'read', /^my_files_read_[\da-f]{8}$/],
    ['a character outside the basic plane', 'a', '📁', /^a_+[\da-f]{8}$/],
    ['a name that is too long', 'files', 'x'.repeat(80), /^files_x{49}_[\da-f]{8}$/],
    ['the reserved name', 'run', 'code', /^run_code_[\da-f]{8}$/],
  ])('[O4] ends in a hash after %s', (_why, server, tool, pattern) => {
    expect(exposedName(server, tool, [server])).toMatch(pattern)
  })

  it('[O4] keeps servers apart whose names read into each other, whichever tools they have', () => {
    const peers = ['a', 'a_b', 'a.b']
    const names = [exposedName('a', 'b_c', peers), exposedName('a_b', 'c', peers), exposedName('a.b', 'c', peers)]
    expect(new Set(names).size).toBe(3)
    expect(names[1]).toBe('a_b_c')
    // Without such a neighbour the plain name stands.
    expect(exposedName('a', 'b_c', ['a'])).toBe('a_b_c')
    expect(exposedName('a', 'c', peers)).toBe('a_c')
  })

  it('[O4] gives different tools different names, all portable and at most 64 characters', () => {
    const part = fc.oneof(
      fc.constantFrom('a', 'b', 'a_b', 'a.b', 'a-b', 'b_a', 'a_', '_a', 'run', 'code'),
      fc.string({ minLength: 1, maxLength: 90, unit: fc.constantFrom('a', 'b', '_', '.', ' ', 'é', '😀', '-') }),
    )
    fc.assert(
      fc.property(fc.uniqueArray(fc.tuple(part, part), { minLength: 2, maxLength: 12, selector: String }), (tools) => {
        const peers = [...new Set(tools.map(([server]) => server))]
        const pairs = new Set(tools.map((pair) => JSON.stringify(pair)))
        const names = new Set<string>()
        for (const pair of pairs) {
          const [server, tool] = JSON.parse(pair) as [string, string]
          const name = exposedName(server, tool, peers)
          expect(name).toMatch(/^[A-Za-z0-9_-]+$/)
          expect(name.length).toBeLessThanOrEqual(MAX_TOOL_NAME_LENGTH)
          // Order of the configuration changes nothing.
          expect(exposedName(server, tool, [...peers].reverse())).toBe(name)
          names.add(name)
        }
        expect(names.size).toBe(pairs.size)
      }),
      { seed: 11, numRuns: 500 },
    )
  })
})
