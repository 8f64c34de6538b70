// The SDK of hard schemas as it is, each read by a person and found true. `npx vitest run tests/sdk -u` renews the files:
// read the difference before you commit it.
import { describe, expect, it } from 'vitest'
import { typescriptSdk } from '../../sdk-templates/index.ts'
import { readCatalog } from '../support/catalogs.ts'

const READ = [
  'additional_properties_schema',
  'allof_ref_inheritance',
  'anchors_and_dynamic',
  'anyof_null',
  'anyof_required_only',
  'const_values',
  'defs_name_collisions',
  'description_injection',
  'enum_huge',
  'enum_mixed_types',
  'integer_bounds',
  'malformed_keywords',
  'mutual_recursion',
  'non_identifier_names',
  'not_if_then_else',
  'nullable_openapi30',
  'oneof_discriminated',
  'output_recursive',
  'output_same_defs',
  'pattern_properties',
  'prototype_names',
  'ref_cycle_pure',
  'ref_pointer_into_properties',
  'ref_with_siblings',
  'root_ref_recursion',
  'tuples_2020',
]

describe('hard schemas', () => {
  const { tools } = readCatalog('hard-schemas')

  it.each(READ)('[I2] render to something true: %s', async (name) => {
    const text = typescriptSdk.render(tools.filter((tool) => tool.name === name))
    await expect(text.slice(text.indexOf('declare class'))).toMatchFileSnapshot(`golden/${name}.txt`)
  })
})
