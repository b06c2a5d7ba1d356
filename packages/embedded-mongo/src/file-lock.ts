import { DatabaseSync } from 'node:sqlite'

/** SQLite's error code when another connection has the lock. */
const BUSY = 5

/**
 * Locks a file for one process; the system ends the lock with the process. The lock belongs to the file and not to a path: it
 * also holds for another container, and for another name of the same folder. Creates the file, which stays.
 * @returns the release function; null when another process has the lock. @throws Error when the file cannot be locked.
 */
export function lockFile(path: string): (() => void) | null {
  const file = new DatabaseSync(path)
  try {
    // With the journal in memory nothing is written, so a full disk can be locked, too.
    file.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE;')
    return () => file.close()
  } catch (error) {
    file.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === BUSY) return null
    throw error
  }
}
