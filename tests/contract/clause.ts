// The shape of the contract as data. One file a letter holds the clauses; citations.ts finds the tests that name them.

/** `held`: the whole clause is there and tests cite it. `part`: the same but for what `missing` names. `planned`: not there. */
export type ClauseStatus = 'planned' | 'part' | 'held'

/** One promise. Its id is stable: it is cited in test titles, comments and documents, and never given to another promise. */
export interface Clause {
  /** Letter of the section and a number, such as `C7`. */
  readonly id: string
  readonly text: string
  readonly status: ClauseStatus
  /** What a clause of status `part` still lacks, as a noun phrase. */
  readonly missing?: string
}

/** The clauses of one letter. */
export interface ContractSection {
  readonly letter: string
  readonly title: string
  /** What holds for the section as a whole. */
  readonly intro?: string
  readonly clauses: readonly Clause[]
}
