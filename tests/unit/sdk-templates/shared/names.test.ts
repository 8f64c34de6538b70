import { describe, expect, it } from 'vitest'
import { pascalCase, singular, TypeNames } from '../../../../sdk-templates/shared/names.ts'

describe('names of types', () => {
  it.each([
    ['simple-user', 'SimpleUser'],
    ['simple_user', 'SimpleUser'],
    ['microsoft.graph.message', 'MicrosoftGraphMessage'],
    ['List<string>', 'ListString'],
    ['SimpleUser', 'SimpleUser'],
    ['3d', 'Type3d'],
    ['日本', 'Type'],
    ['', 'Type'],
    ['x'.repeat(200), `X${'x'.repeat(59)}`],
  ])('are identifiers: %s', (hint, name) => expect(pascalCase(hint)).toBe(name))

  it('are given once, with the second hint or a number for the next', () => {
    const names = new TypeNames((name) => name === 'Node')
    expect(names.claim('user')).toBe('User')
    expect(names.claim('User', 'issue user')).toBe('IssueUser')
    expect(names.claim('User', 'issue user')).toBe('IssueUser2')
    expect(names.claim('user')).toBe('User2')
    expect(names.claim('node', 'tree node')).toBe('TreeNode')
    expect(names.claim('node')).toBe('Node2')
  })

  it.each([
    ['labels', 'label'],
    ['entries', 'entry'],
    ['boxes', 'box'],
    ['status', 'status'],
    ['analysis', 'analysis'],
    ['class', 'class'],
    ['data', 'data'],
    ['IDs', 'ID'],
  ])('of items are singular: %s', (plural, name) => expect(singular(plural)).toBe(name))
})
