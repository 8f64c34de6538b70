// Names that belong to runcell itself: that of its transport tool, and those of the ways to present tools.

/** The transport tool of code mode. It is reserved in every mode: nobody can register, reserve, shadow or restrict it (contract C1). */
export const RUN_CODE_NAME = 'run_code'

/** How tools can be shown to a model (contract F2). */
export const PRESENTATION_MODES = ['native', 'code', 'both'] as const

/** Native function calling, code mode, or both. */
export type PresentationMode = (typeof PRESENTATION_MODES)[number]
