// `npm run docs`: writes the pages that are made from data. Tests hold each page to its data.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scanRepository } from '../../tests/contract/citations.ts'
import { contract } from '../../tests/contract/index.ts'
import { repositoryRoot } from '../../tests/support/repository.ts'
import { CONTRACT_PAGE, contractPage } from './contract-page.ts'
import { ERROR_PAGE, errorPage } from './error-page.ts'

function write(page: string, text: string): void {
  writeFileSync(join(repositoryRoot, page), text)
  console.log(`wrote ${page}`)
}

write(CONTRACT_PAGE, contractPage(contract, scanRepository().citations))
write(ERROR_PAGE, errorPage())
