// `runcell/typescript`: the runtime of TypeScript programs. Importing it loads neither isolated-vm nor the compiler.
export { TypeScriptRuntime, type TypeScriptRuntimeConfig } from './runtime.ts'
