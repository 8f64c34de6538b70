import type { ContractSection } from './clause.ts'

export const G: ContractSection = {
  letter: 'G',
  title: 'Schemas and `defineTool`',
  clauses: [
    {
      id: 'G1',
      text:
        'The DSL: `string`, `number`, `integer`, `boolean`, `null`, `array`, `object`, author-only `json`, exact-one ' +
        '`oneOf`; `enum`/`const` must fit the type; `required: true` per property; an explicit object says ' +
        '`additionalProperties: true | false`; the parameter root is open. Argument and output types are inferred ' +
        '(`InferArgs`, `InferValue`), exact through 16 levels, then `JsonValue`. Wrong author forms are compile-time ' +
        'errors, and forged ones throw at definition.',
      status: 'held',
    },
    {
      id: 'G2',
      text:
        '`defineTool` validates arguments before the body: `INVALID_ARGS` (`ToolArgsError`) with every violation and ' +
        "its path. Defaults are not applied. Raw definitions (an MCP server's) own their input validation, but their " +
        'output is enforced.',
      status: 'held',
    },
    {
      id: 'G3',
      text:
        'Validation is Ajv: 2020-12 by default, draft-07 and 2019-09 by `$schema`; `$ref`/`$defs`, `anyOf`, `allOf`, ' +
        '`prefixItems`, `patternProperties`, `format` and the rest work in raw schemas. Compiled validators are ' +
        'cached per definition. A foreign schema cannot hang or crash the host: patterns run in linear time (what the ' +
        'engine cannot express is skipped, with a warning), size, depth and the number of paths that references and ' +
        'applicators expand to are bounded at registration (chained `anyOf` of two references each explode), ' +
        '`uniqueItems` is not quadratic, errors are capped (every violation for `defineTool`, the first twenty for ' +
        'foreign schemas), remote references are never fetched.',
      status: 'held',
    },
    {
      id: 'G4',
      text:
        '`presentCall(args)` / `presentResult(args, result)` are pure and optional, with soft validation (malformed ' +
        'logged arguments give `undefined`, never a throw). Views are card-tagged: `generic`, `terminal`, `diff`, ' +
        '`search`, `read`, `web`.',
      status: 'held',
    },
  ],
}
