// What one scope has registered in the tool registry: definitions, reserved names, and masks over what it inherits.
// Everything is keyed in Maps and Sets, because any string is a tool name, `__proto__` included.
import type { RegisteredTool } from '../tools/environment.ts'
import type { Mask } from './restrictions.ts'

/** One scope's own part of the registry, or the global part. */
export class ToolLayer {
  readonly tools = new Map<string, RegisteredTool>()
  readonly reserved = new Set<string>()
  readonly masks = new Set<Mask>()

  /** True when this scope registered or reserved the name itself. */
  owns(name: string): boolean {
    return this.tools.has(name) || this.reserved.has(name)
  }
}
