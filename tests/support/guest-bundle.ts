// Modules of the repository as text for a program: what a test defines once runs here and inside an isolate.
import { buildSync } from 'esbuild'
import { repositoryRoot } from './repository.ts'

/** A statement that declares `name` with the exports of a module, for the head of a program. */
export function bundleAsStatement(module: string, name: string): string {
  const { outputFiles } = buildSync({
    absWorkingDir: repositoryRoot,
    entryPoints: [module],
    bundle: true,
    write: false,
    format: 'iife',
    globalName: name,
    platform: 'neutral',
    target: 'es2024',
  })
  return outputFiles[0]?.text ?? ''
}
