import { describe, expect, it } from 'vitest'
import { CC_TO_HARNESS_TOOLS, KNOWN_HARNESS_TOOLS } from '../../../src/cc-names/map.ts'
import { ccCanonicalToolName, ccToolAliases, translateToolNames } from '../../../src/cc-names/translate.ts'
import { rawTool, testCell } from '../../support/cells.ts'

const PROTOTYPE_NAMES = ['constructor', '__proto__', 'toString', 'hasOwnProperty']

describe('the tables', () => {
  it('[N1, N2] lead from each Claude Code name to known harness names', () => {
    expect(Object.keys(CC_TO_HARNESS_TOOLS)).toHaveLength(22)
    expect(CC_TO_HARNESS_TOOLS['Read']).toEqual(['read', 'read_image'])
    expect(CC_TO_HARNESS_TOOLS['Task']).toEqual(['subagent', 'subagent_fork'])
    for (const tools of Object.values(CC_TO_HARNESS_TOOLS)) {
      for (const tool of tools) expect(KNOWN_HARNESS_TOOLS.has(tool)).toBe(true)
    }
    expect(KNOWN_HARNESS_TOOLS.has('ralph')).toBe(true)
    expect(KNOWN_HARNESS_TOOLS.size).toBe(31)
    expect(Object.isFrozen(CC_TO_HARNESS_TOOLS) && Object.isFrozen(CC_TO_HARNESS_TOOLS['Read'])).toBe(true)
  })
})

describe('translation', () => {
  it('[N3] keeps the order of first occurrence, without duplicates, and strips arguments', () => {
    expect(translateToolNames(['Bash(git status)', 'Edit', 'MultiEdit', ' Read ', 'bash'], 'strict')).toEqual([
      'bash',
      'edit',
      'read',
      'read_image',
    ])
  })

  it('[N3] strict passes unknown names on, so that restrict fails with its own error', async () => {
    expect(translateToolNames(['Frobnicate(x)', 'Read'], 'strict')).toEqual(['Frobnicate', 'read', 'read_image'])
    expect(translateToolNames([], 'strict')).toEqual([])
    const cell = await testCell({ tools: [rawTool('read', () => 1)], isolation: 'in-process' })
    const agent = cell.agent({ id: 'a' })
    const allow = translateToolNames(['Frobnicate'], 'strict') ?? []
    expect(() => agent.ctx.tools.restrict({ allow })).toThrow(/Frobnicate/)
  })

  it('[N3] lenient drops unknown names with a diagnostic each, and gives undefined when none is left', () => {
    const told: string[] = []
    expect(translateToolNames(['Nope', 'Grep', 'Nada'], 'lenient', (message) => told.push(message))).toEqual(['grep'])
    expect(told).toEqual([expect.stringContaining('"Nope"'), expect.stringContaining('"Nada"')])
    told.length = 0
    expect(translateToolNames(['Nope'], 'lenient', (message) => told.push(message))).toBeUndefined()
    expect(told).toHaveLength(2)
    expect(translateToolNames([], 'lenient', (message) => told.push(message))).toBeUndefined()
    expect(told).toHaveLength(3)
  })

  it('[N4] takes names of a prototype for ordinary unknown names', () => {
    for (const name of PROTOTYPE_NAMES) {
      expect(translateToolNames([name], 'strict')).toEqual([name])
      expect(translateToolNames([name], 'lenient')).toBeUndefined()
      expect(ccToolAliases(name)).toEqual([name])
      expect(ccCanonicalToolName(name)).toBe(name)
    }
  })
})

describe('aliases', () => {
  it.each([
    ['read', ['read', 'Read']],
    ['edit', ['edit', 'Edit', 'MultiEdit']],
    ['Bash', ['Bash', 'bash']],
    ['Read', ['Read', 'read', 'read_image']],
    ['Sleep', ['Sleep']],
    ['frobnicate', ['frobnicate']],
  ])('[N4] of %s are %j', (name, aliases) => {
    expect(ccToolAliases(name)).toEqual(aliases)
  })

  it.each([
    ['subagent', 'Task'],
    ['edit', 'Edit'],
    ['read_image', 'Read'],
    ['Bash', 'Bash'],
    ['create_goal', 'create_goal'],
  ])('[N4] the Claude Code name of %s is %s', (name, canonical) => {
    expect(ccCanonicalToolName(name)).toBe(canonical)
  })
})
