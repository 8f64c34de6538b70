// Configuration of the `tools` service: what is presented and how many sub-calls overlap. Defaults stand here alone.
import { z } from 'zod'
import { PRESENTATION_MODES } from '../tools/names.ts'

/** Shape of the configuration; unknown keys are refused. */
export const toolRuntimeConfigSchema = z
  .strictObject({
    /** How tools are shown to agents that declare nothing themselves (contract F2). Default `native`. */
    mode: z.enum(PRESENTATION_MODES).default('native'),
    /** Languages that `run_code` takes; where there are several, each program names its own. Empty (default): the mounted runtime's first. */
    languages: z
      .array(z.string().min(1))
      .refine((languages) => new Set(languages).size === languages.length, 'must name each language once')
      .default([]),
    /** How many sub-calls of one program, or calls of one batch, overlap (contract H3, R2). Default 10. */
    maxParallelSubCalls: z.int().positive().default(10),
  })
  .prefault({})

/** Configuration as it is given. */
export type ToolRuntimeConfigInput = z.input<typeof toolRuntimeConfigSchema>
/** Configuration with defaults filled in. */
export type ToolRuntimeConfig = z.output<typeof toolRuntimeConfigSchema>
