import { describe, expect, it } from 'vitest'
import type { JsonValue } from '../../../src/json/json-value.ts'
import { checkBindings } from '../../../src/runtime/bindings.ts'
import { refuseGlobalName } from '../../../src/runtime/identifiers.ts'

const echo = async (argument: JsonValue) => argument

describe('bindings', () => {
  it('[J3] reads each namespace once into plain records', () => {
    const functions = { a: echo, ['__proto__x']: echo }
    Object.defineProperty(functions, '__proto__', { value: echo, enumerable: true })
    const [tools] = checkBindings([
      { global: 'tools', functions, errorClass: { name: 'ToolCallError', memberNameProperty: 'toolName' } },
    ])
    expect(tools?.members.map((member) => member.name)).toEqual(['a', '__proto__x', '__proto__'])
    expect(tools?.errorClass).toEqual({ name: 'ToolCallError', memberNameProperty: 'toolName' })
  })

  it.each([
    ['a reserved word of TypeScript', 'class'],
    ['a reserved word of Python', 'lambda'],
    ['a dunder name', '__tools__'],
    ['a global that runtimes own', 'console'],
    ['a global of the library', 'Promise'],
    ['a builtin of Python', 'print'],
    ['a name that is no identifier', 'my-tools'],
    ['a name that only JavaScript allows', '$tools'],
    ['an empty name', ''],
  ])('[J3] refuses %s as a global, in every language alike', (_what, global) => {
    expect(() => checkBindings([{ global, functions: { echo } }])).toThrow(
      expect.objectContaining({ code: 'INVALID_BINDINGS', message: expect.stringContaining(`"${global}"`) }),
    )
  })

  it.each(['tools', 'sdk', 'db', 'api', 'Tools2', 'my_tools'])('[J3] admits %s', (name) => {
    expect(refuseGlobalName(name)).toBeUndefined()
  })

  it('[J2, J3] refuses forged shapes with its own error, and reads each field once', () => {
    const forged: unknown[] = [
      undefined,
      null,
      'tools',
      [null],
      ['tools'],
      [{ global: 'a', functions: { echo }, errorClass: null }],
      [{ global: 'a', functions: { echo }, errorClass: {} }],
      [{ global: 'a', functions: { echo }, errorClass: { name: 'HostError' } }],
      [{ global: 'a', functions: { echo }, errorClass: { name: 'HostError', memberNameProperty: 7 } }],
      [{ global: 'a', functions: { echo }, errorClass: { name: 'HostError', memberNameProperty: 'from' } }],
      [{ global: 'a', functions: null }],
    ]
    for (const bindings of forged) {
      expect(() => checkBindings(bindings as never)).toThrow(expect.objectContaining({ code: 'INVALID_BINDINGS' }))
    }
    const names = ['HostError', 'Object']
    const errorClass = {
      get name() {
        return names.shift() as string
      },
      memberNameProperty: 'member',
    }
    expect(checkBindings([{ global: 'a', functions: { echo }, errorClass }])[0]?.errorClass?.name).toBe('HostError')
    expect(names).toEqual(['Object'])
  })

  it('[J2, J3] refuses duplicates, clashes with an error class, accessors and members that are no functions', () => {
    const errorClass = { name: 'HostError', memberNameProperty: 'member' }
    const refused = (bindings: Parameters<typeof checkBindings>[0]) =>
      expect(() => checkBindings(bindings)).toThrow(expect.objectContaining({ code: 'INVALID_BINDINGS' }))
    refused([
      { global: 'a', functions: {} },
      { global: 'a', functions: {} },
    ])
    refused([
      { global: 'HostError', functions: {} },
      { global: 'b', functions: {}, errorClass },
    ])
    refused([{ global: 'a', functions: {}, errorClass: { name: 'Error', memberNameProperty: 'member' } }])
    refused([{ global: 'a', functions: {}, errorClass: { name: 'HostError', memberNameProperty: 'message' } }])
    refused([
      { global: 'a', functions: {}, errorClass },
      { global: 'b', functions: {}, errorClass: { ...errorClass, memberNameProperty: 'other' } },
    ])
    refused([{ global: 'a', functions: { x: 1 } as never }])
    let read = 0
    const lying = Object.defineProperty({}, 'x', {
      enumerable: true,
      get() {
        read += 1
        return echo
      },
    })
    refused([{ global: 'a', functions: lying as never }])
    expect(read).toBe(0)
  })
})
