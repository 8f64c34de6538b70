// The names that users rely on (contract Q1, Q2), as data. Names may be added to an entry point freely; none of these is renamed.

/** `there`: exported today. `planned`: promised by the contract, not written yet. */
export type NameStatus = 'there' | 'planned'

/** One entry point of the package. */
export interface EntryPoint {
  /** As users import it. */
  readonly specifier: string
  /** Source file; `undefined` while the whole entry point is planned. */
  readonly source: string | undefined
  /** Names of values. */
  readonly values: Readonly<Record<string, NameStatus>>
  /** Names of types that the contract mentions. */
  readonly types: readonly string[]
}

export const ENTRY_POINTS: readonly EntryPoint[] = [
  {
    specifier: 'runcell',
    source: 'src/index.ts',
    values: {
      createCell: 'there',
      createAgent: 'there',
      ToolRuntime: 'there',
      SystemPrompt: 'there',
      ApprovalService: 'planned',
      CodeRuntime: 'there',
      createScope: 'there',
      scopeOf: 'there',
      scopeTarget: 'there',
      bindScopeParent: 'there',
      scopeChainOf: 'there',
      defineTool: 'there',
      validateArgs: 'there',
      valueSchemaSpecToJsonSchema: 'there',
      parameterSchemaSpecToJsonSchema: 'there',
      renderPrompt: 'there',
      toolTimeouts: 'there',
      HarnessError: 'there',
      ToolArgsError: 'there',
      ToolNotFoundError: 'there',
      ToolOutputError: 'there',
      CodeRunFailedError: 'there',
      RUN_CODE_NAME: 'there',
      TOOL_ABORTED: 'there',
      TOOL_ABORTED_BEFORE_DISPATCH: 'there',
      TOOL_TIMEOUT: 'there',
      CC_TO_HARNESS_TOOLS: 'there',
      KNOWN_HARNESS_TOOLS: 'there',
      translateToolNames: 'there',
      ccToolAliases: 'there',
      ccCanonicalToolName: 'there',
    },
    types: [
      'Agent',
      'AgentSession',
      'CodeRunRequest',
      'CodeRunResult',
      'ContentBlock',
      'InferArgs',
      'InferValue',
      'JsonValue',
      'SdkRenderer',
      'ToolDefinition',
      'ToolExecutionInput',
      'ToolExecutionResult',
      'ToolSchema',
    ],
  },
  {
    specifier: 'runcell/typescript',
    source: 'runtimes/typescript/index.ts',
    values: { TypeScriptRuntime: 'there' },
    types: [],
  },
  { specifier: 'runcell/python', source: undefined, values: { PythonRuntime: 'planned' }, types: [] },
  {
    specifier: 'runcell/sdk',
    source: 'sdk-templates/index.ts',
    values: { typescriptSdk: 'there', pythonSdk: 'planned' },
    types: [],
  },
  {
    specifier: 'runcell/mcp',
    source: 'src/mcp/index.ts',
    values: { mcpServers: 'there', serveMcp: 'planned' },
    types: [],
  },
  { specifier: 'runcell/testkit', source: undefined, values: { codeRuntimeConformance: 'planned' }, types: [] },
]
