// Which names the TypeScript SDK may give to types, held to the installed compiler's own libraries.
import { describe, expect, it } from 'vitest'
import { isReservedTypeName } from '../../sdk-templates/typescript/reserved-names.ts'
import { complaintsAbout, libraryTypeNames } from '../support/typescript-check.ts'

describe('names of types that are taken', () => {
  it.each([
    ['browser', ['lib.esnext.d.ts', 'lib.dom.d.ts']],
    ['worker', ['lib.esnext.d.ts', 'lib.webworker.d.ts', 'lib.scripthost.d.ts']],
  ])('[I2] are all reserved: %s', (_name, lib) => {
    // Other names cannot come out of pascalCase.
    const names = libraryTypeNames(lib).filter((name) => /^[A-Z][A-Za-z0-9]*$/.test(name))
    expect(names.length).toBeGreaterThan(600)
    expect(names.filter((name) => !isReservedTypeName(name))).toEqual([])
  })

  it('leave ordinary names alone', () => {
    const ordinary = ['Issue', 'SearchResult', 'Webhook', 'MediaItem', 'Pet', 'Item', 'Filter2', 'CssClass', 'Html']
    expect(ordinary.filter(isReservedTypeName)).toEqual([])
  })

  it('would clash otherwise', () => {
    expect(complaintsAbout('type Node = { a: string }', { library: 'browser' })).not.toEqual([])
    expect(complaintsAbout('type Promise = { a: string }')).not.toEqual([])
  })
})
