// The error class of a namespace (contract H3, J3): a real constructor that the program sees as a global, whose instances carry
// `message` and the name of the member, and nothing else. Called by the prelude (classes) and the bridge (instances).
//
// Instances are made without `super()`: a program may give the class another prototype, which `super()` would call.
import {
  construct,
  createObject,
  dataDescriptor,
  defineProperty,
  deleteProperty,
  errorPrototype,
  NativeError,
  setPrototypeOf,
  weakMapSet,
} from './intrinsics.ts'
import { traces } from './stacks.ts'

/** Makes the error that a failed call of one member rejects with. */
export type MakeError = (message: string, member: string) => Error

type Class = new (message: unknown, member: unknown) => Error

/** A class as the program sees it, and how the bridge makes its instances. */
export interface ErrorClass {
  readonly classObject: object
  readonly make: MakeError
}

/** The error of a namespace that declares no class: the language's plain one. */
export const makePlainError: MakeError = (message) => new NativeError(message)

/** A class called `name`, whose instances have the name of the member in `property`. */
export function createErrorClass(name: string, property: string): ErrorClass {
  const build = (message: unknown, member: unknown, target: Class): Error => {
    const text = message === undefined ? '' : `${message as string}`
    const error = construct(NativeError, [text], target) as Error
    // V8 gives every error a stack of its own. It is kept aside, for the report of an uncaught one.
    weakMapSet(traces, error, construct(NativeError, [text]) as Error)
    deleteProperty(error, 'stack')
    defineProperty(error, property, dataDescriptor(member, true, true))
    return error
  }
  const Built = function (this: unknown, message: unknown, member: unknown): Error {
    return build(message, member, (new.target as unknown as Class | undefined) ?? Built)
  } as unknown as Class
  const prototype = createObject(errorPrototype)
  defineProperty(prototype, 'constructor', dataDescriptor(Built, false, true))
  defineProperty(prototype, 'name', dataDescriptor(name, false, true))
  defineProperty(Built, 'prototype', dataDescriptor(prototype, false, false))
  defineProperty(Built, 'name', dataDescriptor(name, false, true))
  setPrototypeOf(Built, NativeError)
  return { classObject: Built, make: (message, member) => build(message, member, Built) }
}
