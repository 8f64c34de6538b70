// Names that belong to runcell itself.

/** The transport tool of code mode. It is reserved in every mode: nobody can register, reserve, shadow or restrict it (contract C1). */
export const RUN_CODE_NAME = 'run_code'
