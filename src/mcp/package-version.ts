// The version of this package, for handshakes and `--version`. Read from package.json by the package's own name, so that it
// is found from the sources and from the build alike.
import { createRequire } from 'node:module'

/** Version in package.json. */
export function packageVersion(): string {
  const { version } = createRequire(import.meta.url)('runcell/package.json') as { version: string }
  return version
}
