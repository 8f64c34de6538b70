// The repository as tests of its own files see it: where it is, and what stands in it apart from what tools made.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Absolute path of the repository. */
export const repositoryRoot: string = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

const MADE_BY_TOOLS = new Set(['node_modules', 'dist', 'coverage', '.git'])
// Result files and bundles are ignored by git; tests of the sources must not depend on whether they were made.
const MADE_FILES = /(\.generated\.js|\.tgz)$/

/** Files below `folder` (relative to the repository), as sorted paths with forward slashes. A folder that is not there has none. */
export function listFiles(folder: string, wanted: (path: string) => boolean = () => true): string[] {
  const found: string[] = []
  const visit = (absolute: string): void => {
    let entries: ReturnType<typeof readEntries>
    try {
      entries = readEntries(absolute)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
      throw error
    }
    for (const entry of entries) {
      const path = join(absolute, entry.name)
      if (entry.isDirectory()) {
        if (!MADE_BY_TOOLS.has(entry.name)) visit(path)
      } else if (entry.isFile() && !MADE_FILES.test(entry.name)) {
        const name = relative(repositoryRoot, path).split(sep).join('/')
        if (wanted(name)) found.push(name)
      }
    }
  }
  visit(join(repositoryRoot, folder))
  return found.sort()
}

function readEntries(absolute: string) {
  return readdirSync(absolute, { withFileTypes: true })
}

/** Text of one file, by its path in the repository. */
export function readText(path: string): string {
  return readFileSync(join(repositoryRoot, path), 'utf8')
}
