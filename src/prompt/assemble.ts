// Assembles one prompt from what a scope sees (contract F1): the nearest section of each name, the nearest tool of each
// name, and the variables that templates use. The same registrations give the same prompt, whatever settles first.
import { describeThrown } from '../errors/describe-thrown.ts'
import { HarnessError } from '../errors/harness-error.ts'
import { compareNames, quoteName } from '../errors/names.ts'
import type { Layered } from '../scope/layered.ts'
import { checkTool, isIterable } from './answer.ts'
import type { PromptLayer } from './layer.ts'
import { PromptError } from './prompt-error.ts'
import { orderTools } from './tool-order.ts'
import type {
  AssembledSection,
  PromptAssembly,
  PromptRequest,
  PromptSection,
  PromptTool,
  PromptVariableProvider,
  ToolContribution,
} from './types.ts'
import { expandTemplate, type VariableSource } from './variables.ts'

/** Builds the assembly that `system-prompt/assemble` listeners may then replace. Rejects with the first failure in prompt order. */
export async function buildAssembly(
  layers: Layered<PromptLayer>,
  toolOrder: readonly string[] | undefined,
  request: PromptRequest,
): Promise<PromptAssembly> {
  request.signal?.throwIfAborted()
  const visible = layers.outward(request.scope)
  const [sections, tools] = await inOrder([
    assembleSections(visible, request),
    contributedTools(visible, toolOrder, request),
  ] as const)
  request.signal?.throwIfAborted()
  return { sections, tools }
}

async function assembleSections(layers: readonly PromptLayer[], request: PromptRequest): Promise<AssembledSection[]> {
  const nearest = nearestOf(layers, (layer) => layer.sections)
  const sections = [...nearest.values()].sort((a, b) => a.order - b.order || compareNames(a.name, b.name))
  const variables = new Variables(layers, request)
  const texts = await inOrder(sections.map((section) => sectionText(section, request, variables)))
  return sections.flatMap(({ name, order }, index) => {
    const text = texts[index]
    return text === undefined ? [] : [{ name, order, text }]
  })
}

async function sectionText(
  { name, text }: PromptSection,
  request: PromptRequest,
  variables: VariableSource,
): Promise<string | undefined> {
  if (typeof text === 'string') return expandTemplate(name, text, variables)
  const answer: unknown = await naming(`Section ${quoteName(name)}`, request, () => text(request))
  if (answer === undefined || typeof answer === 'string') return answer
  throw new PromptError(
    `Section ${quoteName(name)} answered with ${typeof answer}; it must answer a string or undefined.`,
  )
}

async function contributedTools(
  layers: readonly PromptLayer[],
  toolOrder: readonly string[] | undefined,
  request: PromptRequest,
): Promise<PromptTool[]> {
  const contributions = await inOrder(
    layers.map((layer) => inOrder([...layer.providers].map(({ provide }) => contribution(provide, request)))),
  )
  const tools = new Map<string, PromptTool>()
  const known = new Set<string>()
  for (const layer of contributions) {
    const own = new Map<string, PromptTool>()
    for (const contributed of layer) {
      for (const name of contributed.known ?? []) known.add(name)
      for (const tool of contributed.tools) {
        if (own.has(tool.name)) {
          throw new PromptError(
            `Tool ${quoteName(tool.name)} is contributed twice in one layer. Let one provider contribute it.`,
          )
        }
        own.set(tool.name, tool)
      }
    }
    for (const [name, tool] of own) if (!tools.has(name)) tools.set(name, tool)
  }
  return orderTools(tools, toolOrder, known)
}

async function contribution(
  provide: (request: PromptRequest) => unknown,
  request: PromptRequest,
): Promise<ToolContribution> {
  const answer = await naming('A provider of tools', request, () => provide(request))
  const { tools, known } = Array.isArray(answer) ? { tools: answer } : Object(answer)
  if (!Array.isArray(tools) || (known !== undefined && !isIterable(known))) {
    throw new PromptError('A provider of tools must answer a list of tools, or { tools, known? }.')
  }
  return { tools: tools.map(checkTool), known: known === undefined ? [] : [...known].map(String) }
}

/** The variables of one assembly: each is asked for at most once, and only when a template uses it. */
class Variables implements VariableSource {
  private readonly providers: ReadonlyMap<string, PromptVariableProvider>
  private readonly request: PromptRequest
  private readonly values = new Map<string, Promise<string>>()

  constructor(layers: readonly PromptLayer[], request: PromptRequest) {
    this.providers = nearestOf(layers, (layer) => layer.variables)
    this.request = request
  }

  names(): Iterable<string> {
    return this.providers.keys()
  }

  valueOf(name: string): Promise<string> | undefined {
    const provider = this.providers.get(name)
    if (provider === undefined) return undefined
    const value = this.values.get(name) ?? this.ask(name, provider)
    this.values.set(name, value)
    return value
  }

  private async ask(name: string, provider: PromptVariableProvider): Promise<string> {
    if (typeof provider === 'string') return provider
    const value: unknown = await naming(`Variable ${quoteName(name)}`, this.request, () => provider(this.request))
    if (typeof value === 'string') return value
    throw new PromptError(`Variable ${quoteName(name)} answered with ${typeof value}; it must answer a string.`)
  }
}

/** The nearest entry of each name. */
function nearestOf<T>(layers: readonly PromptLayer[], part: (layer: PromptLayer) => Map<string, T>): Map<string, T> {
  const nearest = new Map<string, T>()
  for (const layer of layers) {
    for (const [name, entry] of part(layer)) if (!nearest.has(name)) nearest.set(name, entry)
  }
  return nearest
}

/** Says which provider failed, unless its error has a code of its own or the assembly was cancelled. */
async function naming<T>(what: string, request: PromptRequest, ask: () => T): Promise<Awaited<T>> {
  try {
    return await ask()
  } catch (error) {
    if (HarnessError.is(error) || request.signal?.aborted === true) throw error
    throw new PromptError(`${what} failed: ${describeThrown(error).message}`, error)
  }
}

/** Like `Promise.all`, but waits for all and rejects with the first failure by position, so that errors are deterministic too. */
async function inOrder<const T extends readonly unknown[]>(
  promises: T,
): Promise<{ -readonly [I in keyof T]: Awaited<T[I]> }> {
  await Promise.allSettled(promises)
  return Promise.all(promises) as Promise<{ -readonly [I in keyof T]: Awaited<T[I]> }>
}
