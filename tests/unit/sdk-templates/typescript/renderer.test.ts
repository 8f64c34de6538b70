import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { typescriptSdk } from '../../../../sdk-templates/index.ts'
import { catalogNames, readCatalog } from '../../../support/catalogs.ts'
import { complaintsAbout } from '../../../support/typescript-check.ts'
import { linesOf, tool } from '../support.ts'

const head = typescriptSdk.render([]).split('*/')[0]!

describe('the TypeScript renderer', () => {
  it('[I1] is one object with all that differs by language', () => {
    expect(typescriptSdk).toEqual({
      language: 'typescript',
      runCode: {
        description: expect.stringContaining('TypeScript'),
        codeDescription: expect.stringContaining('return'),
      },
      program: {
        errorClass: { name: 'ToolCallError', memberNameProperty: 'toolName' },
        codeOnlyRule: expect.any(String),
      },
      render: expect.any(Function),
      declarations: expect.any(Function),
    })
  })

  it('[I1] says in a few lines how programs are written', () => {
    expect(head.trim().split('\n').length).toBeLessThanOrEqual(7)
    expect(countTokens(head)).toBeLessThan(140)
    for (const word of ['await', 'return', 'tools', 'Promise.all', 'ToolCallError', 'console.log', 'JSON']) {
      expect(head).toContain(word)
    }
    const { runCode, program } = typescriptSdk
    for (const text of [runCode.description, runCode.codeDescription, program.codeOnlyRule]) {
      expect(countTokens(text)).toBeLessThan(50)
    }
    expect(program.codeOnlyRule).toMatch(/run_code.*tools/)
  })

  it('[I2] documents a method per tool', () => {
    const lines = linesOf(
      tool(
        'read',
        { type: 'object', properties: { path: { type: 'string', description: 'Where it is' } }, required: ['path'] },
        { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], description: 'What it holds' },
        'Reads a file.\n\nWhole.',
      ),
    )
    expect(lines).toEqual([
      'declare class ToolCallError extends Error { toolName: string }',
      'declare const tools: {',
      '/** Reads a file.',
      'Whole.',
      'Result: What it holds */',
      'read(args: {',
      'path: string // Where it is',
      '}): Promise<{ text: string }>',
      '}',
      '',
    ])
  })

  it('[I2] prints an SDK without tools', () => {
    expect(complaintsAbout(typescriptSdk.render([]))).toEqual([])
  })

  it('[F5] gives the same bytes for the same tools, in lexicographic order of code units', () => {
    const { tools } = readCatalog('github')
    const text = typescriptSdk.render(tools)
    expect(typescriptSdk.render([...tools].reverse())).toBe(text)
    expect(typescriptSdk.render(structuredClone([...tools]))).toBe(text)
    const names = ['b', 'a', 'B', '\u{1f600}', '\ufb00', '__proto__', 'constructor', 'a-b'].map((name) =>
      tool(name, {}),
    )
    const printed = linesOf(...names).flatMap((line) => /^(.*)\(args/.exec(line)?.[1] ?? [])
    expect(printed).toEqual(['B', '__proto__', 'a', '"a-b"', 'b', 'constructor', '"\u{1f600}"', '"\ufb00"'])
  })

  it('[H14] leaves every name as it is', () => {
    const { tools } = readCatalog('hard-schemas')
    const sdk = typescriptSdk.declarations(tools)
    const keys = tools.map(({ name }) => `void tools[${JSON.stringify(name)}]`)
    expect(complaintsAbout(`${sdk}\n${keys.join('\n')}`)).toEqual([])
  })

  it('[I2] rejects with a class that has the name of the tool', () => {
    const program = `try { throw 1 } catch (error) { if (error instanceof ToolCallError) error.toolName.at(0), error.message }`
    expect(complaintsAbout(`${typescriptSdk.declarations([])}\n${program}`)).toEqual([])
  })

  it('[I2] lets a program read what a tool without an output schema returns', () => {
    const program = 'async function run() { const { rows } = await tools.query(); return rows[0].name }'
    expect(complaintsAbout(`${typescriptSdk.declarations([tool('query', {})])}\n${program}`)).toEqual([])
  })
})

describe('detail', () => {
  const { tools } = readCatalog('filesystem')

  it('[F7] signatures have every type, and no prose but a summary a tool', () => {
    const text = typescriptSdk.render(tools, { detail: 'signatures' })
    const methods = text.split('declare const tools')[1]!
    expect(methods).not.toContain('//')
    expect(methods.split('\n').filter((line) => line.includes('/**'))).toHaveLength(tools.length)
    const types = (sdk: string): string => sdk.slice(sdk.indexOf('declare class')).replace(/^ *\/\*\*.*\n/gm, '')
    expect(types(text)).toBe(types(typescriptSdk.declarations(tools)))
  })

  it('[F7] index names the tools and says how to look them up', () => {
    const text = typescriptSdk.render(tools, { detail: 'index' })
    for (const { name } of tools) expect(text).toContain(name)
    expect(text).toMatch(/sdk\.search.*sdk\.list.*\n?.*sdk\.describe/)
    expect(complaintsAbout(text)).toEqual([])
  })
})

describe('tokens of real catalogs, o200k_base', () => {
  const table = catalogNames()
    .filter((name) => name !== 'hard-schemas')
    .map((name) => {
      const { tools } = readCatalog(name)
      const native = tools.map(({ name: own, description, parameters }) => ({ name: own, description, parameters }))
      return {
        native: countTokens(JSON.stringify(native)),
        full: countTokens(typescriptSdk.render(tools)),
        signatures: countTokens(typescriptSdk.render(tools, { detail: 'signatures' })),
        index: countTokens(typescriptSdk.render(tools, { detail: 'index' })),
      }
    })
  const sum = (key: keyof (typeof table)[number]): number => table.reduce((total, row) => total + row[key], 0)

  it('[I4] the full SDK, with the types of results that native schemas lack, costs less than the native schemas', () => {
    expect(sum('full') / sum('native')).toBeLessThan(0.8)
  })

  it('[F7] signatures cost a third at most, an index under a thousand tokens', () => {
    expect(sum('signatures') / sum('native')).toBeLessThan(0.35)
    expect(Math.max(...table.map(({ index }) => index))).toBeLessThan(1000)
  })
})
