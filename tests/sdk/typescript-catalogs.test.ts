// The TypeScript SDK of real catalogs: it compiles, valid calls pass the type check, wrong ones do not.
import { describe, expect, it } from 'vitest'
import { typescriptSdk } from '../../sdk-templates/index.ts'
import type { JsonObject, JsonValue } from '../../src/json/json-value.ts'
import type { SdkTool } from '../../src/tools/sdk-renderer.ts'
import { catalogNames, readCatalog } from '../support/catalogs.ts'
import { sampleArguments, sampleValues } from '../support/sample-values.ts'
import { type Complaint, complaintsOf } from '../support/typescript-check.ts'

const catalogs = catalogNames().map(readCatalog)

/** A call in a program, and what the type check has to say about it. */
interface Call {
  readonly tool: string
  readonly text: string
  readonly valid: boolean
}

describe('rendered SDKs under tsc --strict', () => {
  it('[I2] compile for every catalog, at every level that prints declarations', () => {
    const texts = new Map(
      catalogs.flatMap(({ name, tools }) => [
        [`${name}.full`, typescriptSdk.render(tools)],
        [`${name}.signatures`, typescriptSdk.render(tools, { detail: 'signatures' })],
        [`${name}.declarations`, typescriptSdk.declarations(tools)],
      ]),
    )
    expect(texts.size).toBe(catalogs.length * 3)
    expect(complaintsOf(texts, { modules: true })).toEqual(new Map())
  })

  it.each(['hard-schemas', 'github'])('[I2] compile as a global script beside the DOM: %s', (name) => {
    const { tools } = readCatalog(name)
    const texts = new Map([[name, typescriptSdk.render(tools)]])
    expect(complaintsOf(texts, { library: 'browser' })).toEqual(new Map())
  })

  it('[I2] accept valid calls and refuse misspelled arguments, for every tool whose arguments can be made up', () => {
    const calls = new Map(catalogs.map(({ name, tools }) => [name, tools.flatMap(callsOf)]))
    const texts = new Map(
      catalogs.map(({ name, tools }) => [name, programOf(typescriptSdk.declarations(tools), calls.get(name)!)]),
    )
    const complaints = complaintsOf(texts, { modules: true })
    const wrong = catalogs.flatMap(({ name }) =>
      surprises(texts.get(name)!, calls.get(name)!, complaints.get(name) ?? []),
    )
    expect(wrong).toEqual([])
    // The test says nothing unless most tools take part in it.
    const all = [...calls.values()].flat()
    expect(all.filter((call) => call.valid).length).toBeGreaterThan(1200)
    expect(all.filter((call) => !call.valid).length).toBeGreaterThan(400)
  })
})

function callsOf(tool: SdkTool): Call[] {
  const samples = sampleArguments(tool.parameters)
  const all = samples.at(-1) ?? {}
  const name = Object.keys(all).find((key) => /^[A-Za-z_]+$/.test(key))
  // Nothing is missing in the wrong call: only the key that the tool does not have can be refused.
  const wrong =
    name === undefined || isOpen(tool) ? [] : [callOf(tool, { ...all, [`${name}_misspelled`]: all[name]! }, false)]
  return [...samples.map((sample) => callOf(tool, sample, true)), ...wrong, ...resultsOf(tool)]
}

function callOf({ name }: SdkTool, args: JsonObject, valid: boolean): Call {
  return { tool: name, text: `void tools[${JSON.stringify(name)}](${literal(args)})`, valid }
}

/** Values that a tool may return have to fit the type of its result. */
function resultsOf({ name, output }: SdkTool): Call[] {
  return sampleValues(output, [{ optional: false }, { optional: true }]).map((sample) => ({
    tool: name,
    text: `void (${literal(sample)} satisfies Awaited<ReturnType<(typeof tools)[${JSON.stringify(name)}]>>)`,
    valid: true,
  }))
}

/** In source, `"__proto__": x` would set the prototype. */
function literal(value: JsonValue): string {
  return JSON.stringify(value).replaceAll('"__proto__":', '["__proto__"]:')
}

/** True where the schema itself welcomes any key, so that none is misspelled. */
function isOpen({ parameters }: SdkTool): boolean {
  if (typeof parameters === 'boolean') return parameters
  const open = parameters['additionalProperties']
  return (open !== undefined && open !== false) || parameters['patternProperties'] !== undefined
}

function programOf(declarations: string, calls: readonly Call[]): string {
  return `${declarations}\n${calls.map((call) => call.text).join('\n')}`
}

function surprises(text: string, calls: readonly Call[], complaints: readonly Complaint[]): string[] {
  const first = text.split('\n').length - calls.length + 1
  const messages = new Map(complaints.map(({ line, message }) => [line - first, message]))
  const misplaced = complaints.filter(({ line }) => line < first).map(({ message }) => message)
  const wrong = calls.flatMap((call, index) => {
    const message = messages.get(index)
    if (call.valid === (message === undefined)) return []
    return [`${call.tool}: ${call.valid ? message : 'accepted'}: ${call.text.slice(0, 300)}`]
  })
  return [...misplaced, ...wrong]
}
