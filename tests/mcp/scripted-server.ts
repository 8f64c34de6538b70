// A stdio MCP server that is written without any library, so that it can say what no library would: a child process of
// the tests in this folder. What it does is told by one JSON argument.
import { writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

/** What the server does. */
export interface ServerScript {
  /** Pages of `tools/list`. Default one empty page. */
  readonly pages?: readonly (readonly unknown[])[]
  /** The last page points back at itself. */
  readonly loopPages?: boolean
  /** Pages after a call of `change`, which also sends `list_changed`. */
  readonly changed?: readonly (readonly unknown[])[]
  /** Answers of `tools/call` by tool name; `{ "error": { code, message } }` is a protocol error. */
  readonly answers?: Readonly<Record<string, unknown>>
  /** What stands beside the id in the answer of `tools/call`, by tool name, malformed or not. */
  readonly raw?: Readonly<Record<string, object>>
  /** Written to stderr at the start; `{pid}` is the process id. */
  readonly stderr?: string
  /** A file that gets the process id. */
  readonly pidFile?: string
  /** Written to stdout at the start, where only messages belong. */
  readonly noise?: string
  /** Ends with code 3 at this request. */
  readonly exitAt?: 'initialize' | 'tools/list'
  /** Never answers this request. */
  readonly silentAt?: 'initialize' | 'tools/list'
  /** Goes on when its input ends. */
  readonly stubborn?: boolean
  /** Answer of `tools/list` in place of the pages. */
  readonly listAnswer?: unknown
}

/**
 * Tools that work without an answer in the script: `exit` ends the process, `hang` never answers, `cancelled` gives the ids of
 * cancelled requests, `change` switches the list, `pid` gives the process id, `env` the value of a variable, `large` a text of a size.
 */
const script = JSON.parse(process.argv[2] ?? '{}') as ServerScript
let pages = script.pages ?? [[]]
const cancelled: unknown[] = []
const keepAlive = script.stubborn ? setInterval(() => {}, 1_000) : undefined
if (keepAlive !== undefined) process.on('SIGTERM', () => {})

if (script.pidFile !== undefined) writeFileSync(script.pidFile, String(process.pid))
if (script.stderr !== undefined) process.stderr.write(script.stderr.replace('{pid}', String(process.pid)))
if (script.noise !== undefined) process.stdout.write(script.noise)

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'notifications/cancelled') cancelled.push(params.requestId)
  if (id === undefined || script.silentAt === method) return
  if (script.exitAt === method) process.exit(3)
  if (method === 'initialize') {
    const capabilities = { tools: { listChanged: true } }
    answer(id, {
      protocolVersion: params.protocolVersion,
      capabilities,
      serverInfo: { name: 'scripted', version: '1' },
    })
  } else if (method === 'tools/list') {
    answer(id, script.listAnswer ?? page(params?.cursor))
  } else if (method === 'tools/call') {
    call(id, params)
  } else {
    send({ id, error: { code: -32601, message: 'Method not found' } })
  }
})

function page(cursor: string | undefined): unknown {
  const index = cursor === undefined ? 0 : Number(cursor)
  const isLast = index >= pages.length - 1
  const next = !isLast ? index + 1 : script.loopPages ? index : undefined
  return { tools: pages[index], ...(next !== undefined && { nextCursor: String(next) }) }
}

function call(id: unknown, { name, arguments: args }: { name: string; arguments: Record<string, unknown> }): void {
  const scripted = script.answers?.[name] as { error?: unknown } | undefined
  if (scripted !== undefined) {
    if (scripted.error !== undefined) send({ id, error: scripted.error })
    else answer(id, scripted)
    return
  }
  if (script.raw?.[name] !== undefined) {
    send({ id, ...script.raw[name] })
    return
  }
  switch (name) {
    case 'exit':
      process.stderr.write('about to end\n')
      process.exit(7)
      break
    case 'hang':
      process.stderr.write(`hanging ${String(id)}\n`)
      break
    case 'change':
      pages = script.changed ?? []
      answer(id, { content: [] })
      send({ method: 'notifications/tools/list_changed' })
      break
    case 'cancelled':
      answer(id, { structuredContent: { cancelled }, content: [] })
      break
    case 'pid':
      answer(id, { structuredContent: { pid: process.pid }, content: [] })
      break
    case 'large':
      answer(id, { content: [{ type: 'text', text: 'x'.repeat(Number(args['bytes'])) }] })
      break
    case 'env':
      answer(id, { content: [{ type: 'text', text: process.env[String(args['name'])] ?? '(not set)' }] })
      break
    default:
      answer(id, { content: [{ type: 'text', text: JSON.stringify({ name, args }) }] })
  }
}

function answer(id: unknown, result: unknown): void {
  send({ id, result })
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}
