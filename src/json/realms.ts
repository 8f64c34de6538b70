// Plain containers of another realm (contract A2): a value made in a `vm` context, an iframe or another isolate's copy of the built-ins has
// prototypes that are not ours. They are recognized by shape, from own data descriptors only. A forged one gains nothing: what a prototype
// holds is never copied.

const { getOwnPropertyDescriptor, getPrototypeOf } = Object

const OBJECT_PROTOTYPE_METHODS = [
  'constructor',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'toLocaleString',
  'toString',
  'valueOf',
]

/** True for the Object.prototype of another realm: it ends the chain and has the methods that every Object.prototype has. */
export function isObjectPrototype(candidate: object): boolean {
  if (getPrototypeOf(candidate) !== null) return false
  for (const name of OBJECT_PROTOTYPE_METHODS) {
    const method = getOwnPropertyDescriptor(candidate, name)
    if (method === undefined || method.enumerable === true || typeof method.value !== 'function') return false
  }
  const objectClass = getOwnPropertyDescriptor(candidate, 'constructor')?.value as object
  return getOwnPropertyDescriptor(objectClass, 'prototype')?.value === candidate
}

/** True for the Array.prototype of another realm: an array itself, right below an Object.prototype. */
export function isArrayPrototype(candidate: unknown): boolean {
  if (!Array.isArray(candidate)) return false
  const above: unknown = getPrototypeOf(candidate)
  return typeof above === 'object' && above !== null && isObjectPrototype(above)
}
