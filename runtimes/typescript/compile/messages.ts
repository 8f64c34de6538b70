// What the compiler's worker is asked and what it answers.
import type { SyntaxProblem } from './syntax.ts'

/** A program to compile. */
export interface CompileQuestion {
  readonly id: number
  readonly source: string
}

/** Its JavaScript, line for line where the program has it, or what is wrong with it. */
export type CompileAnswer =
  | { readonly id: number; readonly javascript: string }
  | { readonly id: number; readonly problem: SyntaxProblem }
