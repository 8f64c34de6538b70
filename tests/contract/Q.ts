import type { ContractSection } from './clause.ts'

export const Q: ContractSection = {
  letter: 'Q',
  title: 'Public names',
  intro: 'Users, examples and acceptance checks rely on these; add to them freely, rename none.',
  clauses: [
    {
      id: 'Q1',
      text:
        '`runcell`: `createCell`, `createAgent`, `ToolRuntime`, `SystemPrompt`, `ApprovalService`, `CodeRuntime`, ' +
        '`createScope`, `scopeOf`, `scopeTarget`, `bindScopeParent`, `scopeChainOf`, `defineTool`, `validateArgs`, ' +
        '`valueSchemaSpecToJsonSchema`, `parameterSchemaSpecToJsonSchema`, `renderPrompt`, `toolTimeouts`, ' +
        '`HarnessError`, `ToolArgsError` (`INVALID_ARGS`), `ToolNotFoundError` (`UNKNOWN_TOOL`), `ToolOutputError` ' +
        '(`INVALID_TOOL_OUTPUT`), `CodeRunFailedError` (`CODE_RUN_FAILED`), `RUN_CODE_NAME`, `TOOL_ABORTED` ' +
        "(`'ABORTED'`), `TOOL_ABORTED_BEFORE_DISPATCH` (`'ABORTED_BEFORE_DISPATCH'`), `TOOL_TIMEOUT`, the names of " +
        'section N, and the types named on this page.',
      status: 'part',
      missing: '`ApprovalService`',
    },
    {
      id: 'Q2',
      text:
        '`runcell/typescript`: `TypeScriptRuntime`. `runcell/python`: `PythonRuntime`. Both are Cordis plugins that ' +
        'provide `codeRuntime`, with a validated `Config`. `runcell/sdk`: `typescriptSdk`, `pythonSdk` (SdkRenderer ' +
        'objects). `runcell/mcp`: `mcpServers` (plugin), `serveMcp`. `runcell/testkit`: `codeRuntimeConformance`.',
      status: 'part',
      missing: '`runcell/python`, `runcell/testkit`, `pythonSdk`, `serveMcp`',
    },
    {
      id: 'Q3',
      text:
        "`createCell({ mode = 'code', languages = ['typescript'], tools?, mcpServers?, limits?, sdk?, typecheck?, " +
        'isolation? })` mounts everything and gives `{ ctx, tools, agent(options), prompt(agent?), ' +
        'toolSchemas(agent?), call({ name, arguments, signal?, agent?, callId? }), run(code, { language?, ' +
        'description?, signal?, agent?, onLog? }), close() }`; it is `AsyncDisposable`. `run` is `run_code` through ' +
        "the pipeline, and its result is a `ToolExecutionResult`. Where no agent is given, the cell's own agent " +
        "`main` is used. `call` is a model-direct call and obeys F3. `typecheck` is `'error'` by default, `mode` of " +
        '`createCell` is `code`.',
      status: 'part',
      missing: 'the options `sdk` and `typecheck`',
    },
    {
      id: 'Q4',
      text:
        'Scripts of the repository: `npm run demo` (the main job, on real input), `npm test` (everything that CI ' +
        'holds, under ten minutes), `npm run check` (format, lint, types, cycles, package), `npm run bench` (full, ' +
        'with charts), `npm run bench:quick` (under 60 s; its last line of stdout is one JSON object of figures), ' +
        '`npm run bench:peers` (side by side with other systems), `npm run test:security`, `npm run test:catalogs` ' +
        '(all of them; `npm test` samples), `npm run test:soak`.',
      status: 'planned',
    },
    {
      id: 'Q5',
      text:
        'Figures of `bench:quick`, in milliseconds (`Ms`), microseconds (`Us`), megabytes (`Mb`) or ratios: ' +
        '`pipeline.nativeCallUs`, `pipeline.listenedCallUs`; for `L` in typescript, python and `I` in process, ' +
        'inProcess: `L.I.warmRunMs`, `L.I.freshRunMs`, `L.I.sequentialCallUs`, `L.I.parallelCallUs`, ' +
        '`L.I.payloadMbPerS`; `typescript.typecheckMs`; `python.interpreterMs`; `tokens.sdkToNative.L` (full SDK, ' +
        'over the catalogs), `tokens.signaturesToNative`, `tokens.indexTokens` (for the largest catalog); ' +
        '`memory.idleProgramMb` (proportional set size). Nested objects; a figure that is missing is `null`. A warm ' +
        'run is `run()` of a program compiled before, 10 ms apart; `L.I.backToBackRunMs` and `L.coldProgramRunMs` ' +
        '(transpiled and checked) stand beside it. Python has no in-process figures.',
      status: 'planned',
    },
  ],
}
