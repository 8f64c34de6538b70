// The command of a sandbox process, pinned, and what a live one has of it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { launchCommand } from '../../../../runtimes/host/launch.ts'
import { siblingModule } from '../../../../runtimes/host/sibling.ts'
import { repositoryRoot } from '../../../support/repository.ts'
import { makeHost, runToy, toyEngine } from '../../../support/sandbox/hosts.ts'
import { isAlive } from '../../../support/sandbox/processes.ts'

const main = fileURLToPath(new URL('../../../../runtimes/child/main.ts', import.meta.url))
const permissionProbe = new URL('../../../support/sandbox/permission-probe.ts', import.meta.url)

describe('[K6] the command', () => {
  it('is pinned: no environment, no snapshot, the permission model with reading of modules only', () => {
    const command = launchCommand({ engine: toyEngine, memoryMb: 64 })
    expect(command).toEqual({
      file: process.execPath,
      args: [
        '--no-node-snapshot',
        '--no-warnings',
        '--permission',
        '--allow-addons',
        `--allow-fs-read=${repositoryRoot}`,
        `--allow-fs-read=${join(repositoryRoot, 'node_modules')}`,
        `--allow-fs-read=${join(repositoryRoot, 'node_modules/isolated-vm')}`,
        `--allow-fs-read=${join(repositoryRoot, 'node_modules/node-gyp-build')}`,
        '--allow-fs-read=/etc/alpine-release',
        main,
        JSON.stringify({ engine: toyEngine.href, memoryMb: 64 }),
      ],
      env: { NODE_V8_COVERAGE: undefined },
      launched: false,
    })
  })

  it('stands behind a launcher whole', () => {
    const plain = launchCommand({ engine: toyEngine, memoryMb: 64 })
    const command = launchCommand({ engine: toyEngine, memoryMb: 64, launcher: ['bwrap', '--unshare-net'] })
    expect(command).toMatchObject({ file: 'bwrap', launched: true })
    expect(command.args).toEqual(['--unshare-net', process.execPath, ...plain.args])
  })

  it('finds modules with the ending of whoever asks', () => {
    expect(siblingModule('../child/main', 'file:///p/runtimes/host/launch.ts').href).toBe(
      'file:///p/runtimes/child/main.ts',
    )
    expect(siblingModule('../child/main', 'file:///p/dist/host/launch.js').href).toBe('file:///p/dist/child/main.js')
  })
})

describe('[K6] a live sandbox process', () => {
  it.runIf(process.platform === 'linux')('has an empty environment', async () => {
    process.env['RUNCELL_TEST_SECRET'] = 'token'
    try {
      const host = makeHost()
      await runToy(host, 'return 1')
      for (const pid of host.pids) expect(readFileSync(`/proc/${pid}/environ`, 'utf8')).toBe('')
    } finally {
      delete process.env['RUNCELL_TEST_SECRET']
    }
  })

  it('may not write, start processes or workers, or read beyond its modules', async () => {
    const host = makeHost({ engine: permissionProbe, spares: 0 })
    const { value } = await runToy(host, '')
    expect(value).toEqual({
      write: 'ERR_ACCESS_DENIED',
      read: 'ERR_ACCESS_DENIED',
      spawn: 'ERR_ACCESS_DENIED',
      worker: 'ERR_ACCESS_DENIED',
      environment: [],
    })
  })

  it.runIf(process.platform === 'linux').each([
    ['replaces itself', ['/usr/bin/env', '-i']],
    ['stays in front', ['/bin/sh', '-c', '"$@"; exit $?', 'sh']],
  ])('behind a launcher that %s is measured, and gone when it is killed', async (_, launcher) => {
    const host = makeHost({ launcher, spares: 0 })
    const abort = new AbortController()
    let pid = 0
    const source = 'log("in"); for (;;) {}'
    const { error, usage } = await runToy(host, source, {
      signal: abort.signal,
      onLog: () => {
        pid = host.pids[0]!
        setTimeout(() => abort.abort(), 20)
      },
    })
    expect(error?.kind).toBe('abort')
    expect(usage!.peakMemoryBytes).toBeGreaterThan(20_000_000)
    // The launcher's child is reaped by the system, in its own time.
    await expect.poll(() => isAlive(pid)).toBe(false)
  })
})
