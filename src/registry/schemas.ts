// How the registry admits schemas (contract C2): an output schema is compiled, because every success is checked against
// it; a parameter schema is only checked, because a raw definition validates its own arguments (contract G2).
import { checkSchema, compileSchema } from '../schema/validator.ts'
import type { SchemaAdmission } from './admission.ts'

/** The admission that a registry uses unless it is given another. `warn` is told what of an output schema is not enforced (contract G3). */
export function schemaAdmission(warn: (message: string) => void): SchemaAdmission {
  return {
    compileOutput(schema, owner) {
      const compiled = compileSchema(schema, { owner, kind: 'output' })
      for (const warning of compiled.warnings) warn(`The output schema of ${owner}: ${warning}`)
      return compiled
    },
    checkParameters(schema, owner) {
      checkSchema(schema, { owner, kind: 'parameters' })
    },
  }
}
