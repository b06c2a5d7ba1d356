/** Converts anything thrown to an `Error`, which an error boundary accepts. */
export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))
