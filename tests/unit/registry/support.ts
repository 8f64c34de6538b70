// A registry as the tools service makes one, on a real Cordis context.
import { Context } from '@deepseek-ai/cordis'
import { expect } from 'vitest'
import { Registry } from '../../../src/registry/registry.ts'
import { eventChangeHost } from '../../../src/scope/changes.ts'
import type { ToolDefinition } from '../../../src/tools/definition.ts'
import '../../../src/tools/events.ts'

export interface Fixture {
  readonly ctx: Context
  readonly registry: Registry
  /** What was logged instead of thrown. */
  readonly logged: unknown[]
}

export function createRegistry(): Fixture {
  const ctx = new Context()
  const logged: unknown[] = []
  const registry = new Registry(eventChangeHost(ctx, 'tools/change', (error) => logged.push(error)))
  return { ctx, registry, logged }
}

/** A complete definition; `fields` replaces parts of it, wrong ones too. */
export function tool(name: string, fields: object = {}): ToolDefinition {
  return {
    name,
    description: `Does ${name}.`,
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
    output: { schema: { type: 'string' }, render: (_args, value) => String(value) },
    execute: async () => name,
    ...fields,
  }
}

/** Matcher for a coded error whose message has these parts, in this order. */
export function coded(code: string, ...parts: string[]): unknown {
  const pattern = parts.map((part) => part.replaceAll(/[^\w\s]/g, '\\$&')).join('[^]*')
  return expect.objectContaining({ code, message: expect.stringMatching(new RegExp(pattern)) })
}
