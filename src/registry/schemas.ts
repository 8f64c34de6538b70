// How the registry admits schemas (contract C2): an output schema is compiled, because every success is checked against
// it; a parameter schema is only checked, because a raw definition validates its own arguments (contract G2).
import { checkSchema, compileSchema } from '../schema/validator.ts'
import type { SchemaAdmission } from './admission.ts'

/** The admission that a registry uses unless it is given another. */
export const schemaAdmission: SchemaAdmission = {
  compileOutput: (schema, owner) => compileSchema(schema, { owner, kind: 'output' }),
  checkParameters(schema, owner) {
    checkSchema(schema, { owner, kind: 'parameters' })
  },
}
