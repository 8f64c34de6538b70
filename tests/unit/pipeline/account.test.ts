import { describe, expect, it } from 'vitest'
import { HarnessError } from '../../../src/errors/harness-error.ts'
import { ToolArgsError } from '../../../src/errors/tool-errors.ts'
import type { CallAccount } from '../../../src/pipeline/stage.ts'
import type { ToolExecutionInput, ToolRunContext } from '../../../src/tools/execution.ts'
import { successResult, textContent } from '../../../src/tools/outcomes.ts'
import { callOf, MemoryEnvironment, toolOf } from '../../support/memory-environment.ts'

/** Runs tool `t` once and answers the account that its owner gets. */
async function accountOf(
  body: (args: unknown, exec: ToolRunContext, abort: () => void) => unknown,
  arrange: (env: MemoryEnvironment) => unknown = () => {},
  more: Partial<ToolExecutionInput> = {},
): Promise<CallAccount> {
  const env = new MemoryEnvironment()
  const controller = new AbortController()
  env.add(toolOf('t', (args, exec) => body(args, exec, () => controller.abort())))
  arrange(env)
  const accounts: CallAccount[] = []
  const result = await env.pipeline.execute(callOf('t', { signal: controller.signal, ...more }), {
    onSettled: (account, seen) => {
      accounts.push(account)
      expect(Object.isFrozen(seen)).toBe(true)
    },
  })
  expect(accounts.length).toBe(1)
  expect(result).toBeDefined()
  return accounts[0] as CallAccount
}

const fine = () => 1
const returned = { outcome: 'committed', started: true, body: 'returned', signalAborted: false }
const refused = { outcome: 'refused', started: false, body: 'not-started', signalAborted: false }

describe('the account of a call', () => {
  it('[H11] is committed when the body returned, whatever later stages made of it', async () => {
    expect(await accountOf(fine)).toEqual(returned)
    expect(await accountOf(() => undefined)).toEqual(returned)
    expect(await accountOf((_args, _exec, abort) => abort())).toEqual(returned)
    const block = (env: MemoryEnvironment) =>
      env.ctx.on('tools/post-execute', () => ({ kind: 'block', feedback: 'no' }))
    expect(await accountOf(fine, block)).toEqual(returned)
    const wrapper = (env: MemoryEnvironment) =>
      env.ctx.on('tools/execute', async (_execution, next) => {
        await next()
        throw new Error('wrapper')
      })
    expect(await accountOf(fine, wrapper)).toEqual(returned)
  })

  it('[H11] is failed when the body threw', async () => {
    const failed = { outcome: 'failed', started: true, body: 'threw', signalAborted: false }
    expect(await accountOf(() => raise(new Error('no')))).toEqual(failed)
    expect(await accountOf(() => raise(new HarnessError('MCP_TOOL', 'no')))).toEqual(failed)
    // It called another tool, and passes that one's refusal on: its own effects may have happened.
    expect(await accountOf(() => raise(new ToolArgsError('other', [])))).toEqual(failed)
    expect(await accountOf(() => raise(new HarnessError('INVALID_ARGS', 'by hand')))).toEqual(failed)
  })

  it('[H11] is unknown when the body threw after its signal fired, or lost its connection', async () => {
    const unknown = { outcome: 'unknown', started: true, body: 'threw', signalAborted: true }
    const interrupted = (_args: unknown, exec: ToolRunContext, abort: () => void) => {
      abort()
      return raise(exec.signal.reason)
    }
    expect(await accountOf(interrupted)).toEqual(unknown)
    const timeout = (env: MemoryEnvironment) =>
      env.ctx.on('tools/execute', (execution, next) => {
        const controller = new AbortController()
        execution.signal = controller.signal
        setImmediate(() => controller.abort())
        return next()
      })
    const waiting = (_args: unknown, exec: ToolRunContext) =>
      new Promise((_resolve, reject) => exec.signal.addEventListener('abort', () => reject(new Error('stopped'))))
    expect(await accountOf(waiting, timeout)).toEqual(unknown)
    const lost = await accountOf(() => raise(new HarnessError('MCP_SERVER', 'connection closed')))
    expect(lost).toEqual({ ...unknown, signalAborted: false })
  })

  it('[H11] is refused when the body did not run, with the reason', async () => {
    const invalid = () => raise(new ToolArgsError('t', [{ path: 'args.a', message: 'must be a string' }]))
    expect(await accountOf(invalid)).toEqual({ ...refused, refusal: 'invalid-args' })
    expect(await accountOf(fine, undefined, { arguments: undefined })).toEqual({ ...refused, refusal: 'invalid-args' })
    expect(await accountOf(fine, undefined, { callId: 7 as never })).toEqual({ ...refused, refusal: 'invalid-call' })
    expect(await accountOf(fine, undefined, { name: 'x' })).toEqual({ ...refused, refusal: 'unknown-tool' })
    const hide = (env: MemoryEnvironment) => Object.assign(env, { refuseDirectCall: () => 'not here' })
    expect(await accountOf(fine, hide)).toEqual({ ...refused, refusal: 'unknown-tool' })
    const guard = (env: MemoryEnvironment) => env.guardList.push(() => 'no')
    expect(await accountOf(fine, guard)).toEqual({ ...refused, refusal: 'denied' })
    const garbage = (env: MemoryEnvironment) => env.ctx.on('tools/pre-execute', () => null as never)
    expect(await accountOf(fine, garbage)).toEqual({ ...refused, refusal: 'policy-failed' })
    const breaker = (env: MemoryEnvironment) => env.ctx.on('tools/execute', () => raise(new Error('circuit open')))
    expect(await accountOf(fine, breaker)).toEqual(refused)
  })

  it('[H11] is not-started when the call was cancelled before its body', async () => {
    const cancelled = { ...refused, outcome: 'not-started', refusal: 'aborted' }
    expect(await accountOf(fine, undefined, { signal: AbortSignal.abort() })).toEqual(cancelled)
    const cancel = (env: MemoryEnvironment) => env.ctx.on('tools/pre-execute', () => ({ kind: 'cancel' }))
    expect(await accountOf(fine, cancel)).toEqual(cancelled)
  })

  it('[H11] is committed when a wrapper answered with a value of its own', async () => {
    const cache = (env: MemoryEnvironment) => env.ctx.on('tools/execute', () => successResult(1, textContent('1')))
    expect(await accountOf(fine, cache)).toEqual({ ...refused, outcome: 'committed' })
  })

  it('[H11] counts the attempt that matters most', async () => {
    const retry = (env: MemoryEnvironment) =>
      env.ctx.on('tools/execute', async (_execution, next) => {
        await next()
        return next()
      })
    const bodies = (...attempts: (() => unknown)[]) => {
      let attempt = 0
      return () => attempts[attempt++]?.()
    }
    const fail = () => raise(new Error('no'))
    expect(await accountOf(bodies(fail, fine), retry)).toEqual(returned)
    expect(await accountOf(bodies(fine, fail), retry)).toEqual(returned)
    const invalid = () => raise(new ToolArgsError('t', []))
    expect(await accountOf(bodies(fail, invalid), retry)).toMatchObject({ outcome: 'failed', body: 'threw' })
  })
})

function raise(reason: unknown): never {
  throw reason
}
