// The SDK of a set of tools in TypeScript (contract I2): one text that is a TypeScript file, its prose in comments.
//
//   head      how programs are written, in a few lines
//   names     ToolCallError, the aliases that occur, the types that tools share
//   tools     `declare const tools` with a documented method a tool
//
// Registered through src/tool-runtime; the prompt section prints `render`, the type check of programs reads `declarations`.
import type { SdkDetail, SdkRenderer, SdkRenderOptions, SdkTool } from '../../src/tools/sdk-renderer.ts'
import { buildCatalog } from '../shared/catalog.ts'
import { indexLines } from '../shared/index-text.ts'
import { type MethodProse, methodLines, typeLines } from './members.ts'
import { isReservedTypeName } from './reserved-names.ts'
import {
  CODE_DESCRIPTION,
  CODE_ONLY_RULE,
  ERROR_CLASS,
  INSTRUCTIONS,
  LOOK_UP,
  RUN_CODE_DESCRIPTION,
} from './run-code.ts'
import { commentText, EMPTY, INTEGER, TypePrinter, type TypePrinterOptions, WIDEST } from './types.ts'

/** The built-in TypeScript SDK. */
export const typescriptSdk: SdkRenderer = {
  language: 'typescript',
  runCode: { description: RUN_CODE_DESCRIPTION, codeDescription: CODE_DESCRIPTION },
  program: { errorClass: ERROR_CLASS, codeOnlyRule: CODE_ONLY_RULE },
  render(tools, options = {}) {
    return render(tools, options)
  },
  declarations(tools) {
    return declare(tools, { docs: false, oneLine: Number.POSITIVE_INFINITY }, 'none')
  },
}

/** What is printed of a tool, by detail. */
const DETAIL: Readonly<Record<Exclude<SdkDetail, 'index'>, readonly [TypePrinterOptions, MethodProse]>> = {
  full: [{ docs: true }, 'description'],
  signatures: [{ docs: false, oneLine: Number.POSITIVE_INFINITY }, 'summary'],
}

function render(tools: readonly SdkTool[], { detail = 'full' }: SdkRenderOptions): string {
  const head = `/*\n${INSTRUCTIONS}\n*/`
  if (detail === 'index') return `${head}\n${index(tools)}`
  return `${head}\n${declare(tools, ...(DETAIL[detail] ?? DETAIL.full))}`
}

/** Names only. What a program needs to know of a tool it looks up. */
function index(tools: readonly SdkTool[]): string {
  const lines = indexLines(tools).map((line) => `// ${commentText(line)}`)
  return [LOOK_UP, `// ${tools.length} tools:`, ...lines, ''].join('\n')
}

function declare(tools: readonly SdkTool[], options: TypePrinterOptions, prose: MethodProse): string {
  const catalog = buildCatalog(tools, isTaken)
  const printer = new TypePrinter(catalog, options)
  const types = catalog.types.flatMap((type) => typeLines(type, printer))
  const methods = catalog.tools.flatMap((tool) => methodLines(tool, printer, prose))
  const body = [...types, 'declare const tools: {', ...methods, '}']
  return [...prelude(body), ...body, ''].join('\n')
}

/** The declarations that the rest may use. An alias that does not occur is left out. */
function prelude(body: readonly string[]): string[] {
  const { name, memberNameProperty } = ERROR_CLASS
  const aliases = [
    [WIDEST, `type ${WIDEST} = any // any JSON value`],
    [INTEGER, `type ${INTEGER} = number // without a fraction`],
    [EMPTY, `type ${EMPTY} = Record<string, never>`],
  ] as const
  return [
    `declare class ${name} extends Error { ${memberNameProperty}: string }`,
    ...aliases.filter(([alias]) => mentions(body, alias)).map(([, line]) => line),
  ]
}

function mentions(lines: readonly string[], name: string): boolean {
  const word = new RegExp(`\\b${name}\\b`)
  return lines.some((line) => word.test(line))
}

function isTaken(name: string): boolean {
  return [WIDEST, INTEGER, EMPTY, ERROR_CLASS.name].includes(name) || isReservedTypeName(name)
}
