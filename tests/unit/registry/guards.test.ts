import { describe, expect, it } from 'vitest'
import { createAgent } from '../../../src/scope/agent.ts'
import { createScope } from '../../../src/scope/scope.ts'
import type { ToolGuard } from '../../../src/tools/decisions.ts'
import { createRegistry } from './support.ts'

const guard =
  (reason: string): ToolGuard =>
  () =>
    reason
/** Runs each guard as it comes, as the pipeline does. */
function reasons(guards: Iterable<ToolGuard>): unknown[] {
  const seen: unknown[] = []
  for (const each of guards) seen.push(each({} as never))
  return seen
}

describe('guards', () => {
  it('[C7] are global from a plain context, and apply to one scope and its descendants from a scoped one', () => {
    const { ctx, registry } = createRegistry()
    const preset = {}
    const agent = createAgent(ctx, { id: 'a', parent: preset })
    const other = createAgent(ctx, { id: 'b' })
    registry.guard(agent.ctx, guard('agent'))
    registry.guard(createScope(ctx, preset), guard('preset'))
    registry.guard(ctx, guard('global'))
    expect(reasons(registry.guards(agent))).toEqual(['global', 'preset', 'agent'])
    expect(reasons(registry.guards(preset))).toEqual(['global', 'preset'])
    expect(reasons(registry.guards(other))).toEqual(['global'])
    expect(reasons(registry.guards())).toEqual(['global'])
  })

  it('[C7] leave with their disposer and with the fiber; the same function may be there twice', async () => {
    const { ctx, registry } = createRegistry()
    const agent = createAgent(ctx, { id: 'a' })
    const same = guard('same')
    const first = registry.guard(ctx, same)
    registry.guard(ctx, same)
    first()
    registry.guard(agent.ctx, guard('agent'))
    expect(reasons(registry.guards(agent))).toEqual(['same', 'agent'])
    await agent.dispose()
    expect(reasons(registry.guards(agent))).toEqual(['same'])
  })

  it('[C7] iterate live: one that is added meanwhile is seen, one that is gone is not', () => {
    const { ctx, registry } = createRegistry()
    const parent = createAgent(ctx, { id: 'parent' })
    const agent = createAgent(ctx, { id: 'a', parent })
    registry.guard(ctx, guard('global'))
    registry.guard(parent.ctx, guard('parent'))
    let removeLast = () => {}
    registry.guard(agent.ctx, () => {
      // Layers that were gone through already, one that had no guard so far, and this one.
      registry.guard(ctx, guard('late global'))
      registry.guard(parent.ctx, guard('late parent'))
      registry.guard(agent.ctx, guard('late agent'))
      removeLast()
      return 'agent'
    })
    removeLast = registry.guard(agent.ctx, guard('removed'))
    const seen = reasons(registry.guards(agent))
    expect(seen).toEqual(['global', 'parent', 'agent', 'late agent', 'late global', 'late parent'])
  })

  it('[C7] take functions only', () => {
    const { ctx, registry } = createRegistry()
    for (const bad of [undefined, null, 'no', {}]) {
      expect(() => registry.guard(ctx, bad as never)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIG' }))
    }
  })
})
