// What the contract's data and the tests' titles must agree on. Pure, so that it can be attacked with made-up input.
import type { CitationScan } from './citations.ts'
import type { ContractSection } from './clause.ts'

/** Sentences about what is wrong; empty when all is well. */
export function gateProblems(sections: readonly ContractSection[], scan: CitationScan): string[] {
  const problems = [...scan.problems, ...shapeProblems(sections)]
  const known = new Set(sections.flatMap((section) => section.clauses.map((clause) => clause.id)))
  const cited = new Set(scan.citations.map((citation) => citation.id))
  for (const { id, file, line } of scan.citations) {
    if (!known.has(id)) problems.push(`${file}:${line} cites ${id}, which is no clause of the contract`)
  }
  for (const { id, status, missing } of sections.flatMap((section) => section.clauses)) {
    if (status !== 'planned' && !cited.has(id)) {
      problems.push(`${id} is marked ${status}, but no test has [${id}] in its title: write one, or mark it planned`)
    }
    if ((status === 'part') !== (missing !== undefined)) {
      problems.push(`${id} is marked ${status}: a clause says what is missing exactly when it is held in part`)
    }
  }
  return problems
}

/** Clauses that are marked planned although tests cite them: candidates for another status. */
export function plannedWithTests(sections: readonly ContractSection[], scan: CitationScan): string[] {
  const cited = new Set(scan.citations.map((citation) => citation.id))
  return sections
    .flatMap((section) => section.clauses)
    .filter((clause) => clause.status === 'planned' && cited.has(clause.id))
    .map((clause) => clause.id)
}

/** Ids are a section's letter and its running number, so none is there twice and none was dropped. */
function shapeProblems(sections: readonly ContractSection[]): string[] {
  const problems: string[] = []
  const letters = new Set<string>()
  for (const { letter, clauses } of sections) {
    if (letters.has(letter)) problems.push(`section ${letter} is there twice`)
    letters.add(letter)
    for (const [index, clause] of clauses.entries()) {
      const expected = `${letter}${index + 1}`
      if (clause.id !== expected) problems.push(`clause ${clause.id} of section ${letter} should be ${expected}`)
      if (clause.text.trim() === '') problems.push(`clause ${clause.id} promises nothing`)
    }
  }
  return problems
}
