import { describe, expect, it } from 'vitest'
import { HarnessError } from '../../../src/errors/harness-error.ts'
import { ToolArgsError } from '../../../src/errors/tool-errors.ts'
import type { JsonValue } from '../../../src/json/json-value.ts'
import { isSnapshot, snapshot } from '../../../src/json/snapshot.ts'
import { HOSTILE_VALUES } from '../../../src/testkit/hostile-values.ts'
import { defineTool } from '../../../src/tools/define-tool.ts'
import type { ToolDefinition } from '../../../src/tools/definition.ts'
import type { ToolExecutionToken, ToolRunContext } from '../../../src/tools/execution.ts'
import { failureResult } from '../../../src/tools/outcomes.ts'

const exec: ToolRunContext = {
  token: Symbol('test') as ToolExecutionToken,
  callId: 'test',
  name: 'read',
  arguments: {},
  signal: new AbortController().signal,
  deferContext: () => {},
  concludeTurn: () => {},
}

/** A tool that notes what reaches the author's functions. */
function readTool(): { readonly tool: ToolDefinition; readonly seen: unknown[] } {
  const seen: unknown[] = []
  const tool = defineTool({
    name: 'read',
    description: 'Reads.',
    parameters: {
      path: { type: 'string', required: true },
      limit: { type: 'integer', minimum: 1 },
      mode: { type: 'string', enum: ['text', 'binary'] },
      ranges: {
        type: 'array',
        items: {
          type: 'object',
          properties: { from: { type: 'integer', required: true } },
          additionalProperties: false,
        },
      },
    },
    output: {
      schema: { type: 'object', properties: { text: { type: 'string', required: true } }, additionalProperties: false },
    },
    execute(args) {
      seen.push(args)
      return { text: args.path }
    },
    isConcurrencySafe(args) {
      seen.push(args)
      return args.mode !== 'binary'
    },
    presentCall(args) {
      seen.push(args)
      if (args.path === 'throw') throw new Error('a presenter failed')
      return { card: 'read', path: args.path }
    },
    presentResult(args, result) {
      seen.push(args)
      return { card: 'generic', title: `${args.path} ${result.isError}` }
    },
  })
  return { tool, seen }
}

function thrownBy(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

const MISFITS: readonly unknown[] = [
  undefined,
  null,
  'text',
  [],
  {},
  { path: 1 },
  { path: 'x', limit: 'ten' },
  { path: 'x', ranges: [{}] },
]

describe('the body', () => {
  it('[G2] runs with arguments that fit, frozen, unknown ones included', () => {
    const { tool, seen } = readTool()
    expect(tool.execute({ path: 'x', ranges: [{ from: 1 }], other: true }, exec)).toEqual({ text: 'x' })
    expect(seen).toEqual([{ path: 'x', ranges: [{ from: 1 }], other: true }])
    expect(isSnapshot(seen[0])).toBe(true)
  })

  it('[G2] does not run with others: every violation, with its path', () => {
    const { tool, seen } = readTool()
    const error = thrownBy(() => tool.execute({ limit: 0.5, mode: 'txt', ranges: [{ from: 1 }, { to: 2 }] }, exec))
    expect(error).toBeInstanceOf(ToolArgsError)
    expect(error).toMatchObject({ code: 'INVALID_ARGS', name: 'ToolArgsError' })
    expect((error as ToolArgsError).message).toBe(
      [
        'Invalid arguments for tool "read":',
        '- args.path is required (a string)',
        '- args.limit must be an integer, got 0.5',
        '- args.limit must be at least 1, got 0.5',
        '- args.mode must be one of "text", "binary", got "txt"',
        '- args.ranges[1].from is required (an integer)',
        '- args.ranges[1].to is no known property: known are "from"',
      ].join('\n'),
    )
    expect((error as ToolArgsError).violations).toHaveLength(6)
    expect(seen).toEqual([])
  })

  it.each(MISFITS)('[G2] does not run with %j', (args) => {
    const { tool, seen } = readTool()
    expect(HarnessError.is(thrownBy(() => tool.execute(args, exec)))).toBe(true)
    expect(seen).toEqual([])
  })

  it('[G2] does not get defaults, and its arguments are what the caller sent', () => {
    const { tool, seen } = readTool()
    const args = snapshot({ path: 'x' })
    tool.execute(args, exec)
    expect(seen[0]).toBe(args)
  })
})

describe('what else asks about arguments', () => {
  it('[C9, G2] isConcurrencySafe is asked for arguments that fit, and false for others', () => {
    const { tool, seen } = readTool()
    expect(tool.isConcurrencySafe?.({ path: 'x' })).toBe(true)
    expect(tool.isConcurrencySafe?.({ path: 'x', mode: 'binary' })).toBe(false)
    expect(seen).toHaveLength(2)
    for (const args of MISFITS) expect(tool.isConcurrencySafe?.(args)).toBe(false)
    expect(seen).toHaveLength(2)
  })

  it('[C9] only true itself is safe', () => {
    const tool = defineTool({
      name: 't',
      description: '',
      parameters: {},
      output: { schema: { type: 'null' } },
      execute: () => null,
      isConcurrencySafe: () => 'yes' as unknown as boolean,
    })
    expect(tool.isConcurrencySafe?.({})).toBe(false)
  })

  it('[G4] presenters show calls that fit, and nothing for others or when they throw', () => {
    const { tool, seen } = readTool()
    const result = failureResult({ message: 'no' })
    expect(tool.presentCall?.({ path: 'x' })).toEqual({ card: 'read', path: 'x' })
    expect(tool.presentResult?.({ path: 'x' }, result)).toEqual({ card: 'generic', title: 'x true' })
    expect(tool.presentCall?.({ path: 'throw' })).toBeUndefined()
    expect(seen).toHaveLength(3)
    for (const args of [...MISFITS, ...HOSTILE_VALUES.map(({ make }) => make())]) {
      expect(tool.presentCall?.(args)).toBeUndefined()
      expect(tool.presentResult?.(args, result)).toBeUndefined()
    }
    expect(seen).toHaveLength(3)
  })

  it('is absent where the author did not say anything', () => {
    const tool = defineTool({
      name: 't',
      description: '',
      parameters: {},
      output: { schema: { type: 'null' } },
      execute: () => null,
    })
    expect(Object.keys(tool).toSorted()).toEqual(['description', 'execute', 'name', 'output', 'parameters'])
    expect(Object.keys(tool.output).toSorted()).toEqual(['render', 'schema'])
  })
})

describe('the output', () => {
  const tool = (render?: (args: unknown, value: JsonValue) => string): ToolDefinition =>
    defineTool({
      name: 't',
      description: '',
      parameters: {},
      output: { schema: { type: 'json' }, ...(render && { render }) },
      execute: (): JsonValue => null,
    })

  it('is rendered as the author says', () => {
    expect(tool((_args, value) => `<${String(value)}>`).output.render({}, 'x')).toBe('<x>')
  })

  it('is rendered plainly where the author does not: a string as it is, other values as compact JSON', () => {
    const { output } = tool()
    expect(output.render({}, 'two\nlines')).toBe('two\nlines')
    expect(output.render({}, { a: [1, null] })).toBe('{"a":[1,null]}')
    let deep: JsonValue = 1
    for (let level = 0; level < 9_999; level++) deep = [deep]
    expect(output.render({}, deep)).toHaveLength(2 * 9_999 + 1)
  })

  it('keeps `this` of the objects that hold the functions', async () => {
    const spec = {
      name: 't',
      description: '',
      parameters: {},
      prefix: '> ',
      output: {
        schema: { type: 'string' as const },
        mark: '!',
        render(_args: unknown, value: string) {
          return value + this.mark
        },
      },
      execute() {
        return `${this.prefix}done`
      },
    }
    const { execute, output } = defineTool(spec)
    expect(output.render({}, await execute({}, exec))).toBe('> done!')
  })
})

describe('forged definitions', () => {
  const base = {
    name: 'forged',
    description: '',
    parameters: {},
    output: { schema: { type: 'string' } },
    execute: () => 'x',
  }

  it.each([
    [{ parameters: { a: { type: 'text' } } }, 'tool "forged": parameters.a.type must be'],
    [{ parameters: { a: { type: 'string', pattern: '(?=x)' } } }, '#/properties/a/pattern needs look-around'],
    [{ parameters: undefined }, 'tool "forged": parameters is undefined'],
    [
      { output: { schema: { type: 'object', properties: {} } } },
      'tool "forged": output.schema must say `additionalProperties',
    ],
    [
      { output: { schema: { type: 'string', pattern: '[' } } },
      'The output schema of tool "forged" cannot be used: #/pattern',
    ],
    [{ output: {} }, 'tool "forged": output.schema is undefined'],
    [{ output: undefined }, 'tool "forged" has no output'],
    [{ output: null }, 'tool "forged" has no output'],
  ])('[G1, C2] %j throws, naming tool and place', (change, message) => {
    const error = thrownBy(() => defineTool({ ...base, ...change } as never))
    expect(HarnessError.is(error)).toBe(true)
    expect((error as HarnessError).message).toContain(message)
  })
})
