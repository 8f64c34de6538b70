// `npm run bench:quick`: the figures of contract Q5 that exist so far, in under a minute. A readable line for each on
// stderr as it comes; the last line of stdout is one JSON object. What cannot be measured yet is null.
import { idleProgramMb } from './memory.ts'
import { nativeCallUs } from './pipeline.ts'
import { coldProgramRunMs, typescriptFigures } from './transport.ts'

const started = performance.now()

async function step<T>(name: string, measure: () => Promise<T>): Promise<T> {
  const value = await measure()
  console.error(`${name.padEnd(28)} ${JSON.stringify(value)}`)
  return value
}

const figures = {
  pipeline: {
    nativeCallUs: await step('pipeline.nativeCallUs', () => nativeCallUs(false)),
    listenedCallUs: await step('pipeline.listenedCallUs', () => nativeCallUs(true)),
  },
  typescript: {
    process: await step('typescript.process', () => typescriptFigures('process')),
    inProcess: await step('typescript.inProcess', () => typescriptFigures('in-process')),
    coldProgramRunMs: await step('typescript.coldProgramRunMs', coldProgramRunMs),
    typecheckMs: null,
  },
  python: { process: null, interpreterMs: null, coldProgramRunMs: null },
  tokens: { sdkToNative: { typescript: null, python: null }, signaturesToNative: null, indexTokens: null },
  memory: { idleProgramMb: await step('memory.idleProgramMb', idleProgramMb) },
}
console.error(`took ${((performance.now() - started) / 1000).toFixed(1)} s`)
console.log(JSON.stringify(figures))
