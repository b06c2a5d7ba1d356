/** How long calls of an api under test wait for the database: a machine with other work is slow, not broken. */
export const testDatabaseTimeoutMs = 60_000
