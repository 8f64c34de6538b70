// The gate must be able to fail: made-up sources and made-up contracts that it has to see through.
import { describe, expect, it } from 'vitest'
import { contractPage } from '../../scripts/docs/contract-page.ts'
import { type CitationScan, scanSource } from './citations.ts'
import type { Clause, ContractSection } from './clause.ts'
import { gateProblems, plannedWithTests } from './gate.ts'

const cited = (source: string): string[] => scanSource('some.test.ts', source).citations.map((citation) => citation.id)
const problems = (source: string): readonly string[] => scanSource('some.test.ts', source).problems

describe('citations', () => {
  it.each([
    ["it('[C7] denies', () => {})", ['C7']],
    ["test('[H2, H14] names', () => {})", ['H2', 'H14']],
    ["it('both [A1] and [A2]', () => {})", ['A1', 'A2']],
    ["it.each(rows)('[A1] refuses %s', (row) => {})", ['A1']],
    ["it.skipIf(!linux)('[K2] samples memory', () => {})", ['K2']],
    [`for (const row of rows) it(\`[A1] refuses \${row.name} [B1]\`, () => {})`, ['A1', 'B1']],
    ["it('[A1] ' + name, () => {})", ['A1']],
    ["describe('[B1] scopes', () => { it('one', () => {}) })", ['B1']],
    ["describe('[B1] scopes', () => { describe('x', () => { it.each(r)('y', f) }) })", ['B1']],
  ])('are read from %s', (source, ids) => {
    expect(cited(source)).toEqual(ids)
  })

  it.each([
    ["// it('[C7] denies')", 'a comment'],
    ["const text = '[C7] denies'", 'another string'],
    ["expect(x, '[C7] denies')", 'another call'],
    ["it.fails('[C7] denies', () => {})", 'an expected failure'],
    ["describe('[B1] scopes', () => { helper() })", 'a group without a test'],
    ["it('reads args.items[3].when', () => {})", 'brackets that hold no id'],
  ])('are not read from %s (%s)', (source) => {
    expect(cited(source)).toEqual([])
  })

  it.each([
    ["it('[C7-C9] ranges', () => {})", 'C7-C9'],
    ["it('[C7 C9] no comma', () => {})", 'C7 C9'],
    ["it.skip('x', () => {})", '.skip'],
    ["describe.only('x', () => {})", '.only'],
    ["it.todo('x')", '.todo'],
    ["it.only.each(rows)('x', () => {})", '.only'],
  ])('complain of %s', (source, part) => {
    expect(problems(source)).toHaveLength(1)
    expect(problems(source)[0]).toContain(part)
  })
})

describe('the gate', () => {
  const clause = (id: string, status: Clause['status'] = 'planned'): Clause => ({
    id,
    text: 'Something | else.',
    status,
  })
  const section = (...clauses: Clause[]): ContractSection => ({ letter: 'A', title: 'Some', clauses })
  const scan = (...ids: string[]): CitationScan => ({
    citations: ids.map((id) => ({ id, file: 'tests/some.test.ts', line: 1 })),
    problems: [],
  })

  it('passes a contract whose held clauses are cited', () => {
    expect(gateProblems([section(clause('A1', 'held'), clause('A2'))], scan('A1'))).toEqual([])
  })

  it.each([
    ['a held clause without a test', [section(clause('A1', 'held'))], scan(), 'A1 is marked held'],
    ['a part without a note', [section(clause('A1', 'part'))], scan('A1'), 'A1 is marked part'],
    [
      'a held clause that lacks something',
      [section({ ...clause('A1', 'held'), missing: 'x' })],
      scan('A1'),
      'A1 is marked held: a clause says what is missing',
    ],
    ['an id that does not exist', [section(clause('A1'))], scan('A2'), 'cites A2'],
    ['an id that is there twice', [section(clause('A1'), clause('A1'))], scan(), 'should be A2'],
    ['a clause that was dropped', [section(clause('A1'), clause('A3'))], scan(), 'should be A2'],
    ['a clause of another letter', [section(clause('B1'))], scan(), 'should be A1'],
    ['a section that is there twice', [section(), section()], scan(), 'there twice'],
    ['an empty clause', [section({ ...clause('A1'), text: ' ' })], scan(), 'promises nothing'],
    ['what the scan complained of', [section()], { citations: [], problems: ['x uses .skip'] }, '.skip'],
  ])('fails on %s', (_name, sections, found, part) => {
    expect(gateProblems(sections, found)).toEqual([expect.stringContaining(part)])
  })

  it('names planned clauses that have tests', () => {
    expect(plannedWithTests([section(clause('A1', 'held'), clause('A2'), clause('A3'))], scan('A1', 'A2'))).toEqual([
      'A2',
    ])
  })

  it('writes a page whose cells survive pipes and whose links lead to the tests', () => {
    const page = contractPage([section(clause('A1', 'held'))], scan('A1', 'A1').citations)
    expect(page).toContain('| A1 | Something \\| else. | **held** | [some](../tests/some.test.ts) |')
    expect(page).toContain('1 of 1 clauses are held, 0 more in part.')
  })
})
