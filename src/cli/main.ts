#!/usr/bin/env node
// The `runcell` command. It checks the version of Node before it loads anything that an older one cannot read, and owns
// the end of the process: everything is written out, then it exits with the command's code.
import { oldNodeProblem } from '../errors/node-version.ts'

const problem = oldNodeProblem()
if (problem !== undefined) {
  process.stderr.write(`error: ${problem}\n`)
  process.exitCode = 2
} else {
  // A reader that goes away (`| head`) is no error of ours.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    process.stderr.write(`error: the result could not be written to stdout: ${error.message}\n`)
    process.exit(3)
  })
  const { main } = await import('./program.ts')
  const exitCode = await main(process.argv.slice(2))
  await Promise.all(
    [process.stdout, process.stderr].map((stream) => new Promise((resolve) => stream.write('', resolve))),
  )
  process.exit(exitCode)
}
