import type { ContractSection } from './clause.ts'

export const B: ContractSection = {
  letter: 'B',
  title: 'Scopes',
  clauses: [
    {
      id: 'B1',
      text:
        '`createScope(ctx, key, { parent? })` gives a tagged context; whatever is registered through it is visible in ' +
        'that scope alone and leaves when it is disposed. `scopeOf(ctx)` reads the tag; derived contexts inherit it.',
      status: 'held',
    },
    {
      id: 'B2',
      text:
        "Keys form a chain (`parent`): a child sees its ancestors' layers, the nearest shadowing; an ancestor's " +
        "listeners receive the child's events, never the reverse. A key is bound to a parent once; a cycle is " +
        'refused.',
      status: 'held',
    },
    {
      id: 'B3',
      text:
        '`createAgent(ctx, { id, parent?, session? })` gives `{ id, ctx, session?, dispose() }`: `agent.ctx` is that ' +
        "agent's scoped context, and the agent object is the scope key. `session.append(type, data)` is where durable " +
        'events go.',
      status: 'held',
    },
    {
      id: 'B4',
      text:
        'Scoped events reach untagged listeners and those whose tag is the key or an ancestor of it. Scopes route ' +
        'trusted plugins; they are no authority boundary, and the docs say so.',
      status: 'held',
    },
  ],
}
