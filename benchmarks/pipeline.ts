// What the pipeline adds to one native call: validation of arguments and output included, `tools` held by the caller.
import { Context } from '@deepseek-ai/cordis'
import { defineTool, SystemPrompt, ToolRuntime } from 'runcell'
import { figure, spreadOf } from './lib/measure.ts'

const CALLS_A_SAMPLE = 2_000
const SAMPLES = 15

const echo = defineTool({
  name: 'echo',
  description: 'Gives back what it got.',
  parameters: { text: { type: 'string', required: true }, count: { type: 'integer' } },
  output: {
    schema: { type: 'object', additionalProperties: false, properties: { text: { type: 'string', required: true } } },
    render: (_args, value) => value.text,
  },
  execute: ({ text }) => ({ text }),
})

/** Median microseconds of one call, with nobody listening or with one listener on each waterfall. */
export async function nativeCallUs(listened: boolean): Promise<number | null> {
  const ctx = new Context()
  await ctx.plugin(SystemPrompt, {})
  await ctx.plugin(ToolRuntime, {})
  ctx.tools.register(echo)
  if (listened) {
    ctx.on('tools/pre-execute', (_execution, next) => next())
    ctx.on('tools/execute', (_execution, next) => next())
    ctx.on('tools/post-execute', (_execution, _result, next) => next())
  }
  const { tools } = ctx
  const { signal } = new AbortController()
  const samples: number[] = []
  for (let sample = -5; sample < SAMPLES; sample++) {
    const start = performance.now()
    for (let i = 0; i < CALLS_A_SAMPLE; i++) {
      await tools.execute({ callId: 'bench', name: 'echo', arguments: { text: 'hello', count: i }, signal })
    }
    if (sample >= 0) samples.push(((performance.now() - start) * 1000) / CALLS_A_SAMPLE)
  }
  await ctx.fiber.dispose()
  return figure(spreadOf(samples).median)
}
