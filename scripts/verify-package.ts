// `npm run verify:package`: the package is a tested artefact. Builds, packs, checks the tarball's files and metadata, and
// lets a project in an empty folder use it: types, a program with a tool, the command. `-- --install` installs it with npm
// and its dependencies from the registry; without it the dependencies are this repository's, and no network is needed.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import {
  type ConsumerPaths,
  installTarball,
  linkTarball,
  npm,
  runCommand,
  runProgram,
  typeProblems,
  writeProject,
} from './package/consumer.ts'
import { fileProblems, type Manifest, type Packed } from './package/rules.ts'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Manifest & { version: string }
const EXPECTED_VALUE = '{"logs":["adding"],"result":5}'

async function verify(folder: string): Promise<string[]> {
  npm(['run', 'build'], root)
  // The build is done; its output would stand in the way of the JSON.
  const packed = (
    JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root)) as Packed[]
  )[0]
  if (packed === undefined) return ['npm pack made no tarball']
  console.log(`packed ${packed.files.length} files, ${packed.size} bytes (${packed.unpackedSize} unpacked)`)
  const problems = fileProblems(packed, manifest)
  const paths: ConsumerPaths = { root, folder, tarball: join(folder, packed.filename) }
  writeProject(paths)
  if (process.argv.includes('--install')) installTarball(paths)
  else linkTarball(paths)
  problems.push(...(await metadataProblems(join(folder, 'node_modules', 'runcell'))))
  problems.push(...typeProblems(paths))
  const value = runProgram(paths)
  if (value !== EXPECTED_VALUE) problems.push(`the consumer's program printed ${value}, not ${EXPECTED_VALUE}`)
  const version = runCommand(paths, manifest.bin['runcell'] ?? '', ['--version']).trim()
  if (version !== manifest.version) problems.push(`runcell --version printed ${version}, not ${manifest.version}`)
  return problems
}

async function metadataProblems(pkgDir: string): Promise<string[]> {
  const { messages, pkg } = await publint({ pkgDir, pack: false, strict: true })
  return messages.map((message) => `publint: ${formatMessage(message, pkg, { color: false }) ?? message.code}`)
}

/** What a command that failed said. */
function commandProblem(error: unknown): string {
  const { message, stdout, stderr } = error as Error & { stdout?: string; stderr?: string }
  return [message, stdout, stderr].filter((text) => text !== undefined && text !== null && text !== '').join('\n')
}

const folder = mkdtempSync(join(tmpdir(), 'runcell-package-'))
try {
  const problems = await verify(folder).catch((error: unknown) => [commandProblem(error)])
  for (const problem of problems) console.error(`- ${problem}`)
  if (problems.length > 0) process.exitCode = 1
  else console.log('the package is complete: files, metadata, types, a program with a tool, the command')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
