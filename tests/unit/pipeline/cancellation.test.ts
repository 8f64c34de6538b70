import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { ABORT_EFFECTS } from '../../../src/pipeline/cancellation.ts'
import type { Standing } from '../../../src/pipeline/stage.ts'
import type { Agent } from '../../../src/scope/agent.ts'
import type { ToolExecutionInput } from '../../../src/tools/execution.ts'
import { failureResult, successResult, textContent } from '../../../src/tools/outcomes.ts'
import { callOf, gate, MemoryEnvironment, settled, toolOf } from '../../support/memory-environment.ts'

/** A world in which a call of tool `t` comes to the standing, and `abort` is called while it is there. */
interface Cell {
  readonly standing: Standing
  readonly name: string
  readonly arrange: (env: MemoryEnvironment, abort: () => void) => Partial<ToolExecutionInput> | undefined
  readonly body?: (abort: () => void) => unknown
  /** Code of the outcome, or its message when it has none. */
  readonly expected: string
  readonly bodies?: number
}

const BEFORE = 'ABORTED_BEFORE_DISPATCH'
const agent = { id: 'main' } as Agent

const cells: Cell[] = [
  {
    standing: 'unreadable',
    name: 'arguments that are no JSON, aborted on entry',
    arrange: (_env, abort) => {
      abort()
      return { arguments: new Date() }
    },
    expected: 'NOT_LOSSLESS_JSON',
  },
  {
    standing: 'unreadable',
    name: 'an input that is no call, aborted on entry',
    arrange: (_env, abort) => {
      abort()
      return { name: 7 as never }
    },
    expected: 'INVALID_CALL',
  },
  { standing: 'ready', name: 'aborted on entry', arrange: (_env, abort) => void abort(), expected: BEFORE },
  {
    standing: 'ready',
    name: 'aborted while the arguments are read',
    arrange: (_env, abort) => ({
      get arguments() {
        abort()
        return {}
      },
    }),
    expected: BEFORE,
  },
  {
    standing: 'hidden',
    name: 'a call that the presentation forbids',
    arrange: (env, abort) => {
      env.refuseDirectCall = () => {
        abort()
        return 'not here'
      }
      return undefined
    },
    expected: 'UNKNOWN_TOOL',
  },
  {
    standing: 'denied',
    name: 'a listener denies',
    arrange: (env, abort) => {
      env.ctx.on('tools/pre-execute', () => {
        abort()
        return { kind: 'deny', reason: 'no' }
      })
      return undefined
    },
    expected: 'TOOL_DENIED',
  },
  {
    standing: 'denied',
    name: 'a guard denies',
    arrange: (env, abort) => {
      env.guardList.push(() => {
        abort()
        return 'no'
      })
      return undefined
    },
    expected: 'TOOL_DENIED',
  },
  ...(['rejected', 'unavailable'] as const).map(
    (outcome): Cell => ({
      standing: 'denied',
      name: `approval is ${outcome}`,
      arrange: (env, abort) => {
        env.ctx.on('tools/pre-execute', () => ({ kind: 'ask' }))
        env.service = {
          request: async () => {
            abort()
            return outcome
          },
        }
        return { agent }
      },
      expected: 'TOOL_DENIED',
    }),
  ),
  {
    standing: 'cancelled',
    name: 'a listener cancels',
    arrange: (env, abort) => {
      env.ctx.on('tools/pre-execute', () => {
        abort()
        return { kind: 'cancel' }
      })
      return undefined
    },
    expected: BEFORE,
  },
  {
    standing: 'policy-failed',
    name: 'a listener throws',
    arrange: (env, abort) => {
      env.ctx.on('tools/pre-execute', () => {
        abort()
        throw new Error('listener')
      })
      return undefined
    },
    expected: BEFORE,
  },
  {
    standing: 'policy-failed',
    name: 'a guard throws',
    arrange: (env, abort) => {
      env.guardList.push(() => {
        abort()
        throw new Error('guard')
      })
      return undefined
    },
    expected: BEFORE,
  },
  {
    standing: 'allowed',
    name: 'a listener allows',
    arrange: (env, abort) => {
      env.guardList.push(() => {
        throw new Error('must not be asked')
      })
      env.ctx.on('tools/pre-execute', (_execution, next) => {
        abort()
        return next()
      })
      return undefined
    },
    expected: BEFORE,
  },
  {
    standing: 'allowed',
    name: 'approval is given',
    arrange: (env, abort) => {
      env.ctx.on('tools/pre-execute', () => ({ kind: 'ask' }))
      env.service = {
        request: async () => {
          abort()
          return 'allowed-once'
        },
      }
      return { agent }
    },
    expected: BEFORE,
  },
  {
    standing: 'allowed',
    name: 'a guard has nothing against it',
    arrange: (env, abort) => {
      env.guardList.push(() => void abort())
      return undefined
    },
    expected: BEFORE,
  },
  {
    standing: 'unknown',
    name: 'the tool is not there',
    arrange: (env, abort) => {
      env.unknownToolRemedy = () => {
        abort()
        return ''
      }
      return { name: 'unheard' }
    },
    expected: 'UNKNOWN_TOOL',
  },
  {
    standing: 'answered',
    name: 'a wrapper answers by itself',
    arrange: (env, abort) => {
      env.ctx.on('tools/execute', () => {
        abort()
        return successResult(1, textContent('1'))
      })
      return undefined
    },
    expected: BEFORE,
  },
  {
    standing: 'failed',
    name: 'before a wrapper goes on to the body',
    arrange: (env, abort) => {
      env.ctx.on('tools/execute', (_execution, next) => {
        abort()
        return next()
      })
      return undefined
    },
    expected: BEFORE,
  },
  {
    standing: 'failed',
    name: 'a wrapper throws',
    arrange: (env, abort) => {
      env.ctx.on('tools/execute', () => {
        abort()
        throw new Error('wrapper')
      })
      return undefined
    },
    expected: 'wrapper',
  },
  {
    standing: 'failed',
    name: 'a wrapper reports a timeout',
    arrange: (env) => {
      env.ctx.on('tools/execute', async (_execution, next) => {
        await next()
        return failureResult({ message: 'timeout', info: { name: 'X', code: 'TOOL_TIMEOUT' } })
      })
      return undefined
    },
    body: (abort) => abort(),
    expected: 'TOOL_TIMEOUT',
    bodies: 1,
  },
  {
    standing: 'failed',
    name: 'the body throws',
    arrange: () => undefined,
    body: (abort) => {
      abort()
      throw new Error('body')
    },
    expected: 'body',
    bodies: 1,
  },
  {
    standing: 'failed',
    name: 'the value is refused',
    arrange: () => undefined,
    body: (abort) => {
      abort()
      return Number.NaN
    },
    expected: 'INVALID_TOOL_OUTPUT',
    bodies: 1,
  },
  {
    standing: 'failed',
    name: 'a post-execute listener throws',
    arrange: (env, abort) => {
      env.ctx.on('tools/post-execute', () => {
        abort()
        throw new Error('post')
      })
      return undefined
    },
    expected: 'post',
    bodies: 1,
  },
  {
    standing: 'failed',
    name: 'a post-execute listener blocks',
    arrange: (env, abort) => {
      env.ctx.on('tools/post-execute', () => {
        abort()
        return { kind: 'block', feedback: 'no' }
      })
      return undefined
    },
    expected: 'TOOL_BLOCKED',
    bodies: 1,
  },
  {
    standing: 'succeeded',
    name: 'the body returns',
    arrange: () => undefined,
    body: (abort) => {
      abort()
      return 1
    },
    expected: 'ABORTED',
    bodies: 1,
  },
  {
    standing: 'succeeded',
    name: 'a wrapper has the result',
    arrange: (env, abort) => {
      env.ctx.on('tools/execute', async (_execution, next) => {
        const result = await next()
        abort()
        return result
      })
      return undefined
    },
    expected: 'ABORTED',
    bodies: 1,
  },
  {
    standing: 'succeeded',
    name: 'a post-execute listener accepts',
    arrange: (env, abort) => {
      env.ctx.on('tools/post-execute', () => {
        abort()
        return { kind: 'accept', value: 2 }
      })
      return undefined
    },
    expected: 'ABORTED',
    bodies: 1,
  },
  {
    standing: 'succeeded',
    name: 'an observer is told',
    arrange: (env, abort) => {
      env.ctx.on('tools/result', abort)
      return undefined
    },
    expected: 'success',
    bodies: 1,
  },
]

describe('an abort', () => {
  it.each(cells)('[E1, E2] $standing, $name: $expected', async ({ arrange, body = () => 1, expected, bodies = 0 }) => {
    const env = new MemoryEnvironment()
    const published = env.observe()
    const controller = new AbortController()
    const abort = () => controller.abort()
    let ran = 0
    env.add(
      toolOf('t', () => {
        ran += 1
        return body(abort)
      }),
    )
    const more = arrange(env, abort) ?? {}
    const input = Object.defineProperties(
      callOf('t', { signal: controller.signal }),
      Object.getOwnPropertyDescriptors(more),
    )
    const result = await env.pipeline.execute(input)
    const outcome = result.isError ? (result.error.info?.code ?? result.error.message) : 'success'
    expect([outcome, ran]).toEqual([expected, bodies])
    expect(controller.signal.aborted).toBe(true)
    expect(published.map((entry) => entry.result)).toEqual([result])
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('[E1] right after the call was made keeps the body from starting', async () => {
    const env = new MemoryEnvironment()
    let ran = 0
    env.add(toolOf('t', () => ++ran))
    for (const wrapped of [false, true]) {
      if (wrapped) env.ctx.on('tools/execute', (_execution, next) => next())
      const controller = new AbortController()
      const running = env.pipeline.execute(callOf('t', { signal: controller.signal }))
      controller.abort()
      expect(await running).toMatchObject({ error: { info: { code: BEFORE } } })
      expect(ran).toBe(0)
    }
  })

  it('[E1] has a cell for every row of the table', () => {
    expect(new Set(cells.map((cell) => cell.standing))).toEqual(new Set(Object.keys(ABORT_EFFECTS)))
  })

  it('[E2] on entry skips every phase but the last', async () => {
    const env = new MemoryEnvironment()
    const reached: string[] = []
    for (const event of ['tools/pre-execute', 'tools/execute', 'tools/post-execute'] as const) {
      env.ctx.on(event, () => void reached.push(event) as never)
    }
    env.refuseDirectCall = () => void reached.push('presentation') as never
    env.guardList.push(() => void reached.push('guard'))
    env.add(toolOf('t', () => reached.push('body')))
    const published = env.observe()
    const result = await env.pipeline.execute(callOf('t', { arguments: { a: [1] }, signal: AbortSignal.abort() }))
    expect(reached).toEqual([])
    expect(published).toEqual([{ execution: expect.objectContaining({ arguments: { a: [1] } }), result }])
  })

  it('[E1] waits for the body, however long it takes', async () => {
    const env = new MemoryEnvironment()
    const stay = gate()
    env.add(toolOf('t', () => stay.promise.then(() => 1)))
    const controller = new AbortController()
    let done = false
    const running = env.pipeline.execute(callOf('t', { signal: controller.signal })).finally(() => {
      done = true
    })
    await settled()
    controller.abort()
    await settled()
    expect(done).toBe(false)
    stay.open()
    expect(await running).toMatchObject({ error: { info: { code: 'ABORTED' } } })
  })

  it('[D8, D10, E1] keeps contexts and meta of the success that it replaces, and nothing else', async () => {
    const env = new MemoryEnvironment()
    const controller = new AbortController()
    const output = { schema: true, render: () => 'text', presentationMeta: () => ({ ledger: [] }) }
    env.add(
      toolOf(
        't',
        (_args, exec) => {
          exec.deferContext({ id: 'c', role: 'user', content: [] })
          exec.concludeTurn()
          controller.abort()
          return 1
        },
        { output },
      ),
    )
    const result = await env.pipeline.execute(callOf('t', { signal: controller.signal }))
    expect(result).toEqual({
      isError: true,
      error: {
        message: 'Tool "t" was cancelled after it had started; its effects may have happened.',
        info: { name: 'HarnessError', code: 'ABORTED' },
      },
      content: [{ type: 'text', text: expect.stringMatching(/^Error: Tool "t" was cancelled/) }],
      meta: { ledger: [] },
      additionalContexts: [{ id: 'c', role: 'user', content: [] }],
    })
  })
})
