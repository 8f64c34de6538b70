// The compiler through its worker: real threads.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { Compiler, type CompilerOptions, MAX_PROGRAM_LENGTH } from '../../../../runtimes/typescript/compile.ts'

const compilers: Compiler[] = []
function compiler(options: CompilerOptions = {}): Compiler {
  const made = new Compiler(options)
  compilers.push(made)
  return made
}
afterEach(async () => {
  await Promise.all(compilers.splice(0).map((each) => each.dispose()))
})

const folder = mkdtempSync(join(tmpdir(), 'runcell-compile-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A worker that answers as a test wants; `source` is the program that it was asked for. */
function workerDoing(name: string, body: string): URL {
  const file = join(folder, `${name}.mjs`)
  writeFileSync(
    file,
    `import { parentPort } from 'node:worker_threads'\nparentPort.on('message', ({ id, source }) => { ${body} })\n`,
  )
  return pathToFileURL(file)
}

describe('compiling', () => {
  it('[L1] gives JavaScript for a program, and the problem of one that does not parse', async () => {
    const ours = compiler()
    expect(await ours.compile('const a: number = 1\nreturn a as unknown')).toEqual({
      javascript: 'const a         = 1\nreturn a;          ',
    })
    expect(await ours.compile('const a: = 1')).toEqual({ problem: { message: 'Type expected.', line: 1, column: 10 } })
    expect(await ours.compile('enum A { B = 2 }\nreturn A.B')).toMatchObject({
      javascript: expect.stringContaining('A["B"] = 2'),
    })
  })

  it('[L1] many programs at once, each with its own answer', async () => {
    const ours = compiler()
    const answers = await Promise.all(Array.from({ length: 50 }, (_, i) => ours.compile(`return ${i} as number`)))
    expect(answers).toEqual(Array.from({ length: 50 }, (_, i) => ({ javascript: `return ${i};         ` })))
  })

  it('[L1] endless nesting is an answer, and the same compiler goes on', async () => {
    const ours = compiler()
    const endless = [
      '('.repeat(20_000),
      `return ${'['.repeat(20_000)}${']'.repeat(20_000)}`,
      '{'.repeat(20_000),
      `let a: ${'Array<'.repeat(20_000)}x${'>'.repeat(20_000)}`,
      '() => '.repeat(20_000),
      `return ${'1 + '.repeat(50_000)}1`,
      `enum A { B }\nreturn ${'1 + '.repeat(5_000)}1`,
      `return a${'.b()'.repeat(20_000)}`,
    ]
    for (const source of endless) {
      const answer = await ours.compile(source)
      expect('failure' in answer ? [source.slice(0, 20), answer] : undefined).toBeUndefined()
    }
    expect(await ours.compile('return 1')).toEqual({ javascript: 'return 1' })
  })

  it('[L1] a program that is too long is not read', async () => {
    expect(await compiler().compile(' '.repeat(MAX_PROGRAM_LENGTH + 1))).toMatchObject({
      problem: { message: expect.stringContaining(`${MAX_PROGRAM_LENGTH} characters`) },
    })
  })
})

describe('what is kept', () => {
  const counting = workerDoing(
    'counting',
    'globalThis.count = (globalThis.count ?? 0) + 1; parentPort.postMessage({ id, javascript: String(globalThis.count) })',
  )

  it('[Q5] a program is compiled once, also when it is asked for twice at a time', async () => {
    const ours = compiler({ worker: counting })
    const [first, second] = await Promise.all([ours.compile('a'), ours.compile('a')])
    expect([first, second, await ours.compile('a')]).toEqual([
      { javascript: '1' },
      { javascript: '1' },
      { javascript: '1' },
    ])
    expect(await ours.compile('b')).toEqual({ javascript: '2' })
  })

  it('what was used longest ago goes first', async () => {
    const ours = compiler({ worker: counting })
    await ours.compile('kept')
    for (let i = 0; i < 300; i++) {
      await ours.compile(`program ${i}`)
      await ours.compile('kept')
    }
    expect(await ours.compile('kept')).toEqual({ javascript: '1' })
    expect(await ours.compile('program 299')).toEqual({ javascript: '301' })
    expect(await ours.compile('program 0')).toEqual({ javascript: '302' })
  })

  it('long programs push each other out by length', async () => {
    const ours = compiler({ worker: counting })
    const long = (letter: string): string => letter.repeat(3_000_000)
    for (const letter of 'abcdefgh') await ours.compile(long(letter))
    expect(await ours.compile(long('h'))).toEqual({ javascript: '8' })
    expect(await ours.compile(long('a'))).toEqual({ javascript: '9' })
  })
})

describe('a worker that fails', () => {
  it('[L1] one that takes too long is ended, says so, and the next program gets another', async () => {
    const worker = workerDoing(
      'slow',
      "if (source === 'slow') for (;;); parentPort.postMessage({ id, javascript: 'ok' })",
    )
    const ours = compiler({ worker, timeLimitMs: 1_000 })
    expect(await ours.compile('slow')).toEqual({
      failure: 'timeout',
      message: expect.stringContaining('took longer than 1000 ms; nothing of it has run'),
    })
    expect(await ours.compile('fast')).toEqual({ javascript: 'ok' })
  })

  it.each([
    ['throws', "throw new Error('broken')"],
    ['exits', 'process.exit(3)'],
    ['runs out of memory', 'const a = []; for (;;) a.push(new Array(1e5).fill({}))'],
  ])('[L1] one that %s fails its program alone', async (name, action) => {
    const worker = workerDoing(
      name.replaceAll(' ', '-'),
      `if (source === 'bad') { ${action} }; parentPort.postMessage({ id, javascript: 'ok' })`,
    )
    const ours = compiler({ worker, maxHeapMb: 32 })
    const [bad, good] = await Promise.all([ours.compile('bad'), ours.compile('good')])
    expect(bad).toMatchObject({ failure: 'crashed' })
    expect(good).toEqual({ javascript: 'ok' })
  })

  it('[L1] a failure is not kept', async () => {
    const worker = workerDoing(
      'flaky',
      "if (source === 'x' && !process.env.NOTHING && !globalThis.again) process.exit(1); parentPort.postMessage({ id, javascript: 'ok' })",
    )
    const ours = compiler({ worker })
    expect(await ours.compile('x')).toMatchObject({ failure: 'crashed' })
    expect(await ours.compile('x')).toMatchObject({ failure: 'crashed' })
  })

  it('an answer to another question is nothing', async () => {
    const worker = workerDoing(
      'confused',
      "parentPort.postMessage({ id: id + 1, javascript: 'wrong' }); parentPort.postMessage({ id, javascript: 'right' }); parentPort.postMessage({ id, javascript: 'late' })",
    )
    const ours = compiler({ worker })
    expect(await ours.compile('a')).toEqual({ javascript: 'right' })
    expect(await ours.compile('b')).toEqual({ javascript: 'right' })
  })
})

describe('disposal', () => {
  it('[J4] ends what is under way and what waits, and whatever is asked later', async () => {
    const worker = workerDoing('forever', 'for (;;);')
    const ours = compiler({ worker })
    const pending = [ours.compile('a'), ours.compile('b'), ours.compile('a')]
    await ours.dispose()
    await ours.dispose()
    for (const answer of await Promise.all(pending)) expect(answer).toMatchObject({ failure: 'disposed' })
    expect(await ours.compile('c')).toMatchObject({ failure: 'disposed' })
  })
})
