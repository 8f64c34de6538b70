// How a sandbox process is started: its command, its flags and its empty environment (contract K6). Pure but for the
// look at which folders exist; sandbox-process.ts runs what this says. Pinned by tests/unit/runtimes/host/launch.test.ts.
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { siblingModule } from './sibling.ts'

/** What a sandbox process is started for. */
export interface LaunchOptions {
  /** Module of the language's engine. */
  readonly engine: URL
  /** Heap limit of standby isolates, in MiB. */
  readonly memoryMb: number
  /** Command that the process is put behind, such as `['bwrap', …]`; it must pass file descriptor 3 on. */
  readonly launcher?: readonly string[]
}

/** A command ready to be spawned. */
export interface LaunchCommand {
  readonly file: string
  readonly args: readonly string[]
  readonly env: NodeJS.ProcessEnv
  /** True when a launcher stands between the host and the process. */
  readonly launched: boolean
}

/**
 * Node copies NODE_V8_COVERAGE into a child's environment unless the key is there; an `undefined` value is then left out.
 * So this is the empty environment.
 */
const EMPTY_ENVIRONMENT: NodeJS.ProcessEnv = { NODE_V8_COVERAGE: undefined }

/** isolated-vm's loader (node-gyp-build) looks there for the kind of libc. */
const LIBC_MARKER = '/etc/alpine-release'

/** The command of a sandbox process. */
export function launchCommand(options: LaunchOptions): LaunchCommand {
  const main = siblingModule('../child/main', import.meta.url)
  const record = JSON.stringify({ engine: options.engine.href, memoryMb: options.memoryMb })
  const node = [
    // isolated-vm makes isolates without Node's startup snapshot and aborts where Node was started from one.
    '--no-node-snapshot',
    // Node warns of --allow-addons and of type stripping; stderr is kept for deaths.
    '--no-warnings',
    '--permission',
    '--allow-addons',
    ...readableFolders(main, options.engine).map((folder) => `--allow-fs-read=${folder}`),
    fileURLToPath(main),
    record,
  ]
  const [file = process.execPath, ...before] = options.launcher ?? []
  const launched = options.launcher !== undefined && options.launcher.length > 0
  const args = launched ? [...before, process.execPath, ...node] : node
  return { file, args, env: EMPTY_ENVIRONMENT, launched }
}

/** What module loading reads: the packages of these modules, and every `node_modules` on their way up. No more. */
function readableFolders(main: URL, engine: URL): string[] {
  const folders = new Set<string>()
  for (const module of [main, engine, ...addonModules()]) {
    if (module.protocol !== 'file:') continue
    const start = dirname(fileURLToPath(module))
    folders.add(packageRoot(start))
    for (const folder of upwards(start)) {
      const modules = join(folder, 'node_modules')
      if (!existsSync(modules)) continue
      folders.add(modules)
      folders.add(realpathSync(modules))
    }
  }
  return [...folders, LIBC_MARKER]
}

/**
 * isolated-vm and its loader, where they really are: a package manager that links packages from a store (pnpm, `npm link`) keeps
 * them in no folder on the way up from here. Resolving loads nothing; what is not found is for the sandbox to complain of.
 */
function addonModules(): URL[] {
  const modules: URL[] = []
  let base = import.meta.url
  for (const name of ['isolated-vm', 'node-gyp-build']) {
    try {
      base = pathToFileURL(createRequire(base).resolve(name)).href
    } catch {
      break
    }
    modules.push(new URL(base))
  }
  return modules
}

function packageRoot(start: string): string {
  for (const folder of upwards(start)) {
    if (existsSync(join(folder, 'package.json'))) return folder
  }
  return start
}

function* upwards(start: string): Generator<string> {
  for (let folder = start; ; folder = dirname(folder)) {
    yield folder
    if (folder === dirname(folder)) return
  }
}
