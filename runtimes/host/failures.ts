// The failures that the host decides, each with its sentence: what happened, which budget with its value, what to do.
// A model reads them, so they hold no path of the machine. Kinds follow the host's own clocks and facts (contract J2).
import type { CodeRunError, RunLimits } from '../../src/runtime/code-runtime.ts'
import type { SandboxExit } from './sandbox.ts'
import { fatalLine } from './stderr-tail.ts'

/** Which clock ran out. */
export type Clock = 'wall' | 'compute'

/** A budget of time is spent. `openCalls` are those that the program was waiting for. */
export function timedOut(clock: Clock, limits: RunLimits, openCalls: number): CodeRunError {
  const message =
    clock === 'compute'
      ? `The program used up its CPU time of ${limits.computeMs} ms (computeMs). Do less work in one run, or look for a loop that never ends; a host can raise computeMs.`
      : `The program did not end within ${limits.maxWallMs} ms (maxWallMs)${waitingFor(openCalls)}. Make fewer or faster calls in one run, or wait for less; a host can raise maxWallMs.`
  return { kind: 'timeout', message }
}

function waitingFor(openCalls: number): string {
  if (openCalls === 0) return ''
  return openCalls === 1 ? '; one call was still open' : `; ${openCalls} calls were still open`
}

/** The budget of memory is spent, by the isolate's own count or by the resident size of the process. */
export function outOfMemory(limits: RunLimits): CodeRunError {
  return {
    kind: 'worker-exit',
    message: `The program needed more memory than its ${limits.memoryMb} MiB (memoryMb), and its sandbox was ended. Work on smaller pieces and keep fewer of them; a host can raise memoryMb.`,
  }
}

/** Logs and value, or logs and message, are more than fits. */
export function tooMuchOutput(limits: RunLimits, what: string): CodeRunError {
  return {
    kind: 'output-limit',
    message: `${what} passed the ${limits.maxOutputBytes} bytes that logs and result of a program may have together (maxOutputBytes). Log less and return a summary or a part; a host can raise maxOutputBytes.`,
  }
}

/** One turn of the program is larger than any message may be. */
export function oversizedTurn(problem: string): CodeRunError {
  return {
    kind: 'output-limit',
    message: `The program asked for too much at once: ${problem}. Make the calls in smaller groups, with smaller arguments.`,
  }
}

/** The caller, or the disposal of the runtime, stopped the run. */
export function aborted(why: string): CodeRunError {
  return { kind: 'abort', message: why }
}

/** The program waits for something that can never come (contract J8). */
export function stalled(): CodeRunError {
  return {
    kind: 'stalled',
    message:
      'The program waits for a promise that nothing can settle: no call is open and no timer is set. Await calls and timers only, and resolve the promises that the program makes itself.',
  }
}

/** The program's value is not lossless JSON; `problem` names the path. */
export function invalidOutput(problem: string): CodeRunError {
  return { kind: 'invalid-output', message: problem }
}

/** The traffic was no protocol. */
export function brokeProtocol(rule: string): CodeRunError {
  return {
    kind: 'worker-exit',
    message: `The sandbox broke protocol (${rule}) and was ended. Nothing it said after that was used.`,
  }
}

/** The engine gave up. */
export function engineFailed(problem: string): CodeRunError {
  return { kind: 'worker-exit', message: `The sandbox of the program failed and was ended: ${problem}` }
}

/** No sandbox could be started for the run. */
export function neverStarted(problem: string): CodeRunError {
  return { kind: 'worker-exit', message: problem }
}

/** The process died by itself. `nearMemory` says that it was last seen near its budget of memory. */
export function processDied(exit: SandboxExit, limits: RunLimits, nearMemory: boolean): CodeRunError {
  const how =
    exit.signal !== null
      ? `was killed by ${exit.signal}`
      : exit.code !== null
        ? `exited with code ${exit.code}`
        : 'went away'
  const line = fatalLine(exit.stderr)
  const why = line === undefined ? '' : ` (${line})`
  const memory = nearMemory
    ? ` It was last seen near its memory budget of ${limits.memoryMb} MiB (memoryMb): work on smaller pieces.`
    : ''
  return {
    kind: 'worker-exit',
    message: `The process of the program ${how}${why} before the program ended.${memory} Other runs are not touched; the program can be run again.`,
  }
}
