import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DEFAULT_MAX_PARALLEL, LaneClosedError, type LaneJob, type LaneMode, Lanes } from '../../../src/async/lanes.ts'
import { type Gate, gate, settled } from '../../support/memory-environment.ts'

/** A job that stops at a gate in each phase and writes down how it goes. */
class Probe implements LaneJob<string> {
  readonly gates: Record<'start' | 'dispatch' | 'post', Gate> = { start: gate(), dispatch: gate(), post: gate() }
  readonly name: string
  private readonly kind: LaneMode
  private readonly trace: string[]

  constructor(name: string, kind: LaneMode, trace: string[]) {
    this.name = name
    this.kind = kind
    this.trace = trace
  }

  mode(): LaneMode {
    return this.kind
  }

  async run(phases: Parameters<LaneJob<string>['run']>[0]): Promise<string> {
    const stay = async (phase: keyof Probe['gates']) => {
      this.trace.push(`${this.name} ${phase}`)
      await this.gates[phase].promise
      this.trace.push(`${this.name} /${phase}`)
    }
    await stay('start')
    await phases.dispatch(() => stay('dispatch'))
    await phases.post(() => stay('post'))
    return this.name
  }

  async pass(...phases: (keyof Probe['gates'])[]): Promise<void> {
    for (const phase of phases) {
      this.gates[phase].open()
      await settled()
    }
  }
}

function probes(kinds: readonly LaneMode[], maxParallel?: number) {
  const trace: string[] = []
  const lanes = new Lanes({ maxParallel })
  const jobs = kinds.map((kind, index) => new Probe(String.fromCharCode(97 + index), kind, trace))
  const done = jobs.map((job) => lanes.submit(job))
  return { lanes, trace, jobs: jobs as [Probe, Probe, Probe, Probe], done }
}

describe('Lanes', () => {
  it('[D15] starts one at a time in order of submission, and overlaps parallel jobs', async () => {
    const { trace, jobs, done } = probes(['parallel', 'parallel', 'parallel'])
    await jobs[1].pass('start')
    await jobs[2].pass('start')
    expect(trace).toEqual(['a start'])
    await jobs[0].pass('start')
    expect(trace).toEqual([
      'a start',
      'a /start',
      'a dispatch',
      'b start',
      'b /start',
      'b dispatch',
      'c start',
      'c /start',
      'c dispatch',
    ])
    for (const job of jobs) await job.pass('dispatch', 'post')
    expect(await Promise.all(done)).toEqual(['a', 'b', 'c'])
  })

  it('[D15] runs post one at a time, in order of completion', async () => {
    const { trace, jobs, done } = probes(['parallel', 'parallel', 'parallel'])
    for (const job of jobs) await job.pass('start')
    trace.length = 0
    await jobs[2].pass('dispatch')
    await jobs[0].pass('dispatch')
    await jobs[1].pass('dispatch')
    expect(trace).toEqual(['c /dispatch', 'c post', 'a /dispatch', 'b /dispatch'])
    await jobs[0].pass('post')
    await jobs[2].pass('post')
    expect(trace.slice(4)).toEqual(['c /post', 'a post', 'a /post', 'b post'])
    await jobs[1].pass('post')
    await Promise.all(done)
  })

  it('[D15] drains for an exclusive job, runs it alone, and bars later ones until its post is done', async () => {
    const { trace, jobs, done } = probes(['parallel', 'exclusive', 'parallel'])
    await jobs[0].pass('start')
    await jobs[1].pass('start')
    await jobs[2].pass('start')
    expect(trace.at(-1)).toBe('a dispatch')
    await jobs[0].pass('dispatch')
    expect(trace.at(-1)).toBe('a post')
    await jobs[0].pass('post')
    expect(trace.slice(-2)).toEqual(['b /start', 'b dispatch'])
    await jobs[1].pass('dispatch')
    expect(trace.at(-1)).toBe('b post')
    await jobs[1].pass('post')
    expect(trace.slice(-3)).toEqual(['c start', 'c /start', 'c dispatch'])
    await jobs[2].pass('dispatch', 'post')
    expect(await Promise.all(done)).toEqual(['a', 'b', 'c'])
  })

  it('[D15] holds back later starts, and nothing else, while a job waits in its start', async () => {
    const { trace, jobs, done } = probes(['parallel', 'parallel', 'parallel'])
    await jobs[0].pass('start')
    await jobs[2].pass('start')
    expect(trace.at(-1)).toBe('b start')
    // The first goes through dispatch and post meanwhile.
    await jobs[0].pass('dispatch', 'post')
    expect(await done[0]).toBe('a')
    expect(trace.includes('c start')).toBe(false)
    await jobs[1].pass('start')
    expect(trace.includes('c start')).toBe(true)
    for (const job of jobs) await job.pass('dispatch', 'post')
    await Promise.all(done)
  })

  it('[D15] keeps to the cap, which counts a job until it is done', async () => {
    const { lanes, jobs, done } = probes(['parallel', 'parallel', 'parallel'], 2)
    for (const job of jobs) await job.pass('start')
    await jobs[0].pass('dispatch')
    expect([lanes.active, lanes.queued]).toEqual([2, 1])
    await jobs[0].pass('post')
    expect([lanes.active, lanes.queued]).toEqual([2, 0])
    for (const job of jobs) await job.pass('dispatch', 'post')
    await Promise.all(done)
    expect([lanes.active, lanes.queued]).toEqual([0, 0])
  })

  it('goes on after jobs that throw in any phase, or skip phases', async () => {
    const lanes = new Lanes({ maxParallel: 1 })
    const failing = (run: LaneJob<void>['run']) => lanes.submit({ mode: () => 'parallel', run })
    const fail = () => Promise.reject(new Error('no'))
    const outcomes = await Promise.allSettled([
      failing(() => {
        throw new Error('no')
      }),
      failing(fail),
      failing((phases) => phases.dispatch(fail)),
      failing((phases) =>
        phases.dispatch(() => {
          throw new Error('no')
        }),
      ),
      failing((phases) => phases.post(fail)),
      failing(async () => {}),
      failing((phases) => phases.post(async () => {})),
    ])
    expect(outcomes.map((outcome) => outcome.status)).toEqual([
      ...Array(5).fill('rejected'),
      ...Array(2).fill('fulfilled'),
    ])
    expect(lanes.active).toBe(0)
  })

  it('[C9] takes a mode that throws, or is not exactly parallel, for exclusive', async () => {
    for (const mode of [
      () => 'Parallel',
      () => true,
      () => Promise.resolve('parallel'),
      () => Promise.reject,
    ] as any[]) {
      const lanes = new Lanes()
      const stay = gate()
      lanes.submit({ mode, run: () => stay.promise })
      lanes.submit({ mode: () => 'parallel', run: async () => {} })
      await settled()
      expect([lanes.active, lanes.queued]).toEqual([1, 1])
      stay.open()
      await lanes.drain()
    }
  })

  it('asks for the mode once, when the job is next to start', async () => {
    const lanes = new Lanes()
    const asked: string[] = []
    const stay = gate()
    const job = (name: string, run: () => Promise<void>): LaneJob<void> => ({
      mode: () => {
        asked.push(name)
        return 'exclusive'
      },
      run,
    })
    lanes.submit(job('a', () => stay.promise))
    lanes.submit(job('b', async () => {}))
    expect(asked).toEqual(['a'])
    stay.open()
    await lanes.drain()
    expect(asked).toEqual(['a', 'b'])
  })

  it('[H5, H7] abandons what is queued on close, refuses latecomers, and waits for what has started', async () => {
    const { lanes, jobs, done } = probes(['parallel', 'exclusive', 'parallel'])
    await jobs[0].pass('start')
    let drained = false
    lanes.close('over')
    lanes.close('twice')
    const draining = lanes.drain().then(() => {
      drained = true
    })
    for (const waiting of [done[1], done[2]]) {
      await expect(waiting).rejects.toMatchObject({ state: 'abandoned', reason: 'over' })
    }
    const late = lanes.submit(new Probe('late', 'parallel', []))
    await expect(late).rejects.toBeInstanceOf(LaneClosedError)
    await expect(late).rejects.toMatchObject({ state: 'late', reason: 'over' })
    expect(drained).toBe(false)
    await jobs[0].pass('dispatch', 'post')
    await draining
    expect(await done[0]).toBe('a')
  })

  it('starts nothing when a job closes the lanes while it is asked for its mode', async () => {
    const lanes = new Lanes()
    let ran = false
    const abandoned = lanes.submit({
      mode: () => {
        lanes.close()
        return 'parallel'
      },
      run: async () => {
        ran = true
      },
    })
    await expect(abandoned).rejects.toBeInstanceOf(LaneClosedError)
    await lanes.drain()
    expect(ran).toBe(false)
  })

  it('lets the next job start when one goes straight to its post', async () => {
    const lanes = new Lanes()
    const stay = gate()
    lanes.submit({ mode: () => 'parallel', run: (phases) => phases.post(() => stay.promise) })
    lanes.submit({ mode: () => 'parallel', run: () => stay.promise })
    expect(lanes.active).toBe(2)
    stay.open()
    await lanes.drain()
  })

  it('accepts jobs that are submitted from inside jobs', async () => {
    const lanes = new Lanes()
    const inner: Promise<string>[] = []
    const outer = await lanes.submit({
      mode: () => 'parallel',
      run: async (phases) => {
        inner.push(lanes.submit({ mode: () => 'parallel', run: async () => 'before' }))
        return phases.dispatch(async () => {
          inner.push(lanes.submit({ mode: () => 'exclusive', run: async () => 'within' }))
          return 'outer'
        })
      },
    })
    expect([outer, ...(await Promise.all(inner))]).toEqual(['outer', 'before', 'within'])
  })

  it.each([0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '3' as unknown as number])(
    '[H3] refuses %s as maxParallel',
    (maxParallel) => {
      expect(() => new Lanes({ maxParallel })).toThrow(/positive integer/)
    },
  )

  it('[H3] overlaps ten jobs by default', () => {
    expect([new Lanes().maxParallel, DEFAULT_MAX_PARALLEL]).toEqual([10, 10])
  })

  it('starts a long queue of jobs without recursion', async () => {
    const lanes = new Lanes()
    let ran = 0
    const all = Array.from({ length: 20_000 }, () =>
      lanes.submit({ mode: () => 'parallel', run: (phases) => phases.dispatch(async () => void ran++) }),
    )
    await Promise.all(all)
    expect(ran).toBe(20_000)
  })
})

/** What a trace of `<index> <event>` entries must hold, whatever the order in which the world answers. */
function problemsOf(trace: readonly string[], kinds: readonly LaneMode[], maxParallel: number): string[] {
  const problems: string[] = []
  const active = new Set<number>()
  let starting: number | undefined
  let posting: number | undefined
  let lastStarted = -1
  const completions: number[] = []
  const posts: number[] = []
  for (const entry of trace) {
    const [index, event] = [Number(entry.split(' ')[0]), entry.split(' ')[1]]
    if (event === 'start') {
      if (index !== lastStarted + 1) problems.push(`${index} started after ${lastStarted}`)
      if (starting !== undefined) problems.push(`${index} started while ${starting} was starting`)
      if ([...active].some((other) => kinds[other] === 'exclusive')) problems.push(`${index} beside an exclusive job`)
      if (kinds[index] === 'exclusive' && active.size > 0) problems.push(`exclusive ${index} was not alone`)
      if (active.size >= maxParallel) problems.push(`${index} is over the cap`)
      starting = lastStarted = index
      active.add(index)
    } else if (event === 'dispatch') starting = undefined
    else if (event === '/dispatch') completions.push(index)
    else if (event === 'post') {
      if (posting !== undefined) problems.push(`${index} in post beside ${posting}`)
      posting = index
      posts.push(index)
    } else if (event === '/post') posting = undefined
    else if (event === 'done') active.delete(index)
  }
  if (posts.join() !== completions.slice(0, posts.length).join())
    problems.push(`posts ${posts}, completed ${completions}`)
  if (active.size > 0) problems.push('not all done')
  return problems
}

describe('Lanes, any order of events', () => {
  const jobsArbitrary = fc.array(fc.constantFrom<LaneMode>('parallel', 'exclusive'), { minLength: 1, maxLength: 8 })

  it('[D15] keeps every rule of order', async () => {
    const property = fc.asyncProperty(
      jobsArbitrary,
      fc.integer({ min: 1, max: 4 }),
      fc.scheduler(),
      async (kinds, maxParallel, scheduler) => {
        const trace: string[] = []
        const lanes = new Lanes({ maxParallel })
        const finished = kinds.map((kind, index) =>
          lanes.submit({
            mode: () => kind,
            run: async (phases) => {
              const stay = async (phase: string) => {
                trace.push(`${index} ${phase}`)
                await scheduler.schedule(Promise.resolve(), `${index} ${phase}`)
                trace.push(`${index} /${phase}`)
              }
              await stay('start')
              await phases.dispatch(() => stay('dispatch'))
              await phases.post(() => stay('post'))
              trace.push(`${index} done`)
              return index
            },
          }),
        )
        await scheduler.waitFor(Promise.all(finished))
        expect(problemsOf(trace, kinds, maxParallel)).toEqual([])
        expect(await Promise.all(finished)).toEqual(kinds.map((_, index) => index))
      },
    )
    await fc.assert(property, { seed: 15, numRuns: 200 })
  })

  it('[D15, H7] loses no job when the lanes close in the middle', async () => {
    const property = fc.asyncProperty(jobsArbitrary, fc.scheduler(), async (kinds, scheduler) => {
      const lanes = new Lanes({ maxParallel: 2 })
      const started = new Set<number>()
      const jobs = kinds.map((kind, index) =>
        lanes.submit({
          mode: () => kind,
          onStart: () => started.add(index),
          run: async (phases) => {
            await scheduler.schedule(Promise.resolve())
            await phases.dispatch(() => scheduler.schedule(Promise.resolve()))
            return index
          },
        }),
      )
      const outcomes = Promise.allSettled(jobs)
      const closed = scheduler.schedule(Promise.resolve(), 'close').then(() => {
        lanes.close()
        return lanes.drain()
      })
      await scheduler.waitFor(Promise.all([outcomes, closed]))
      for (const [index, outcome] of (await outcomes).entries()) {
        expect(outcome.status).toBe(started.has(index) ? 'fulfilled' : 'rejected')
      }
      expect([lanes.active, lanes.queued]).toEqual([0, 0])
    })
    await fc.assert(property, { seed: 7, numRuns: 100 })
  })
})
