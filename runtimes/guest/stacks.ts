// Stacks of errors, reduced to the frames of the program. Called by inspect.ts and describe.ts.
// Reading a stack may run the program's code (Error.prepareStackTrace, a getter): it runs inside the entry, on its clock.
import {
  getProperty,
  includesText,
  indexOfText,
  NativeWeakMap,
  sliceText,
  startsWith,
  weakMapGet,
} from './intrinsics.ts'
import { clip } from './text.ts'

/** File name of guest code in stack traces; the engine compiles the bundle under it. */
export const GUEST_FILE = 'runcell:guest'

const MAX_FRAMES = 24
const MAX_FRAME_LENGTH = 512

/** Errors that carry no stack of their own (bridge.ts), and the error that was made with each. */
export const traces = new NativeWeakMap<object, Error>()

/** The frames of an error that are the program's own, one a line, indented; may be empty. Never throws. */
export function programStack(error: object): string {
  const stack = readText(weakMapGet(traces, error) ?? error, 'stack') ?? ''
  let frames = ''
  let count = 0
  for (let start = 0; start < stack.length && count < MAX_FRAMES; ) {
    const found = indexOfText(stack, '\n', start)
    const end = found < 0 ? stack.length : found
    const line = sliceText(stack, start, end)
    start = end + 1
    if (!startsWith(line, '    at ') || includesText(line, GUEST_FILE)) continue
    frames += `${frames === '' ? '' : '\n'}${clip(line, MAX_FRAME_LENGTH)}`
    count++
  }
  return frames
}

/** A text property, wherever it is inherited from; `undefined` when it is no text or cannot be read. */
export function readText(target: object, key: string): string | undefined {
  try {
    const value: unknown = getProperty(target, key)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
