// What the tarball may hold. An allow-list: a file that nobody meant to publish is a failure, not a surprise.

/** One file of a tarball, as `npm pack --json` lists it. */
export interface PackedFile {
  readonly path: string
  readonly size: number
}

/** What `npm pack --json` says of a tarball. */
export interface Packed {
  readonly filename: string
  /** Bytes of the tarball. */
  readonly size: number
  /** Bytes of its files. */
  readonly unpackedSize: number
  readonly files: readonly PackedFile[]
}

/** The parts of package.json that point at files. */
export interface Manifest {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
  readonly bin: Readonly<Record<string, string>>
}

/** Budget of the tarball in bytes. */
export const MAX_TARBALL_BYTES = 400 * 1024
/** Budget of its files in bytes. */
export const MAX_UNPACKED_BYTES = 1400 * 1024

const ALLOWED = [
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^dist\/(src|runtimes|sdk-templates)\/[\w/-]+(\.generated)?\.(js|d\.ts)$/,
  /^docs\/[\w/-]+\.(md|svg|png)$/,
  /^docs\/examples\/[\w/.-]+\.(ts|json|md)$/,
]
// Repository sources are for the repository's own tests; a published condition that points at them would load them in place of the build.
const SOURCE_CONDITION = 'runcell-source'

/** Sentences about what is wrong with the files of a tarball; empty when all is well. */
export function fileProblems(packed: Packed, manifest: Manifest): string[] {
  const paths = new Set(packed.files.map((file) => file.path))
  const problems = packed.files
    .filter((file) => !ALLOWED.some((allowed) => allowed.test(file.path)))
    .map((file) => `${file.path} is published, and no rule of scripts/package/rules.ts allows it`)
  for (const required of ['README.md', 'LICENSE', 'CHANGELOG.md', ...targets(manifest)]) {
    if (!paths.has(required)) problems.push(`${required} is not published`)
  }
  for (const [name, bytes, budget] of [
    ['tarball', packed.size, MAX_TARBALL_BYTES],
    ['unpacked package', packed.unpackedSize, MAX_UNPACKED_BYTES],
  ] as const) {
    if (bytes > budget) problems.push(`the ${name} has ${bytes} bytes, over its budget of ${budget}`)
  }
  return problems
}

/** Files that the export map and `bin` name. */
function targets(manifest: Manifest): string[] {
  const named = Object.values(manifest.exports).flatMap((target) =>
    typeof target === 'string'
      ? [target]
      : Object.entries(target).flatMap(([condition, path]) => (condition === SOURCE_CONDITION ? [] : [path])),
  )
  return [...named, ...Object.values(manifest.bin)].map((path) => path.replace(/^\.\//, ''))
}
