// Modules that are loaded by URL (a process's entry, a worker) stand as .ts in the sources and as .js in the build.

/** URL of a module named relative to `base` (an `import.meta.url`), without its ending: it has the one that `base` has. */
export function siblingModule(path: string, base: string): URL {
  const ending = new URL(base).pathname.endsWith('.ts') ? '.ts' : '.js'
  return new URL(`${path}${ending}`, base)
}
