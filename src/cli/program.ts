// The command tree of `runcell`: options, help texts, and which function a command calls. Loaded by main.ts once the
// version of Node is known to do.
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { packageVersion } from '../mcp/package-version.ts'
import type { RunCommandOptions } from './commands/run.ts'
import { EXIT_CODE_HELP, EXIT_CODES, type ExitCode } from './exit-codes.ts'
import { watchInterrupts } from './interrupt.ts'
import { Output } from './output.ts'

const RUN_EXAMPLES = `
Examples:
  runcell run report.ts --mcp mcp.json
  runcell run report.ts --mcp mcp.json --json --trace
  echo 'return 6 * 7' | runcell run -

A program is the body of an async function: it may await, calls tools as
\`await tools.<server>_<tool>({ … })\` and gives its result with return.

${EXIT_CODE_HELP}`

/** Parses the arguments (without node and script), runs the command and gives the exit code. Never throws. */
export async function main(args: readonly string[]): Promise<ExitCode> {
  let exitCode: ExitCode = EXIT_CODES.ok
  const program = new Command('runcell')
    .description('Runs programs that call tools, each call through one policy pipeline.')
    .version(packageVersion())
    .exitOverride()
    .showHelpAfterError('(add --help for the options)')
  program
    .command('run')
    .description('run a TypeScript program: logs to stderr, the result to stdout')
    .argument('<file>', 'program file, or - for standard input')
    .option('--mcp <file>', 'servers to connect to: a JSON file with "mcpServers", as other MCP hosts have it')
    .option(
      '--json',
      'print one JSON document instead of the result: { ok, result, logs, usage, calls } or { ok, error, … }',
    )
    .option('--trace', 'print a table of the sub-calls to stderr')
    .option('--timeout-ms <n>', 'longest wall time of the run (default 300000)', positiveInteger)
    .option(
      '--compute-ms <n>',
      'longest CPU time of the program; waiting on a tool is free (default 10000)',
      positiveInteger,
    )
    .option('--memory-mb <n>', 'most memory of the program (default 256)', positiveInteger)
    .addHelpText('after', RUN_EXAMPLES)
    .action(async (file: string, options: RunCommandOptions) => {
      // Help and version need neither the pipeline nor the MCP client.
      const { runCommand } = await import('./commands/run.ts')
      const interrupt = watchInterrupts()
      const output = new Output(process.stdout, process.stderr)
      exitCode = await runCommand(file, options, { output, stdin: process.stdin, signal: interrupt.signal })
      exitCode = interrupt.exitCode() ?? exitCode
      interrupt.release()
    })
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage
  }
}

function positiveInteger(value: string): number {
  const number = Number(value)
  if (!Number.isSafeInteger(number) || number < 1) throw new InvalidArgumentError('It must be a positive whole number.')
  return number
}
