import type { ContractSection } from './clause.ts'

export const C: ContractSection = {
  letter: 'C',
  title: 'Registry (`ToolRuntime`, service key `tools`)',
  clauses: [
    {
      id: 'C1',
      text:
        "`register(definition)` files a tool in the calling context's layer and returns the exact effect disposer (a " +
        'composite effect can yield it). Disposed with the calling fiber. Within one layer a duplicate name throws ' +
        'and says how to register a per-agent variant. `run_code` is reserved in every mode and throws.',
      status: 'held',
    },
    {
      id: 'C2',
      text:
        '`output { schema, render, presentationMeta? }` is mandatory. A missing or unsupported output declaration, a ' +
        'schema that does not compile, and a `timeoutMs` that is not positive and finite fail at registration, naming ' +
        'the tool.',
      status: 'held',
    },
    {
      id: 'C3',
      text:
        '`restrict({ allow?, deny? })` masks inherited tools for one scope; throws from a plain context, on an empty ' +
        'filter, on unknown and own-layer names and on `run_code` (listing the known ones). Snapshotted at ' +
        'registration; several masks intersect along the chain; own-layer registrations stay; a deny mask admits ' +
        'later globals, an allow mask does not.',
      status: 'held',
    },
    {
      id: 'C4',
      text:
        '`reserve(name)` makes a name known and restrictable (by inheriting scopes; `toolOrder` may list it) without ' +
        'a definition; it never reaches a model until `register` supplies one. A second reservation in the layer and ' +
        '`run_code` throw. Its disposer takes it back.',
      status: 'held',
    },
    {
      id: 'C5',
      text: '`isAdmitted(name, scope?)` says whether a name passes every restriction on the chain, registered or not.',
      status: 'held',
    },
    {
      id: 'C6',
      text:
        '`get(name, scope?)`, `schemas(scope?)`: what one scope sees after shadowing and restrictions. `schemas` ' +
        'returns detached copies with exactly name, description and parameters: no callback and no `timeoutMs` ever ' +
        'reaches a model.',
      status: 'held',
    },
    {
      id: 'C7',
      text:
        '`guard(fn)`: a synchronous check after `tools/pre-execute`; a string denies, `undefined` leaves the call as ' +
        "it was. Global from a plain context, per agent from `agent.ctx`. No listener can turn a guard's denial back. " +
        'Guards iterate live.',
      status: 'held',
    },
    {
      id: 'C8',
      text:
        "`presentAs(mode, options?)` selects one agent's presentation; throws from a plain context and on a second " +
        'declaration in the scope; inherited down the chain; disposed with the fiber.',
      status: 'held',
    },
    {
      id: 'C9',
      text:
        "`executionMode(exec)` is `{ kind: 'parallel' }` only if the visible definition's `isConcurrencySafe(args)` " +
        "returns exactly `true`; unknown, hidden, undeclared, invalid or throwing means `{ kind: 'exclusive' }`.",
      status: 'held',
    },
    {
      id: 'C10',
      text:
        '`tools/change` is emitted, unfiltered, on every registration, reservation, restriction and disposal. A ' +
        'listener that throws rolls the registration back; the undo emits once more, and what listeners throw on an ' +
        'undo or a disposal is logged.',
      status: 'held',
    },
    {
      id: 'C11',
      text:
        '`sdkRenderer(renderer)` registers an SDK renderer for a language; the built-in TypeScript and Python ones ' +
        'are registered the same way. Adding a language is one renderer object and one runtime, nothing else to edit.',
      status: 'part',
      missing: 'the Python renderer',
    },
  ],
}
