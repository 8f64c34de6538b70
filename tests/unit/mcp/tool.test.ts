import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/json/json-value.ts'
import { snapshot } from '../../../src/json/snapshot.ts'
import { readRemoteTool, remoteToolDefinition } from '../../../src/mcp/tool.ts'
import type { ToolDefinition } from '../../../src/tools/definition.ts'
import type { ToolRunContext } from '../../../src/tools/execution.ts'

const exec = { signal: new AbortController().signal } as ToolRunContext
const inputSchema = { type: 'object', properties: { path: { type: 'string' } } }

function define(entry: object, answer: unknown) {
  const calls: [tool: string, args: JsonObject, signal: AbortSignal][] = []
  const definition = remoteToolDefinition(readRemoteTool(JSON.parse(JSON.stringify(entry))), {
    name: 'demo_look',
    server: 'demo',
    call: async (...call) => {
      calls.push(call)
      return JSON.parse(JSON.stringify(answer))
    },
  })
  return { definition, calls }
}

async function outcome(definition: ToolDefinition, args: unknown = {}): Promise<unknown> {
  return definition.execute(snapshot(args), exec)
}

describe('readRemoteTool', () => {
  it('[O1] keeps what a model and a pipeline need, frozen', () => {
    const entry = {
      name: 'look',
      title: 'Look',
      description: 'Looks.',
      inputSchema,
      annotations: { readOnlyHint: true },
    }
    const tool = readRemoteTool(entry)
    expect(tool).toEqual({ name: 'look', description: 'Looks.', inputSchema, isReadOnly: true })
    expect(Object.isFrozen(tool.inputSchema)).toBe(true)
  })

  it.each<[entry: object, expected: object]>([
    [{ name: 'a' }, { description: '', inputSchema: { type: 'object' }, isReadOnly: false }],
    [{ name: 'a', title: 'Title', description: 5 }, { description: 'Title' }],
    [{ name: 'a', annotations: { readOnlyHint: 'true' } }, { isReadOnly: false }],
    [{ name: 'a', annotations: 'none', outputSchema: null }, { isReadOnly: false }],
    [{ name: 'a', outputSchema: { type: 'object' } }, { outputSchema: { type: 'object' } }],
  ])('[O4] is lenient about %j', (entry, expected) => {
    expect(readRemoteTool(entry)).toMatchObject(expected)
  })

  it.each<[entry: unknown, says: string]>([
    [null, 'no object'],
    ['look', 'no object'],
    [{}, 'no name'],
    [{ name: '' }, 'no name'],
    [{ name: 5 }, 'no name'],
    [{ name: 'x'.repeat(2_000) }, 'longer than'],
    [{ name: 'a', inputSchema: 'object' }, 'inputSchema is no JSON Schema'],
    [{ name: 'a', outputSchema: 1 }, 'outputSchema is no JSON Schema'],
  ])('[O4] refuses %j', (entry, says) => {
    expect(() => readRemoteTool(entry)).toThrow(says)
  })
})

describe('remoteToolDefinition', () => {
  it('[O1] calls the tool by its own name, with the frozen arguments and the signal of the call', async () => {
    const { definition, calls } = define({ name: 'look', inputSchema }, { structuredContent: { seen: 1 } })
    expect(definition).toMatchObject({ name: 'demo_look', parameters: inputSchema })
    expect(await outcome(definition, { path: 'a' })).toEqual({ seen: 1 })
    expect(calls).toEqual([['look', { path: 'a' }, exec.signal]])
  })

  it.each([[[]], ['text'], [null], [1]])('[O1] refuses arguments that are no object: %j', async (args) => {
    const { definition, calls } = define({ name: 'look' }, {})
    await expect(outcome(definition, args)).rejects.toMatchObject({ code: 'INVALID_ARGS' })
    expect(calls).toEqual([])
  })

  it('[O1] declares what the server calls read-only as safe beside its neighbours, and nothing else', () => {
    const safe = (annotations: object): unknown =>
      define({ name: 'a', annotations }, {}).definition.isConcurrencySafe?.({})
    expect(safe({ readOnlyHint: true })).toBe(true)
    expect(safe({ readOnlyHint: false })).toBeUndefined()
    expect(safe({ idempotentHint: true })).toBeUndefined()
  })

  it('[O2] gives a program the value, and a model the blocks that the server wrote for it', async () => {
    const content = [
      { type: 'text', text: 'A picture:' },
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ]
    const { definition } = define({ name: 'look' }, { structuredContent: { file: 'a.png' }, content })
    const value = await outcome(definition)
    expect(value).toEqual({ file: 'a.png' })
    // The pipeline hands on the snapshot of the value, which is the value itself.
    expect(definition.output.render({}, snapshot(value))).toEqual(content)
    // A value that policy put in its place is rendered from itself.
    expect(definition.output.render({}, snapshot({ file: 'redacted' }))).toBe('{\n  "file": "redacted"\n}')
    expect(definition.output.render({}, snapshot({ file: 'a.png' }))).toBe('{\n  "file": "a.png"\n}')
  })

  it('[O2] fails content that misfits a declared output schema, with the content in the message', async () => {
    const entry = { name: 'look', outputSchema: { type: 'object' } }
    const content = [{ type: 'text', text: 'quota exceeded' }]
    await expect(outcome(define(entry, { content }).definition)).rejects.toMatchObject({
      code: 'MCP_TOOL',
      message: expect.stringMatching(
        /does not fit its output schema:\n- value must be [^\n]*object[^\n]*\nThe content: quota exceeded/,
      ),
    })
    // Structured content is the pipeline's to refuse.
    const structured = define(entry, { content, structuredContent: { a: 1 } })
    expect(await outcome(structured.definition)).toEqual({ a: 1 })
  })
})
