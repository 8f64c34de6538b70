// The small parts of a run, each by itself.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CallLedger } from '../../../../runtimes/host/call-ledger.ts'
import { processDied } from '../../../../runtimes/host/failures.ts'
import { Outbox } from '../../../../runtimes/host/outbox.ts'
import { OutputMeter } from '../../../../runtimes/host/output-meter.ts'
import { fatalLine, StderrTail, withoutPaths } from '../../../../runtimes/host/stderr-tail.ts'
import { DELIVER_BATCH_BYTES, MAX_ANSWER_BYTES } from '../../../../runtimes/wire/caps.ts'
import { WireError } from '../../../../runtimes/wire/frames.ts'
import { DEFAULT_LIMITS } from '../../../../src/runtime/budgets.ts'

describe('the output meter', () => {
  it('[K2] keeps of lines what fits, never a torn character, and never more than the limit', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 30 })), fc.nat({ max: 200 }), (lines, limit) => {
        const meter = new OutputMeter(limit)
        const kept: string[] = []
        for (const line of lines) {
          const { kept: part, full } = meter.addLine(line)
          expect(line.startsWith(part)).toBe(true)
          expect(part === line || full).toBe(true)
          if (!full || part !== '') kept.push(part)
          if (full) break
        }
        const bytes = kept.reduce((sum, line) => sum + Buffer.byteLength(line) + 3, 0)
        expect(bytes).toBeLessThanOrEqual(limit)
      }),
      { numRuns: 300, seed: 7 },
    )
  })

  it('counts texts against the same limit', () => {
    const meter = new OutputMeter(10)
    expect(meter.addLine('1234')).toEqual({ kept: '1234', full: false })
    expect(meter.addText('abc')).toBe(true)
    expect(meter.addText('d')).toBe(false)
    expect(meter.usedBytes).toBe(11)
  })
})

describe('the call ledger', () => {
  const fn = async (): Promise<null> => null
  const namespaces = [{ global: 'tools', members: [{ name: '__proto__', fn }] }]
  const call = (n: number, text = '{}', namespace = 0, member = 0) => ({ call: n, namespace, member, text })
  const admit = (ledger: CallLedger, taken: ReturnType<typeof call>) => ledger.admit(taken, taken.text.length)

  it('closes a call once', () => {
    const ledger = new CallLedger(namespaces, DEFAULT_LIMITS)
    expect(admit(ledger, call(1))).toEqual({ member: { name: '__proto__', fn } })
    expect([ledger.open, ledger.close(1), ledger.close(1), ledger.close(2), ledger.open]).toEqual([
      1,
      true,
      false,
      false,
      0,
    ])
  })

  it.each([
    ['number', call(0)],
    ['namespace', call(1, '{}', 1)],
    ['member', call(1, '{}', 0, 1)],
  ])('[K3] refuses a %s that cannot be, as a break', (_, forged) => {
    expect(() => admit(new CallLedger(namespaces, DEFAULT_LIMITS), forged)).toThrow(WireError)
  })

  it('[K2] counts refused calls as none, and does not hold them open', () => {
    const ledger = new CallLedger(namespaces, { ...DEFAULT_LIMITS, maxCalls: 1, maxCallBytes: 10 })
    expect(admit(ledger, call(1, 'x'.repeat(11)))).toMatchObject({ refusal: expect.stringContaining('maxCallBytes') })
    expect(admit(ledger, call(2, 'x'.repeat(9)))).toHaveProperty('member')
    expect(admit(ledger, call(3))).toMatchObject({ refusal: expect.stringContaining('maxCalls') })
    expect([ledger.admitted, ledger.open]).toEqual([1, 1])
    expect(ledger.refuseResult(1)).toBeUndefined()
    expect(ledger.refuseResult(1)).toContain('0 are left')
  })

  it('refuses a result that fits into no message', () => {
    const ledger = new CallLedger(namespaces, { ...DEFAULT_LIMITS, maxCallBytes: 2 ** 40 })
    expect(ledger.refuseResult(MAX_ANSWER_BYTES + 1)).toContain('was executed')
  })
})

describe('the outbox', () => {
  const answer = (n: number, text = '1') => ({ answer: { call: n, ok: true, text }, bytes: text.length })

  it('gives answers in order, large ones in batches, and nothing when it has nothing', () => {
    const outbox = new Outbox(() => {})
    expect(outbox.take()).toBeUndefined()
    const large = 'x'.repeat(DELIVER_BATCH_BYTES / 2)
    for (const n of [1, 2, 3]) outbox.push(answer(n, large))
    expect(outbox.take()?.answers.map(({ call }) => call)).toEqual([1, 2])
    expect(outbox.hasAnswers).toBe(true)
    expect(outbox.take()).toMatchObject({ answers: [{ call: 3 }], wake: false, bytes: large.length })
    expect(outbox.take()).toBeUndefined()
  })

  it('wakes once, by the timer that was set last', async () => {
    const woken: string[] = []
    await new Promise<void>((resolve) => {
      const outbox = new Outbox(() => {
        woken.push(JSON.stringify(outbox.take()))
        resolve()
      })
      outbox.setWake(0)
      outbox.setWake(2 ** 40)
      outbox.setWake(3)
    })
    expect(woken).toEqual(['{"answers":[],"wake":true,"bytes":0}'])
  })

  it('lets a due timer ride with answers, and forgets what it is told to', () => {
    const outbox = new Outbox(() => {})
    outbox.setWake(0)
    outbox.push(answer(1))
    expect(outbox.take()).toMatchObject({ wake: true })
    outbox.setWake(0)
    outbox.push(answer(2))
    outbox.clear()
    expect(outbox.take()).toBeUndefined()
  })
})

describe('stderr of a process', () => {
  it('is kept from both ends, however it comes', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 3_000 }), { minLength: 1, maxLength: 8 }), (sizes) => {
        const tail = new StderrTail()
        let all = ''
        for (const [index, size] of sizes.entries()) {
          const chunk = String.fromCharCode(97 + index).repeat(size)
          all += chunk
          tail.push(Buffer.from(chunk))
        }
        const text = tail.text()
        if (all.length <= 4_096) expect(text).toBe(all)
        else expect(text).toBe(`${all.slice(0, 2_048)}\n…\n${all.slice(-2_048)}`)
      }),
      { numRuns: 100, seed: 8 },
    )
  })

  it.each([
    [
      '\n#\n# Fatal error in , line 0\n# Fatal JavaScript invalid size error 169220804\n#\n',
      'Fatal JavaScript invalid size error 169220804',
    ],
    [
      '<--- Last few GCs --->\n\nFATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n----- Native stack trace -----\n 1: 0xe1 node::OOM [/usr/bin/node]\n',
      'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    ],
    [
      "node:internal/x:1\nError [ERR_X]: Cannot find module '/srv/app/app/a.ts' imported from /srv/app/b.ts\n",
      "Error [ERR_X]: Cannot find module '<path>' imported from <path>",
    ],
    ['nothing to say', undefined],
  ])('has one line for a model: %j', (text, line) => {
    expect(fatalLine(text)).toBe(line)
  })

  it('is cleared of paths and addresses', () => {
    expect(
      withoutPaths(
        'at f (file:///srv/app/x.ts:1:2) 0x7ffd1234abcd, C:\\Users\\me\\a.js, /srv/My Own Files/x.ts is, a/b',
      ),
    ).toBe('at f (<path>:1:2) <address>, <path>, <path> is, a/b')
  })
})

it('[K4] a death near the budget of memory says so', () => {
  const exit = { code: null, signal: 'SIGKILL', stderr: '' }
  expect(processDied(exit, DEFAULT_LIMITS, true).message).toContain('256 MiB (memoryMb)')
  expect(processDied(exit, DEFAULT_LIMITS, false).message).not.toContain('memoryMb')
  expect(processDied({ code: null, signal: null, stderr: '' }, DEFAULT_LIMITS, false).message).toContain('went away')
})
