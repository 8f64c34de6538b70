// Errors of web interfaces: browsers throw a DOMException, which a program tells by its name. Here it is an Error of that name.
import { dataDescriptor, defineProperty, NativeError } from '../intrinsics.ts'

/** An Error with an own `name`. */
export function namedError(name: string, message: string): Error {
  const error = new NativeError(message)
  defineProperty(error, 'name', dataDescriptor(name, false, true))
  return error
}
