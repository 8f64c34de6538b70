// The whole contract, in the order of its letters.
import { A } from './A.ts'
import { B } from './B.ts'
import { C } from './C.ts'
import type { Clause, ContractSection } from './clause.ts'
import { D } from './D.ts'
import { E } from './E.ts'
import { F } from './F.ts'
import { G } from './G.ts'
import { H } from './H.ts'
import { I } from './I.ts'
import { J } from './J.ts'
import { K } from './K.ts'
import { L } from './L.ts'
import { M } from './M.ts'
import { N } from './N.ts'
import { O } from './O.ts'
import { P } from './P.ts'
import { Q } from './Q.ts'
import { R } from './R.ts'

export const contract: readonly ContractSection[] = [A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R]

/** Every clause, section by section. */
export const clauses: readonly Clause[] = contract.flatMap((section) => section.clauses)
