#!/usr/bin/env node
// The `runcell` command. It checks the version of Node before it loads anything that an older one cannot read, and owns
// the end of the process: everything is written out, then it exits with the command's code.
const OLDEST_NODE_MAJOR = 24

const major = Number(process.versions.node.split('.')[0])
if (major < OLDEST_NODE_MAJOR) {
  process.stderr.write(
    `error: runcell needs Node ${OLDEST_NODE_MAJOR} or later; this is ${process.version} (${process.execPath}).\n` +
      `what to do: install Node ${OLDEST_NODE_MAJOR}, or add it to the project with \`npm install --save-dev node@${OLDEST_NODE_MAJOR}\` ` +
      'and start runcell through npx or an npm script.\n',
  )
  process.exitCode = 2
} else {
  // A reader that goes away (`| head`) is no error of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
  const { main } = await import('./program.ts')
  const exitCode = await main(process.argv.slice(2))
  await Promise.all(
    [process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write('', resolve))),
  )
  process.exit(exitCode)
}

export {}
