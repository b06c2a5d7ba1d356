/** Waits for something to become true; a test that hangs here says so by its own time-out. */
export async function until(isTrue: () => Promise<boolean>, deadlineMs = 60_000): Promise<void> {
  const end = performance.now() + deadlineMs
  while (!(await isTrue().catch(() => false))) {
    if (performance.now() > end) throw new Error(`still not true after ${deadlineMs} ms: ${isTrue.toString()}`)
    await new Promise((done) => setTimeout(done, 20))
  }
}

/** How long calls of an api under test wait for the database: a machine with other work is slow, not broken. */
export const patientDatabaseMs = 60_000
