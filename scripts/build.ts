// The one build: guest bundles (text that runs inside an isolate), then the library for publishing.
// `--guest` makes the bundles only, which is all that the sources need to run as they are.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Entry of each guest bundle. The bundle stands beside it as `<name>.generated.js`. */
const guestEntries = ['runtimes/typescript/guest/prelude.ts']

async function buildGuests(): Promise<string[]> {
  const outputs: string[] = []
  for (const entry of guestEntries) {
    const outfile = entry.replace(/\.ts$/, '.generated.js')
    await build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile,
      bundle: true,
      // The file is one expression whose value is the export `install`: it leaves no name in the isolate.
      format: 'iife',
      globalName: 'guest',
      banner: { js: '(() => {' },
      footer: { js: 'return guest.install;\n})()' },
      platform: 'neutral',
      // The text is copied into every isolate. Names stay, because a program sees some of them.
      minifyWhitespace: true,
      target: 'es2024',
      legalComments: 'none',
      logLevel: 'warning',
    })
    outputs.push(outfile)
  }
  return outputs
}

const bundles = await buildGuests()
if (!process.argv.includes('--guest')) {
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')], { stdio: 'inherit' })
  for (const bundle of bundles) {
    const target = join(root, 'dist', bundle)
    if (!existsSync(dirname(target))) mkdirSync(dirname(target), { recursive: true })
    copyFileSync(join(root, bundle), target)
  }
}
