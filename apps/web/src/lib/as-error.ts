/** What was thrown, as a fault that a boundary can be given. */
export const asError = (thrown: unknown): Error => (thrown instanceof Error ? thrown : new Error(String(thrown)))
