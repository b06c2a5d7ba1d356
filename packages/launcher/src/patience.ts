/** A start from a slow card, or beside other work, takes a minute and more. This ends one that hangs. */
export const startWithinMs = 5 * 60_000
/** When people are told that it is still at it. */
export const slowStartMs = 30_000
