import type { Connection } from './connection.ts'

/**
 * Returns the length of the write-ahead log and how much of it was moved to the file, in pages. Moves nothing,
 * except by an SQLite that does not know `NOOP`: that one checkpoints first.
 * @see https://www.sqlite.org/pragma.html#pragma_wal_checkpoint
 */
export function logPages(connection: Connection): [log: number, moved: number] {
  const [, log, moved] = connection.get('PRAGMA wal_checkpoint(NOOP)') ?? []
  return [Number(log), Number(moved)]
}
