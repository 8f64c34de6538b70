// The gate of the contract: a held clause has a test, and no test cites a clause that does not exist.
import { expect, it } from 'vitest'
import { CONTRACT_PAGE, contractPage } from '../../scripts/docs/contract-page.ts'
import { readText } from '../support/repository.ts'
import { scanRepository } from './citations.ts'
import { gateProblems, plannedWithTests } from './gate.ts'
import { contract } from './index.ts'

const scan = scanRepository()

it('every held clause has a test, and every cited clause exists', () => {
  const candidates = plannedWithTests(contract, scan)
  if (candidates.length > 0) console.warn(`planned clauses that tests cite already: ${candidates.join(', ')}`)
  expect(gateProblems(contract, scan)).toEqual([])
})

it('docs/contract.md is what the data and the tests say (npm run docs writes it)', () => {
  expect(readText(CONTRACT_PAGE)).toBe(contractPage(contract, scan.citations))
})
