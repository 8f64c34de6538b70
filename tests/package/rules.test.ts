// The file rules of the tarball must be able to fail.
import { expect, it } from 'vitest'
import { fileProblems, MAX_TARBALL_BYTES, type Packed } from '../../scripts/package/rules.ts'

const manifest = {
  exports: {
    '.': { 'runcell-source': './src/index.ts', types: './dist/src/index.d.ts', default: './dist/src/index.js' },
    './package.json': './package.json',
  },
  bin: { runcell: './dist/src/cli/main.js' },
}
const complete = [
  ...['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md', 'docs/limits.md', 'docs/examples/quickstart.ts'],
  ...['dist/src/index.js', 'dist/src/index.d.ts', 'dist/src/cli/main.js'],
  'dist/runtimes/typescript/guest/prelude.generated.js',
]
const packed = (paths: readonly string[], size = 1): Packed => ({
  filename: 'x.tgz',
  size,
  unpackedSize: 1,
  files: paths.map((path) => ({ path, size: 1 })),
})

it('passes a tarball that has what it needs and nothing else', () => {
  expect(fileProblems(packed(complete), manifest)).toEqual([])
})

it.each([
  'src/index.ts',
  'tests/unit/a.test.ts',
  'dist/tests/a.js',
  'dist/src/index.js.map',
  'dist/src/.env',
  '.npmrc',
  'docs/examples/.env',
  'docs/notes.txt',
  'benchmarks/quick.ts',
])('refuses %s', (path) => {
  const problems = fileProblems(packed([...complete, path]), manifest)
  expect(problems).toEqual([expect.stringContaining(`${path} is published`)])
})

it.each(['README.md', 'LICENSE', 'dist/src/index.d.ts', 'dist/src/cli/main.js'])('misses %s', (path) => {
  const problems = fileProblems(packed(complete.filter((other) => other !== path)), manifest)
  expect(problems).toEqual([`${path} is not published`])
})

it('has a size budget', () => {
  expect(fileProblems(packed(complete, MAX_TARBALL_BYTES + 1), manifest)).toHaveLength(1)
})
