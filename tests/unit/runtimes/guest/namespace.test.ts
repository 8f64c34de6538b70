import { describe, expect, it } from 'vitest'
import { runInEngine } from '../../../support/engine.ts'

const NAMES = [
  'read_file',
  'write_file',
  'odd name',
  '__proto__',
  'constructor',
  'then',
  'toJSON',
  'hasOwnProperty',
  '',
  '0',
]
/** Not an object literal: `__proto__` must be an own key. */
const exotic = Object.fromEntries(NAMES.map((name) => [name, () => `called ${name}`]))

describe('members', () => {
  it('[H2] every member is an own enumerable async function, whatever its name', () => {
    const { value } = runInEngine(
      `const out = []
      for (const name of Object.keys(tools)) {
        const slot = Object.getOwnPropertyDescriptor(tools, name)
        out.push([name, typeof slot.value, slot.enumerable, slot.value.name, slot.value.length, await slot.value()])
      }
      return out`,
      { tools: exotic },
    )
    expect(value).toEqual(
      // Keys that are indices come first in every object.
      ['0', ...NAMES.filter((name) => name !== '0')].map((name) => [name, 'function', true, name, 1, `called ${name}`]),
    )
  })

  it('[H2] exotic names are called as written, and call their own tool', () => {
    const { value, calls } = runInEngine(
      'return [await tools.__proto__(), await tools.constructor({}), await tools["odd name"](), await tools[""](), await tools.hasOwnProperty()]',
      { tools: exotic },
    )
    expect(value).toEqual(
      ['__proto__', 'constructor', 'odd name', '', 'hasOwnProperty'].map((name) => `called ${name}`),
    )
    expect(calls.map((call) => Object.keys(exotic)[call.member])).toEqual([
      '__proto__',
      'constructor',
      'odd name',
      '',
      'hasOwnProperty',
    ])
  })

  it('[H2] the namespace is frozen, and cannot be replaced', () => {
    const { value } = runInEngine(
      `const tries = [
        () => { tools.read_file = () => 1 }, () => { tools.extra = 1 }, () => { delete tools.read_file },
        () => { tools = {} }, () => Object.setPrototypeOf(tools, {}), () => Object.defineProperty(globalThis, 'tools', { value: 1 }),
      ]
      const refused = tries.map((attempt) => { try { attempt(); return 'allowed' } catch (error) { return error.name } })
      return [refused, await tools.read_file()]`,
      { tools: exotic },
    )
    expect(value).toEqual([Array.from({ length: 6 }, () => 'TypeError'), 'called read_file'])
  })

  it('[H2] none means {}, more than one rejects that call, and nothing is sent', () => {
    const { value, calls } = runInEngine(
      `const none = await tools.echo()
      const two = await tools.echo({}, 2).catch((error) => [error instanceof ToolCallError, error.toolName, error.message])
      const spread = await tools.echo(...[1, 2, 3]).catch((error) => error.message)
      return [none, two, spread]`,
      { tools: { echo: (argument) => argument } },
    )
    expect(value).toEqual([
      {},
      [true, 'echo', 'tools.echo takes one argument, got 2: pass one object, as in tools.echo({ … })'],
      'tools.echo takes one argument, got 3: pass one object, as in tools.echo({ … })',
    ])
    expect(calls.map((call) => call.text)).toEqual(['{}'])
  })

  it('[H2] calls are numbered from 1 in the order of their making, and leave by turn', () => {
    const { calls, turns } = runInEngine(
      'await Promise.all([tools.a({ n: 1 }), tools.b({ n: 2 }), tools.a({ n: 3 })]); await tools.b({ n: 4 })',
      { tools: { a: () => 1, b: () => 2 } },
    )
    expect(calls.map(({ call, member, text }) => [call, member, text])).toEqual([
      [1, 0, '{"n":1}'],
      [2, 1, '{"n":2}'],
      [3, 0, '{"n":3}'],
      [4, 1, '{"n":4}'],
    ])
    expect(turns).toBe(3)
  })

  it('[J3] several namespaces stand side by side, each call with its own indexes', () => {
    const { value } = runInEngine('return [await a.x(), await b.y({ n: 1 }), await b.x()]', {
      namespaces: [
        { global: 'a', members: ['x'] },
        { global: 'b', members: ['x', 'y'] },
      ],
    })
    expect(value).toEqual([
      [0, 0, '{}'],
      [1, 1, '{"n":1}'],
      [1, 0, '{}'],
    ])
  })
})

describe('names that are not there', () => {
  const tools = { read_file: () => 1, read_text_file: () => 1, list_directory: () => 1, search: () => 1 }

  it.each([
    ['tools.raed_file()', 'tools.raed_file does not exist. Nearest: tools.read_file, '],
    ['tools.readFile()', 'tools.readFile does not exist. Nearest: tools.read_file, '],
    ['tools.directory', 'tools.directory does not exist. Nearest: tools.list_directory, '],
    ['tools["no such tool"]', 'tools["no such tool"] does not exist. Nearest: '],
    ['tools.toString()', 'tools.toString does not exist. '],
    ['tools.constructor', 'tools.constructor does not exist. '],
    ['tools.__proto__', 'tools.__proto__ does not exist. '],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the program's own template.
    ['`${tools}`', 'tools.toString does not exist. '],
  ])('[H14] reading %s throws and names the nearest', (expression, start) => {
    const { end, calls } = runInEngine(`return ${expression}`, { tools })
    expect(end).toMatchObject({
      kind: 'exception',
      name: 'TypeError',
      stack: expect.stringMatching(/^ {4}at .*program\.ts:1:/),
    })
    expect((end as { message: string }).message.startsWith(start)).toBe(true)
    expect((end as { message: string }).message).toContain('4 members; Object.keys(tools) lists them')
    expect(calls).toEqual([])
  })

  it('[H14] `then` and `toJSON` read as undefined, `in` is false, and symbols are not names', () => {
    const { value } = runInEngine(
      `return [typeof tools.then, typeof tools.toJSON, 'raed_file' in tools, 'then' in tools, typeof tools[Symbol.iterator],
        JSON.stringify(tools), (await tools) === tools, Object.hasOwn(tools, 'nothing')]`,
      { tools },
    )
    expect(value).toEqual(['undefined', 'undefined', false, false, 'undefined', '{}', true, false])
  })

  it('[H14] a namespace without members says so', () => {
    expect(runInEngine('tools.anything', { tools: {} }).end).toMatchObject({
      message: 'tools.anything does not exist: tools has no members.',
    })
  })

  it('[H14] a hostile name is bounded in the message', () => {
    const { end } = runInEngine('tools["x".repeat(1_000_000)]', { tools })
    expect((end as { message: string }).message.length).toBeLessThan(400)
  })

  it('[H14] an unknown global is an ordinary ReferenceError of the program', () => {
    expect(runInEngine('\n  return raed_file({})', { tools }).end).toEqual({
      kind: 'exception',
      name: 'ReferenceError',
      message: 'raed_file is not defined',
      stack: '    at program.ts:2:3',
    })
  })
})

describe('errors of calls', () => {
  const tools = {
    fail: () => {
      throw new Error('no such file')
    },
  }

  it('[H3] [J3] a failed call rejects with an instance that carries message and tool name, and nothing else', () => {
    const { value } = runInEngine(
      `try { await tools.fail({}) } catch (error) {
        return [Reflect.ownKeys(error), error.message, error.toolName, error.name, Object.hasOwn(error, 'name'), String(error),
          error instanceof ToolCallError, error instanceof Error, error.constructor === ToolCallError, typeof error.stack,
          Object.keys(error), JSON.stringify(error)]
      }`,
      { tools },
    )
    expect(value).toEqual([
      ['message', 'toolName'],
      'no such file',
      'fail',
      'ToolCallError',
      false,
      'ToolCallError: no such file',
      true,
      true,
      true,
      'undefined',
      ['toolName'],
      '{"toolName":"fail"}',
    ])
  })

  it('[J3] the class is a real constructor: programs make, extend and recognize its instances', () => {
    const { value } = runInEngine(
      `const own = new ToolCallError('mine', 'x')
      class Special extends ToolCallError { constructor() { super('special', 'y'); this.extra = 1 } }
      const special = new Special()
      return [own instanceof ToolCallError, own.message, own.toolName, Reflect.ownKeys(own), ToolCallError('plain', 'z').message,
        special instanceof Special, special instanceof ToolCallError, special.extra, special.name, ToolCallError.name]`,
    )
    expect(value).toEqual([
      true,
      'mine',
      'x',
      ['message', 'toolName'],
      'plain',
      true,
      true,
      1,
      'ToolCallError',
      'ToolCallError',
    ])
  })

  it('[J3] name and property are those of the request, and two namespaces may share a class', () => {
    const errorClass = { name: 'CallFailed', memberNameProperty: 'callee' }
    const { value } = runInEngine(
      `const errors = [await a.x(1n).catch((error) => error), await b.y(1n).catch((error) => error)]
      return errors.map((error) => [error instanceof CallFailed, error.callee, error.name])`,
      {
        namespaces: [
          { global: 'a', members: ['x'], errorClass },
          { global: 'b', members: ['y'], errorClass },
        ],
      },
    )
    expect(value).toEqual([
      [true, 'x', 'CallFailed'],
      [true, 'y', 'CallFailed'],
    ])
  })

  it('[J3] without a class the error is a plain one', () => {
    const { value } = runInEngine(
      'const error = await a.x(1n).catch((error) => error); return [error.constructor === Error, error.message, typeof ToolCallError]',
      { namespaces: [{ global: 'a', members: ['x'] }] },
    )
    expect(value).toEqual([true, 'a.x: args is a bigint: send a number, or its digits as a string', 'undefined'])
  })

  it('[L1] [K8] an uncaught one names the line of the call, and no frame of ours', () => {
    const { end } = runInEngine(
      'async function inner() {\n  return await tools.fail({})\n}\nawait Promise.all([inner()])',
      { tools },
    )
    expect(end).toEqual({
      kind: 'exception',
      name: 'ToolCallError',
      message: 'no such file',
      stack: '    at async inner (program.ts:2:10)\n    at async Promise.all (index 0)\n    at async program.ts:4:1',
    })
  })
})
