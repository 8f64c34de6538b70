// What a throw out of an entry means, on real isolates. The program of each case tries to look like another one.
import type ivm from 'isolated-vm'
import { afterEach, describe, expect, it } from 'vitest'
import type { EngineFatalError } from '../../../../runtimes/child/engine.ts'
import {
  createIsolate,
  describeOrphan,
  disposeIsolate,
  enterIsolate,
  isolateCpuUs,
} from '../../../../runtimes/child/isolate.ts'

const isolates: ivm.Isolate[] = []
afterEach(() => isolates.splice(0).forEach(disposeIsolate))

function enter(source: string, timeoutMs = 10_000): { orphan: ReturnType<typeof enterIsolate>; isolate: ivm.Isolate } {
  const isolate = createIsolate(16)
  isolates.push(isolate)
  const context = isolate.createContextSync()
  const orphan = enterIsolate(isolate, timeoutMs, () => void context.evalSync(source, { timeout: timeoutMs }))
  return { orphan, isolate }
}

const reasonOf = (act: () => unknown): string => {
  try {
    act()
  } catch (error) {
    return (error as EngineFatalError).reason
  }
  return 'none'
}

describe('an entry', () => {
  it('that returns is no orphan, and has cost CPU time', () => {
    const { orphan, isolate } = enter('let n = 0; for (let i = 0; i < 1e6; i++) n += i')
    expect(orphan).toBeUndefined()
    expect(isolateCpuUs(isolate)).toBeGreaterThan(0)
  })

  it.each([
    ['a rejection that nothing handles', "Promise.reject(new TypeError('late'))", 'TypeError: late'],
    ['a throw', "throw new RangeError('now')", 'RangeError: now'],
    ['a forged timeout', "throw new Error('Script execution timed out.')", 'Error: Script execution timed out.'],
    [
      'a forged end',
      "throw new Error('Isolate was disposed during execution due to memory limit')",
      'Error: Isolate was disposed during execution due to memory limit',
    ],
    ['a thrown text', "throw 'plain'", 'plain'],
  ])('that throws for %s is an orphan: the isolate lives', (_, source, text) => {
    const { orphan, isolate } = enter(source)
    expect(describeOrphan(orphan!)).toBe(text)
    expect(isolate.isDisposed).toBe(false)
  })

  it.each([
    'for (;;) {}',
    // These hang for ever where V8 unrolls loops.
    "for (;;) new Array(1000).fill('x')",
    "(() => { for (;;) new Array(1000).fill('x') })()",
    'for (;;) { const a = new Array(1000); a[0] = 1 }',
    "/(a+)+$/.test('a'.repeat(60) + 'b')",
    'for (;;) [3, 1, 2].sort()',
  ])('[K2] that outlives its time is an entry timeout by our own clock: %s', (source) => {
    expect(reasonOf(() => enter(source, 500))).toBe('entry-timeout')
  })

  it.each([
    "const a = []; for (;;) a.push(new Array(1000).fill('x'))",
    'const a = []; for (;;) a.push({ x: 1 })',
    'const m = new Map(); for (let i = 0; ; i++) m.set(i, new Array(50).fill(i))',
  ])('[K2] that fills the heap is out of memory: %s', (source) => {
    expect(reasonOf(() => enter(source, 20_000))).toBe('memory')
  })

  it('into an isolate that was disposed beneath it is fatal', () => {
    const isolate = createIsolate(16)
    const context = isolate.createContextSync()
    expect(reasonOf(() => enterIsolate(isolate, 1_000, () => isolate.dispose()))).toBe('memory')
    expect(reasonOf(() => enterIsolate(isolate, 1_000, () => void context.evalSync('1')))).toBe('memory')
    expect(isolateCpuUs(isolate)).toBe(0)
    expect(() => disposeIsolate(isolate)).not.toThrow()
  })

  it('has orphans described without running them: long ones are cut, hostile ones named', () => {
    expect(describeOrphan({ thrown: new Error('x'.repeat(10_000)) }).length).toBeLessThan(2_100)
    expect(describeOrphan({ thrown: Object.create(null) })).toBe('a value that cannot be described')
  })
})
