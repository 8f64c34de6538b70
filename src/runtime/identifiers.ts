// Which names a binding may have (contract J3). One list for every runtime, so that a namespace that one language
// accepts is accepted by all: reserved words of each language, dunder names, and globals that runtimes own.

const PORTABLE = /^[A-Za-z_][A-Za-z0-9_]*$/

const TYPESCRIPT_WORDS =
  'arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined using var void while with yield'

const PYTHON_WORDS =
  'False None True and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try type while with yield'

const ECMASCRIPT_GLOBALS =
  'globalThis Infinity NaN isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape AggregateError Array ArrayBuffer AsyncDisposableStack Atomics BigInt BigInt64Array BigUint64Array Boolean DataView Date DisposableStack Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function Int16Array Int32Array Int8Array Intl Iterator JSON Map Math Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String SuppressedError Symbol SyntaxError Temporal TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly'

const RUNTIME_GLOBALS =
  'console setTimeout clearTimeout setInterval clearInterval queueMicrotask structuredClone TextEncoder TextDecoder URL URLSearchParams atob btoa AbortController AbortSignal crypto performance process'

const PYTHON_BUILTINS =
  'abs aiter all anext any ascii asyncio bin bool breakpoint bytearray bytes callable chr classmethod compile complex copyright credits delattr dict dir divmod enumerate eval exec exit filter float format frozenset getattr globals hasattr hash help hex id input int isinstance issubclass iter js len license list locals map max memoryview micropip min next object oct open ord pow print property pyodide pyodide_js quit range repr reversed round self set setattr slice sorted staticmethod str sum super tuple vars zip BaseException Exception'

const ERROR_MEMBERS = ['message', 'name', 'stack', 'cause', 'args', 'constructor', 'with_traceback', 'add_note']

const RESERVED_WORDS = reasons(
  [PYTHON_WORDS, 'is a reserved word of Python'],
  [TYPESCRIPT_WORDS, 'is a reserved word of TypeScript'],
)

const GLOBALS = reasons(
  [PYTHON_BUILTINS, 'is a builtin of Python'],
  [RUNTIME_GLOBALS, 'is a global that runtimes own'],
  [ECMASCRIPT_GLOBALS, 'is a global of the ECMAScript library'],
)

function reasons(...lists: readonly (readonly [words: string, why: string])[]): ReadonlyMap<string, string> {
  return new Map(lists.flatMap(([words, why]) => words.split(' ').map((word) => [word, why] as const)))
}

/** Why a name cannot be a global of a program, as the end of a sentence, or `undefined` when it can. */
export function refuseGlobalName(name: string): string | undefined {
  return refuseIdentifier(name) ?? GLOBALS.get(name)
}

/** Why a name cannot be a property of an error, or `undefined` when it can. */
export function refusePropertyName(name: string): string | undefined {
  return refuseIdentifier(name) ?? (ERROR_MEMBERS.includes(name) ? 'is a property that errors have already' : undefined)
}

/** Python reads attributes by name alone, so that a reserved word could not be written there either. */
function refuseIdentifier(name: string): string | undefined {
  if (!PORTABLE.test(name))
    return 'is no portable identifier (letters, digits and underscores, not starting with a digit)'
  if (name.startsWith('__')) return 'starts with two underscores, which languages keep for themselves'
  return RESERVED_WORDS.get(name)
}
