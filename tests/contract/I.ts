import type { ContractSection } from './clause.ts'

export const I: ContractSection = {
  letter: 'I',
  title: 'SDK renderers (`sdk-templates`)',
  clauses: [
    {
      id: 'I1',
      text:
        'One object per language: `{ language, runCode: { description, codeDescription }, program: { errorClass: { ' +
        'name, memberNameProperty }, codeOnlyRule }, render(tools, options), declarations(tools) }`; all that differs ' +
        'by language is in it. Pure, total, deterministic: whatever the schema, it renders something true and never ' +
        "throws; what it cannot express becomes the language's widest type.",
      status: 'part',
      missing: 'the Python renderer',
    },
    {
      id: 'I2',
      text:
        'TypeScript: one `declare const tools` with a documented method per tool: exact argument and output types, ' +
        '`$defs` hoisted to named types, recursion kept, names that are no identifiers quoted; an object is rendered ' +
        'closed unless `additionalProperties` is written (most schemas leave it out, and an index signature would ' +
        'hide every misspelled argument); comment closers, backticks and line ends in descriptions made harmless. The ' +
        'text compiles under `tsc --strict`.',
      status: 'held',
    },
    {
      id: 'I3',
      text:
        'Python: `tools` with a typed `async def` per tool (keyword arguments; a dict works too), `TypedDict`s for ' +
        'objects, subscript access for exotic names, keywords and dunders handled. The text compiles under CPython ' +
        'and passes a type checker.',
      status: 'planned',
    },
    {
      id: 'I4',
      text:
        'The SDK costs fewer tokens than the native schemas of the same tools and loses nothing that they say, ' +
        'measured on real catalogs.',
      status: 'part',
      missing: 'Python',
    },
  ],
}
