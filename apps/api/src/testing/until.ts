/** Waits for a condition; a test that hangs here fails by its own time-out. */
export async function until(isTrue: () => Promise<boolean>, deadlineMs = 60_000): Promise<void> {
  const end = performance.now() + deadlineMs
  while (!(await isTrue().catch(() => false))) {
    if (performance.now() > end) throw new Error(`still not true after ${deadlineMs} ms: ${isTrue.toString()}`)
    await new Promise((done) => setTimeout(done, 20))
  }
}

/** How long an api under test waits for the database: a busy machine is slow, not broken. */
export const patientDatabaseMs = 60_000
