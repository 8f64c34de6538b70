// The demo (`npm run demo`): three programs as a model would write them, over two published MCP servers that run as real
// processes. It imports `runcell` by name, so what runs is what is published. No key, no network.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect, styleText } from 'node:util'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { type Cell, createCell, type JsonValue } from 'runcell'
import { loadMcpConfig } from 'runcell/mcp'

const RESULT_STYLE = { depth: 8, breakLength: 120, compact: 4, colors: process.stdout.isTTY === true }
const PROGRAMS = ['repository-report', 'knowledge-graph', 'folder-graph']

interface SubCall {
  readonly name: string
  readonly outcome: string
  readonly ms: number | null
}

interface Tally {
  calls: number
  intermediate: number
  returned: number
  written: number
}

const color = (style: Parameters<typeof styleText>[0], text: string): string =>
  styleText(style, text, { stream: process.stdout })
const tokensOf = (text: string): number => countTokens(text, { disallowedSpecial: new Set() })
const textOf = (content: readonly { type: string; text?: string }[]): string =>
  content.map((block) => block.text ?? '').join('\n')
const number = (value: number): string => value.toLocaleString('en-US')

/** Rows of the table: neighbours that called the same tool to the same end share one. */
function table(calls: readonly SubCall[]): string {
  const rows: { from: number; to: number; name: string; outcome: string; ms: number[] }[] = []
  calls.forEach(({ name, outcome, ms }, index) => {
    const last = rows.at(-1)
    const isSame = last?.name === name && last.outcome === outcome
    const row = isSame ? last : { from: index + 1, to: 0, name, outcome, ms: [] }
    if (!isSame) rows.push(row)
    row.to = index + 1
    row.ms.push(ms ?? 0)
  })
  const cells = rows.map(({ from, to, name, outcome, ms }) => [
    from === to ? `${from}` : `${from}–${to}`,
    name,
    from === to ? (ms[0] ?? 0).toFixed(1) : `${Math.min(...ms).toFixed(1)}–${Math.max(...ms).toFixed(1)}`,
    outcome === 'committed' ? 'ok' : outcome,
  ])
  const all = [['#', 'tool', 'ms', 'ok'], ...cells]
  const width = (column: number): number => Math.max(...all.map((row) => (row[column] ?? '').length))
  return all
    .map(([index = '', name = '', ms = '', ok = '']) =>
      [`  ${index.padStart(width(0))}`, name.padEnd(width(1)), ms.padStart(width(2)), ok].join('  '),
    )
    .join('\n')
}

async function runProgram(cell: Cell, name: string): Promise<Tally> {
  const file = `docs/examples/programs/${name}.ts`
  const program = await readFile(file, 'utf8')
  console.log(`\n${color('bold', `── ${file}`)}`)
  const intermediateTexts: string[] = []
  const stopListening = cell.ctx.on('tools/result', (execution, result) => {
    if (execution.parent !== undefined) intermediateTexts.push(textOf(result.content))
  })
  const started = performance.now()
  const result = await cell.run(program, {
    description: name,
    onLog: (line) => console.log(`${color('dim', `${((performance.now() - started) / 1000).toFixed(2)} s`)}  ${line}`),
  })
  const wallMs = performance.now() - started
  stopListening()
  if (result.isError) throw new Error(`${file}: ${result.error.message}`)
  const calls = (result.meta?.['calls'] ?? []) as unknown as SubCall[]
  const intermediate = intermediateTexts.reduce((sum, text) => sum + tokensOf(text), 0)
  const returned = tokensOf(textOf(result.content))
  console.log(color('cyan', '\nresult'))
  console.log(inspect((result.value as { result?: JsonValue }).result, RESULT_STYLE))
  console.log(color('cyan', `\n${calls.length} sub-calls in ${wallMs.toFixed(0)} ms`))
  console.log(table(calls))
  const written = tokensOf(program)
  console.log(
    `${color('cyan', '\ntokens')}  intermediate results ${number(intermediate)}; program ${number(written)} + what came back ${number(returned)}`,
  )
  return { calls: calls.length, intermediate, returned, written }
}

const directory = await mkdtemp(join(tmpdir(), 'runcell-demo-'))
try {
  const { mcpServers } = await loadMcpConfig('docs/examples/mcp.json')
  // The memory server gets a file of its own, so that the demo neither reads nor leaves anything.
  mcpServers['memory']!.env = { MEMORY_FILE_PATH: join(directory, 'memory.jsonl') }
  await using cell = await createCell({ mcpServers })
  const tools = cell.ctx.tools.schemas()
  console.log(`${color('bold', 'runcell')}: ${Object.keys(mcpServers).join(' and ')} are up with ${tools.length} tools`)
  const tallies: Tally[] = []
  for (const name of PROGRAMS) tallies.push(await runProgram(cell, name))
  const sum = (key: keyof Tally): number => tallies.reduce((total, tally) => total + tally[key], 0)
  const spent = sum('written') + sum('returned')
  console.log(`\n${color('bold', '── together')}`)
  console.log(`${sum('calls')} sub-calls`)
  console.log(
    `${number(sum('intermediate'))} tokens of results would have gone through the model's context, call by call`,
  )
  console.log(`${number(spent)} did: ${number(sum('written'))} of programs, ${number(sum('returned'))} of results`)
  console.log(color('green', `${(sum('intermediate') / spent).toFixed(0)} times fewer (o200k_base)`))
} finally {
  await rm(directory, { recursive: true })
}
