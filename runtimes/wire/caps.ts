// Sizes and counts that no message may pass, whatever the budgets of a run are. They protect the host from a sandbox that
// was taken over; an honest one meets its budgets first. Both sides know them, so the sandbox can say what did not fit.

/** Largest frame in either direction, in bytes. */
export const MAX_FRAME_BYTES = 256 * 1024 * 1024

/**
 * Largest head of a frame from a sandbox, in bytes. Heads are parsed before anything in them is checked, and a parsed
 * byte can cost some fifty of memory; the texts of values travel as bodies and do not count.
 */
export const MAX_SANDBOX_HEAD_BYTES = 1024 * 1024

/** Most calls in one turn; about thirty bytes of head each. */
export const MAX_CALLS_PER_TURN = 32_768

/** Longest text of one answer, in bytes: with a batch of others before it, it still fits into a frame. */
export const MAX_ANSWER_BYTES = 192 * 1024 * 1024

/** Answers of about this many bytes go into one `deliver`; the rest waits for the next turn. */
export const DELIVER_BATCH_BYTES = 16 * 1024 * 1024
