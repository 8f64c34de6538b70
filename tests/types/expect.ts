// Type-level assertions for tests/types: `tsc` is the test runner.

/** True when both types are the same to the letter, `readonly` and optional marks included. */
export type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false

/** Compiles only for `true`. */
export type Holds<Claim extends true> = Claim
