// The guest's own JSON check, run inside an isolate over the values that the host's is held to.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_DEPTH, MAX_VALUES } from '../../../../runtimes/guest/lossless.ts'
import { MAX_DEPTH as HOST_MAX_DEPTH, MAX_VALUES as HOST_MAX_VALUES } from '../../../../src/json/limits.ts'
import { JsonRefusedError } from '../../../../src/json/refusals.ts'
import { snapshot } from '../../../../src/json/snapshot.ts'
import { HOSTILE_VALUES } from '../../../../src/testkit/hostile-values.ts'
import { LOSSLESS_VALUES } from '../../../../src/testkit/lossless-values.ts'
import { runInEngine } from '../../../support/engine.ts'
import { bundleAsStatement } from '../../../support/guest-bundle.ts'
import { anyJson } from '../../../support/json.ts'

const zoo = bundleAsStatement('src/testkit/hostile-values.ts', 'zoo')
const lossless = bundleAsStatement('src/testkit/lossless-values.ts', 'lossless')

const echo = { echo: (argument: unknown) => argument }

/** What the host says of a value. */
function hostRefusal(make: () => unknown, root: string): string {
  try {
    snapshot(make(), root)
  } catch (error) {
    if (error instanceof JsonRefusedError) return error.message
    throw error
  }
  throw new Error('the host accepts it')
}

describe('hostile values', () => {
  const refused = runInEngine(
    `${zoo}
    const messages = []
    for (const { make } of zoo.HOSTILE_VALUES) {
      try { await tools.echo(make()); messages.push('accepted') }
      catch (error) { messages.push(error instanceof ToolCallError ? error.message : 'a foreign error: ' + error) }
    }
    return messages`,
    { tools: echo },
  )

  it('[H4] none of them dispatches a call', () => {
    expect(refused.end?.kind).toBe('value')
    expect(refused.calls).toEqual([])
  })

  it.each(HOSTILE_VALUES.map((value, index) => [value.name, value, index] as const))(
    '[A1] [H4] an argument that is %s rejects its call, naming the path as the host does',
    (_name, { make, path }, index) => {
      const message: string = refused.value[index]
      expect(message.startsWith(`tools.echo: args${path} `)).toBe(true)
      // Only the words for a thrown thing that is no error differ.
      const words = (text: string): string => text.replace(/\(.*\): pass a plain value, not a proxy$/, '(…)')
      expect(words(message)).toBe(words(`tools.echo: ${hostRefusal(make, 'args')}`))
    },
  )

  it.each(HOSTILE_VALUES.filter((_value, index) => index % 7 === 0).map((value) => [value.name] as const))(
    '[A1] a result that is %s is refused with its path, and undefined means nothing',
    (name) => {
      const { end } = runInEngine(
        `${zoo}\nreturn zoo.HOSTILE_VALUES.find((value) => value.name === ${JSON.stringify(name)}).make()`,
      )
      const value = HOSTILE_VALUES.find((each) => each.name === name)
      if (name === 'undefined') expect(end).toEqual({ kind: 'value' })
      // An async function resolves with what it returns: a promise is awaited, an object with a throwing trap for `then` throws.
      else if (end?.kind === 'invalid-output') expect(end.message.startsWith(`result${value?.path} `)).toBe(true)
      else expect(end?.kind).toBe('exception')
    },
  )
})

describe('odd values that are lossless', () => {
  const accepted = runInEngine(
    `${lossless}
    for (const { make } of lossless.LOSSLESS_VALUES) await tools.echo(make())
    return true`,
    { tools: { echo: () => null } },
  )

  it.each(LOSSLESS_VALUES.map((value, index) => [value.name, value, index] as const))(
    '[A1] [A2] [A3] %s leaves the isolate as its JSON text',
    (_name, { text }, index) => {
      expect(accepted.calls[index]?.text).toBe(text)
    },
  )

  it('[A3] as many levels as are allowed cross both ways, as argument, as answer and as result', () => {
    const { end } = runInEngine(
      `const deep = JSON.parse('['.repeat(10_000) + ']'.repeat(10_000))
      return await tools.echo(deep)`,
      { tools: echo, namespaces: [{ global: 'tools', members: ['echo'] }] },
    )
    // The answer of the harness is [namespace, member, text of the argument].
    expect(end).toEqual({ kind: 'value', text: JSON.stringify([0, 0, '['.repeat(10_000) + ']'.repeat(10_000)]) })
  })

  it('[A1] any JSON value crosses to the host and back as it is', () => {
    fc.assert(
      fc.property(fc.array(anyJson(), { minLength: 1, maxLength: 20 }), (values) => {
        const run = runInEngine(
          `const out = []
          for (const text of ${JSON.stringify(values.map((value) => JSON.stringify(value)))}) out.push(await tools.echo(JSON.parse(text)))
          return out`,
          { tools: echo },
        )
        expect(run.value).toEqual(values)
      }),
      { numRuns: 25, seed: 11 },
    )
  })
})

it('[A3] its limits are those of the host', () => {
  expect([MAX_DEPTH, MAX_VALUES]).toEqual([HOST_MAX_DEPTH, HOST_MAX_VALUES])
})

it('[A3] more values than are allowed are refused before they are written', () => {
  const { end } = runInEngine(
    `const lying = new Proxy([1], {
      getOwnPropertyDescriptor: (target, key) =>
        key === 'length' ? { value: 20_000_000, writable: true } : Reflect.getOwnPropertyDescriptor(target, key),
    })
    return { rows: lying }`,
  )
  expect(end).toEqual({
    kind: 'invalid-output',
    message: expect.stringMatching(/^result\.rows brings the whole to more than 16 777 216 values/),
  })
})
