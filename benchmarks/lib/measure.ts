// Timing helpers: warm-up, then samples, then percentiles. Medians are what the figures of `bench:quick` are.

/** Percentiles of a series of samples, in the samples' own unit. */
export interface Spread {
  readonly median: number
  readonly p10: number
  readonly p90: number
  readonly samples: number
}

/** Sorts samples into a spread. */
export function spreadOf(samples: readonly number[]): Spread {
  const sorted = [...samples].sort((a, b) => a - b)
  const at = (quantile: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(quantile * sorted.length))] ?? Number.NaN
  return { median: at(0.5), p10: at(0.1), p90: at(0.9), samples: sorted.length }
}

/** Options of {@link time}. */
export interface TimeOptions {
  /** Measured repetitions. */
  readonly times: number
  /** Unmeasured repetitions before them. Default 5. */
  readonly warmUp?: number
  /** Pause before each repetition, in milliseconds. Default 0. */
  readonly pauseMs?: number
}

/** Milliseconds of an asynchronous action, repeated. */
export async function time(
  action: () => Promise<unknown>,
  { times, warmUp = 5, pauseMs = 0 }: TimeOptions,
): Promise<Spread> {
  const samples: number[] = []
  for (let i = -warmUp; i < times; i++) {
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
    const start = performance.now()
    await action()
    if (i >= 0) samples.push(performance.now() - start)
  }
  return spreadOf(samples)
}

/** Rounds to three significant digits; not finite becomes `null`, which JSON can say. */
export function figure(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(3)) : null
}
