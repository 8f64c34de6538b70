// From what the program said at its end to the outcome of its run: the value is parsed and checked again, an exception is
// bounded and mapped to the program's own positions, and both count as output. Everything here is the program's own words.
import { clip, describeThrown } from '../../src/errors/describe-thrown.ts'
import type { JsonValue } from '../../src/json/json-value.ts'
import { parseJson } from '../../src/json/stringify.ts'
import type { CodeRunError } from '../../src/runtime/code-runtime.ts'
import type { WireEnd } from '../wire/messages.ts'
import { invalidOutput, tooMuchOutput } from './failures.ts'
import type { OutputMeter } from './output-meter.ts'
import type { DescribedException, PreparedRun, ProgramException } from './prepared-run.ts'

const MAX_NAME_LENGTH = 256
const MAX_STACK_LENGTH = 16_384

/** How a run is over. `clean` says that its sandbox may take another one. No `error` and no `value`: it returned nothing. */
export interface Ending {
  readonly clean: boolean
  readonly error?: CodeRunError
  readonly value?: JsonValue
}

/** The outcome of a program that came to its own end. Never throws. */
export function endingOf(end: WireEnd, run: PreparedRun, meter: OutputMeter): Ending {
  switch (end.kind) {
    case 'value':
      return end.text === undefined ? { clean: true } : endOfValue(end.text, run, meter)
    case 'exception':
      return endOfMessage(describeException(end, run.describeException), run, meter)
    case 'invalid-output':
      return endOfMessage(invalidOutput(end.message), run, meter)
  }
}

function endOfValue(text: string, run: PreparedRun, meter: OutputMeter): Ending {
  if (!meter.addText(text)) return { clean: false, error: tooMuchOutput(run.limits, 'The result of the program') }
  try {
    return { clean: true, value: parseJson(text, 'result') }
  } catch (error) {
    // The prelude checks values before it sends them: whoever sent this one is not to be trusted any more.
    return { clean: false, error: invalidOutput(describeThrown(error).message) }
  }
}

function endOfMessage(error: CodeRunError, run: PreparedRun, meter: OutputMeter): Ending {
  if (meter.addText(error.message)) return { clean: true, error }
  return { clean: false, error: tooMuchOutput(run.limits, 'The message of what the program threw') }
}

function describeException(
  { name, message, stack }: ProgramException,
  describe: PreparedRun['describeException'],
): CodeRunError {
  const exception = { name: clip(name, MAX_NAME_LENGTH), message, stack: clip(stack, MAX_STACK_LENGTH) }
  return { kind: 'exception', ...described(exception, describe) }
}

function described(exception: ProgramException, describe: PreparedRun['describeException']): DescribedException {
  try {
    if (describe !== undefined) return describe(exception)
  } catch {
    // A language's code over hostile text failed; the plain form needs none.
  }
  const { name, message, stack } = exception
  return { message: message === '' ? name : `${name}: ${message}`, name, ...(stack !== '' && { stack }) }
}
