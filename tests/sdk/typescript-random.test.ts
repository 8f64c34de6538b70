// The TypeScript SDK of schemas that nobody wrote: it never throws, always compiles, and its types are never narrower than the schema.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { typescriptSdk } from '../../sdk-templates/index.ts'
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts'
import type { JsonSchema } from '../../src/tools/definition.ts'
import type { SdkTool } from '../../src/tools/sdk-renderer.ts'
import { sampleValues } from '../support/sample-values.ts'
import { plainSchemas, wildSchemas } from '../support/schema-arbitraries.ts'
import { complaintsOf } from '../support/typescript-check.ts'

const SEED = 20_260_911

function toolOf(name: string, parameters: JsonSchema, output: JsonSchema, description = 'Does it.'): SdkTool {
  return { name, description, parameters, output }
}

describe('SDKs of random schemas', () => {
  it('[I1] never throw, whatever stands in place of a schema, a name or a description', () => {
    const text = fc.string({ unit: 'binary', maxLength: 20 })
    const tools = fc.array(fc.tuple(text, wildSchemas(), wildSchemas(), text), { maxLength: 4 })
    fc.assert(
      fc.property(tools, (given) => {
        const all = given.map((tool) => toolOf(...tool))
        for (const detail of ['full', 'signatures', 'index'] as const) typescriptSdk.render(all, { detail })
        return typescriptSdk.declarations(all) === typescriptSdk.declarations([...all].reverse())
      }),
      { seed: SEED, numRuns: 500 },
    )
  })

  it('[I2] compile', () => {
    const text = fc.string({ unit: 'binary', maxLength: 20 })
    const tools = fc.sample(fc.tuple(text, wildSchemas(), wildSchemas(), text), { seed: SEED, numRuns: 400 })
    const texts = new Map(tools.map((tool, index) => [`${index}`, typescriptSdk.render([toolOf(...tool)])]))
    const complaints = complaintsOf(texts, { modules: true })
    expect([...complaints].map(([name, found]) => JSON.stringify([tools[Number(name)], found]))).toEqual([])
  })

  it('[I2] accept every value that the schema accepts and that has no undeclared key', () => {
    const schemas = fc.sample(plainSchemas(), { seed: SEED, numRuns: 120 })
    const cases = schemas.flatMap((schema, index) => {
      const choices = [0, 1, 2].flatMap((branch) => [true, false].map((optional) => ({ optional, branch })))
      const samples = sampleValues(closed(schema), choices)
      return samples.length === 0 ? [] : [{ index, schema, samples }]
    })
    const texts = new Map(cases.map(({ index, schema, samples }) => [`${index}`, programOf(schema, samples)]))
    const complaints = complaintsOf(texts, { modules: true })
    const told = [...complaints].map(
      ([name, found]) => `${JSON.stringify(schemas[Number(name)])}\n${texts.get(name)}\n${JSON.stringify(found)}`,
    )
    expect(told).toEqual([])
    expect(cases.flatMap(({ samples }) => samples).length).toBeGreaterThan(150)
  })
})

/** The schema as renderers read it: an object takes no other keys unless it says so. `isPart` is true inside a composition. */
function closed(schema: JsonValue, isPart = false): JsonObject {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return {}
  const object = schema as JsonObject
  const composed = object['properties'] !== undefined || object['allOf'] !== undefined
  const isOpen = isPart || object['additionalProperties'] !== undefined || !composed
  const entries = Object.entries(object).map(([key, value]): [string, JsonValue] => {
    if (key === 'properties' || key === '$defs') return [key, mapValues(value as JsonObject, (inner) => closed(inner))]
    if (key === 'additionalProperties') return [key, closed(value)]
    if (key === 'items') return [key, value === false ? false : closed(value)]
    if (['anyOf', 'oneOf', 'allOf', 'prefixItems'].includes(key)) {
      const part = key !== 'prefixItems' && composed
      return [key, (value as readonly JsonValue[]).map((inner) => closed(inner, part))]
    }
    return [key, value]
  })
  return { ...Object.fromEntries(entries), ...(isOpen ? {} : { unevaluatedProperties: false }) }
}

function mapValues(object: JsonObject, map: (value: JsonValue) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value)]))
}

function programOf(schema: JsonSchema, samples: readonly JsonValue[]): string {
  const calls = [...new Set(samples.map((sample) => `void tools.call(${JSON.stringify(sample)})`))]
  return `${typescriptSdk.render([toolOf('call', schema, {})])}\n${calls.join('\n')}`
}
