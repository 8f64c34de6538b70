// The directions of imports, as data. A folder is a trust zone: a reviewer sees from the path what a file may believe.
// `<language>` stands for any folder of `runtimes` that is no zone of its own.

/** What one zone may import. */
export interface Layer {
  readonly zone: string
  /** Zones that may be imported, and whatever those may import in turn. */
  readonly below: readonly string[]
  /** Zones that may be imported without what stands below them. */
  readonly also?: readonly string[]
  /** Zones of which only types may be imported. */
  readonly typesOf?: readonly string[]
}

const HOST_SIDE = ['src/runtime', 'src/json', 'src/errors', 'src/async']

export const LAYERS: readonly Layer[] = [
  { zone: 'src/errors', below: [], typesOf: ['src/json'] },
  { zone: 'src/async', below: [] },
  { zone: 'src/cc-names', below: [] },
  { zone: 'src/json', below: ['src/errors', 'src/async'] },
  { zone: 'src/schema', below: ['src/json'] },
  { zone: 'src/scope', below: ['src/json'] },
  { zone: 'src/tools', below: ['src/schema', 'src/scope'] },
  { zone: 'src/prompt', below: ['src/scope', 'src/json'] },
  { zone: 'src/runtime', below: ['src/scope', 'src/json'] },
  { zone: 'src/registry', below: ['src/tools'] },
  { zone: 'src/pipeline', below: ['src/tools'] },
  { zone: 'src/codemode', below: ['src/tools', 'src/prompt', 'src/runtime'] },
  { zone: 'src/tool-runtime', below: ['src/registry', 'src/pipeline', 'src/codemode'] },
  { zone: 'src/approval', below: ['src/scope', 'src/json'] },
  {
    zone: 'src/mcp',
    below: ['src/schema', 'src/scope', 'src/json', 'src/async', 'src/errors'],
    typesOf: ['src/tools'],
  },
  { zone: 'src/testkit', below: ['src/runtime', 'src/json'] },
  { zone: 'src/presets', below: ['src/tool-runtime', 'src/mcp', 'src/approval'] },
  { zone: 'src/gateway', below: ['src/presets', 'src/mcp'] },
  { zone: 'src/cli', below: ['src/presets', 'src/gateway'] },
  { zone: 'src/index.ts', below: ['src/presets', 'src/cc-names'] },
  { zone: 'sdk-templates', below: ['src/json'], typesOf: ['src/tools'] },
  { zone: 'runtimes/wire', below: [] },
  { zone: 'runtimes/host', below: ['runtimes/wire'], also: HOST_SIDE },
  { zone: 'runtimes/<language>', below: ['runtimes/host'], also: HOST_SIDE },
  { zone: 'runtimes/child', below: ['runtimes/wire'] },
  { zone: 'runtimes/<language>/child', below: ['runtimes/child'] },
  { zone: 'runtimes/guest', below: [] },
  { zone: 'runtimes/<language>/guest', below: ['runtimes/guest'] },
]

/** Single imports beside the arrows, each with its reason. */
export const EXCEPTIONS: readonly {
  readonly from: RegExp
  readonly to: RegExp
  readonly kinds: readonly ('static' | 'dynamic' | 'type')[]
  readonly reason: string
}[] = [
  {
    from: /^src\/tool-runtime\/service\.ts$/,
    to: /^sdk-templates$/,
    kinds: ['static', 'dynamic', 'type'],
    reason: 'the tools service registers the built-in renderers like anybody else',
  },
  {
    from: /^src\/(presets|cli)\//,
    to: /^(sdk-templates|runtimes\/.*)$/,
    kinds: ['dynamic', 'type'],
    reason: 'composition roots load the built-in runtimes when they are asked for',
  },
  {
    from: /^runtimes\/host\/in-process\.ts$/,
    to: /^runtimes\/child$/,
    kinds: ['dynamic', 'type'],
    reason: 'the in-process sandbox runs the child side on its own thread',
  },
]

/** Where a package may be imported, type imports included. A package that is not listed may be imported nowhere. */
export const PACKAGES: Readonly<Record<string, RegExp>> = {
  'isolated-vm': /^runtimes\/(<language>\/)?child$/,
  typescript: /^runtimes\/<language>$/,
  'ts-blank-space': /^runtimes\/<language>$/,
  '@jridgewell/sourcemap-codec': /^runtimes\/<language>$/,
  pyodide: /^runtimes\/<language>\/child$/,
  ajv: /^src\/schema$/,
  re2js: /^src\/schema$/,
  '@modelcontextprotocol/sdk': /^src\/(mcp|gateway)$/,
  commander: /^src\/cli$/,
  vitest: /^src\/testkit$/,
  zod: /^(src\/(?!errors|async|json|cc-names|testkit)|runtimes\/(host|<language>)$)/,
  '@deepseek-ai/cordis': /^(src\/(?!errors|async|json|schema|cc-names)|runtimes\/(host|<language>)$)/,
  'node:': /^(src\/(?!errors|json|cc-names)|runtimes\/(host|child|<language>|<language>\/child)$)/,
}

const FIXED_RUNTIME_ZONES = new Set(['wire', 'host', 'child', 'guest'])

/** The zone of a file: its entry in the table, if it has one. */
export function zoneOf(path: string): string {
  const [top = '', second = '', third = ''] = path.split('/')
  if (top === 'sdk-templates') return top
  if (top !== 'runtimes' || FIXED_RUNTIME_ZONES.has(second)) return `${top}/${second}`
  return third === 'child' || third === 'guest' ? `runtimes/<language>/${third}` : 'runtimes/<language>'
}
