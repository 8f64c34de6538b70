// A project that uses the tarball, made in an empty folder: by a real `npm install`, or (without any network) by
// unpacking it and linking the dependencies that it declares to those of this repository.
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

/** Where things are. */
export interface ConsumerPaths {
  readonly root: string
  /** The empty folder. */
  readonly folder: string
  readonly tarball: string
}

/** Writes the project: its package.json, its tsconfig and its one program. */
export function writeProject({ root, folder }: ConsumerPaths): void {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }))
  const compilerOptions = {
    target: 'ES2024',
    // Names that Node and browsers share (AbortSignal, URL) come from DOM: nobody needs Node's types to use runcell.
    lib: ['ES2024', 'ESNext.Disposable', 'DOM'],
    module: 'NodeNext',
    types: [],
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    noEmit: true,
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  copyFileSync(join(root, 'tests', 'package', 'consumer', 'main.ts'), join(folder, 'main.ts'))
}

/** `npm install <tarball>`, with this Node: an addon's binary is chosen for the Node that installs it. */
export function installTarball({ folder, tarball }: ConsumerPaths): void {
  npm(['install', tarball, '--no-audit', '--no-fund'], folder)
}

/** Unpacks the tarball and links what it declares as dependencies and peers; what it forgot to declare is not found. */
export function linkTarball({ root, folder, tarball }: ConsumerPaths): void {
  const modules = join(folder, 'node_modules')
  const target = join(modules, 'runcell')
  mkdirSync(target, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '--strip-components=1', '-C', target])
  const manifest = JSON.parse(readFileSync(join(target, 'package.json'), 'utf8')) as Record<
    'dependencies' | 'peerDependencies',
    Record<string, string>
  >
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })) {
    const link = join(modules, name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(root, 'node_modules', name), link, 'junction')
  }
}

/** Runs the consumer's program and gives what it printed. */
export function runProgram({ folder }: ConsumerPaths): string {
  return execFileSync(process.execPath, ['main.ts'], { cwd: folder, encoding: 'utf8' }).trim()
}

/** Runs the installed command and gives what it printed. */
export function runCommand({ folder }: ConsumerPaths, bin: string, args: readonly string[]): string {
  const script = join(folder, 'node_modules', 'runcell', bin)
  return execFileSync(process.execPath, [script, ...args], { cwd: folder, encoding: 'utf8' })
}

/** Compiles the consumer's program strictly, declarations included; what is wrong in other packages' declarations is not ours. */
export function typeProblems({ root, folder }: ConsumerPaths): string[] {
  try {
    execFileSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', folder], {
      cwd: folder,
      encoding: 'utf8',
    })
    return []
  } catch (error) {
    const output = (error as { stdout?: string }).stdout ?? ''
    const lines = output.split('\n').filter((line) => /^\S/.test(line))
    return lines.filter((line) => !/node_modules\/(?!runcell\/)/.test(line))
  }
}

/** Runs npm on this Node; `npm_execpath` is npm's own script when an npm script started this one. */
export function npm(args: readonly string[], cwd: string): string {
  const script = process.env['npm_execpath']
  const env = { ...process.env, PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}` }
  const [command, first] = script === undefined ? ['npm', []] : [process.execPath, [script]]
  return execFileSync(command, [...first, ...args], {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}
