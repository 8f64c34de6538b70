// How messages say that a file could not be read.

/** The rest of a sentence that begins with the file: `does not exist`, `is a directory`, `cannot be read (EACCES)`. */
export function describeUnreadable(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  if (code === 'ENOENT') return 'does not exist'
  return code === 'EISDIR' ? 'is a directory' : `cannot be read (${code ?? String(error)})`
}
