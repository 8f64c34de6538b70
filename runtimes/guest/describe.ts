// Turns anything that a program throws into bounded words: name, message with its causes, and the program's own frames.
// Called when a program ends by a throw, and for what timers and microtasks throw. Reading a thrown thing may run the program's code
// (a getter, a trap): it runs inside the entry, on its clock, and a throw of it is caught.
import { inspect } from './inspect.ts'
import { getProperty, hasOwn, isArray, isError } from './intrinsics.ts'
import { programStack, readText } from './stacks.ts'
import { clip } from './text.ts'

const MAX_NAME = 128
const MAX_MESSAGE = 16_384
const MAX_CAUSES = 5

/** What is said of a thrown thing. */
export interface Described {
  /** Empty for what is no error. */
  readonly name: string
  readonly message: string
  /** Frames of the program, one a line; may be empty. */
  readonly stack: string
}

/** Describes a thrown value; never throws. */
export function describeThrown(thrown: unknown): Described {
  if (!looksLikeError(thrown)) {
    return { name: '', message: clip(`${inspect(thrown)} was thrown, which is no Error`, MAX_MESSAGE), stack: '' }
  }
  return {
    name: clip(readText(thrown, 'name') ?? '', MAX_NAME),
    message: clip((readText(thrown, 'message') ?? '') + describeCauses(thrown), MAX_MESSAGE),
    stack: programStack(thrown),
  }
}

/** `Name: message` of a thrown value, without causes; never throws. */
export function headlineOf(thrown: unknown): string {
  if (!looksLikeError(thrown)) return clip(inspect(thrown), MAX_MESSAGE)
  const name = clip(readText(thrown, 'name') ?? '', MAX_NAME)
  const message = clip(readText(thrown, 'message') ?? '', MAX_MESSAGE)
  if (name === '') return message
  return message === '' ? name : `${name}: ${message}`
}

function looksLikeError(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  return isError(value) || (readText(value, 'message') !== undefined && readText(value, 'name') !== undefined)
}

/** `Caused by …` lines: the chain of causes, and under each error the errors that it stands for. */
function describeCauses(error: object): string {
  let text = ''
  let current = error
  for (let depth = 0; depth < MAX_CAUSES; depth++) {
    text += describeErrors(current)
    const cause = readOwn(current, 'cause')
    if (cause === undefined) break
    text += `\nCaused by: ${headlineOf(cause)}`
    if (typeof cause !== 'object' || cause === null) break
    current = cause
  }
  return text
}

/** The errors of an AggregateError. */
function describeErrors(error: object): string {
  let text = ''
  try {
    const errors = readOwn(error, 'errors')
    if (!isArray(errors)) return ''
    for (let index = 0; index < errors.length && index < MAX_CAUSES; index++) {
      text += `\n- ${headlineOf(errors[index])}`
    }
    if (errors.length > MAX_CAUSES) text += `\n- … ${errors.length - MAX_CAUSES} more`
  } catch {
    // A trap threw: what was read so far stays.
  }
  return text
}

function readOwn(target: object, key: string): unknown {
  try {
    return hasOwn(target, key) ? getProperty(target, key) : undefined
  } catch {
    return undefined
  }
}
