import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HarnessError } from '../../../src/errors/harness-error.ts'
import { isSnapshot } from '../../../src/json/snapshot.ts'
import { readAnswer, renderValue } from '../../../src/mcp/values.ts'

/** As an answer arrives: freshly parsed. */
function read(answer: unknown) {
  return readAnswer('demo', 'look', JSON.parse(typeof answer === 'string' ? answer : JSON.stringify(answer)))
}

function failure(answer: unknown): HarnessError {
  try {
    read(answer)
  } catch (error) {
    if (HarnessError.is(error)) return error
    throw error
  }
  throw new Error('accepted')
}

const text = (value: string): object => ({ type: 'text', text: value })
const image = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }

describe('the value of an answer', () => {
  it.each<[what: string, answer: unknown, value: unknown]>([
    ['structured content', { structuredContent: { a: 1 }, content: [text('other')] }, { a: 1 }],
    ['structured content without content', { structuredContent: { a: [] } }, { a: [] }],
    ['a JSON object as text', { content: [text(' {"a": [1, 2]}\n')] }, { a: [1, 2] }],
    ['a JSON array as text', { content: [text('[]')], structuredContent: null }, []],
    ['a text', { content: [text('plain')] }, 'plain'],
    ['an empty text', { content: [text('')] }, ''],
    ['a text that is a JSON scalar', { content: [text('42')] }, '42'],
    ['a text that is nearly JSON', { content: [text('{"a": 1')] }, '{"a": 1'],
    ['two texts', { content: [text('{}'), text('b')] }, [text('{}'), text('b')]],
    ['an image', { content: [image] }, [image]],
    ['a block of a kind that we do not know', { content: [{ type: 'new', x: 1 }] }, [{ type: 'new', x: 1 }]],
    ['a malformed text block', { content: [{ type: 'text', text: 5 }] }, [{ type: 'text', text: 5 }]],
    ['no content', {}, []],
    ['an empty content', { content: [], isError: false }, []],
  ])('[O2] of %s', (_what, answer, value) => {
    const result = read(answer)
    expect(result.value).toEqual(value)
    expect(isSnapshot(result.value)).toBe(true)
  })

  it('[O2] makes -0 to 0, wherever it stands', () => {
    const { value } = read('{"structuredContent":{"a":-0,"b":[-0.0,{"__proto__":-0e5}],"c":"-0"}}')
    expect(JSON.stringify(value)).toBe('{"a":0,"b":[0,{"__proto__":0}],"c":"-0"}')
    expect(Object.is((value as { a: number }).a, 0)).toBe(true)
    expect(read({ content: [text('[-0]')] }).value).toEqual([0])
  })

  it('[O2] keeps a text whose JSON holds a number beyond a double, and refuses such structured content', () => {
    expect(read({ content: [text('{"a": 1e999}')] }).value).toBe('{"a": 1e999}')
    expect(failure('{"structuredContent":{"a":1e999}}').code).toBe('NOT_LOSSLESS_JSON')
  })

  it('[O2] copes with depth', () => {
    const deep = (levels: number): string => `${'['.repeat(levels)}-0${']'.repeat(levels)}`
    expect(read(`{"structuredContent":${deep(9_000)}}`).isFromContent).toBe(false)
    expect(failure(`{"structuredContent":${deep(20_000)}}`).code).toBe('NOT_LOSSLESS_JSON')
  })

  it('[O2] is any structured content as it stands', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (structuredContent) => {
        expect(JSON.stringify(read({ structuredContent }).value)).toBe(JSON.stringify(structuredContent))
      }),
      { seed: 3, numRuns: 200 },
    )
  })
})

describe('a failed answer', () => {
  it.each<[answer: unknown, says: string]>([
    [{ isError: true, content: [text('no such file'), text('try another')] }, 'no such file\ntry another'],
    [{ isError: true, content: [image, text('broken')] }, 'broken'],
    [{ isError: true, structuredContent: { reason: 'full' } }, '"reason": "full"'],
    [{ isError: true, content: [] }, 'it failed without a message'],
    [{ content: 'text' }, 'the content of the answer is no list'],
    ['[]', 'the answer is no object'],
    ['null', 'the answer is no object'],
  ])('[O2] of %j throws MCP_TOOL with what the server said', (answer, says) => {
    const error = failure(answer)
    expect(error.code).toBe('MCP_TOOL')
    expect(error.message).toContain('MCP server "demo", tool "look": ')
    expect(error.message).toContain(says)
  })

  it('[O2] takes only `true` for an error, and bounds the message', () => {
    expect(read({ isError: 'yes', content: [text('fine')] }).value).toBe('fine')
    expect(failure({ isError: true, content: [text('x'.repeat(1_000_000))] }).message.length).toBeLessThan(10_000)
  })
})

describe('the blocks for a model', () => {
  it('[R3] are rebuilt from the fields of their kind; other kinds become text', () => {
    const resource = { type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain', text: 'a', extra: 1 } }
    const link = { type: 'resource_link', uri: 'file:///b', name: 'b' }
    const { blocks } = read({
      content: [{ ...text('a'), annotations: {} }, { ...image, _meta: {} }, resource, link, 5],
    })
    expect(blocks).toEqual([
      text('a'),
      image,
      { type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain', text: 'a' } },
      text('{\n  "type": "resource_link",\n  "uri": "file:///b",\n  "name": "b"\n}'),
      text('5'),
    ])
  })

  it('renderValue gives a string raw, a list of blocks as blocks, and other JSON as text', () => {
    expect(renderValue('raw')).toBe('raw')
    expect(renderValue([text('a'), image] as never)).toEqual([text('a'), image])
    expect(renderValue([])).toBe('[]')
    expect(renderValue({ a: 1 })).toBe('{\n  "a": 1\n}')
    expect(renderValue([text('a'), 5] as never)).toContain('"type": "text"')
  })
})
