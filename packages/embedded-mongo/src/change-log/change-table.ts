import type { Timestamp } from 'bson'
import type { Store } from '../storage/store.ts'

const MAX_ENTRIES = 100_000
const MAX_BYTES = 64 * 1024 * 1024

/** The stored entries of the change log, bounded in number and bytes. */
export function createChangeTable({ writer, write }: Pick<Store, 'writer' | 'write'>) {
  const number = (sql: string, ...values: number[]): number => Number((writer.get(sql, ...values) ?? [])[0] ?? 0)
  let head = 0
  let tail = 0
  let bytes = 0
  let entries = 0

  const measure = (): void => {
    bytes = number('SELECT sum(size) FROM changes')
    entries = number('SELECT count(*) FROM changes')
  }
  const load = (): void => {
    // AUTOINCREMENT keeps the last number even when the log was pruned.
    head = number("SELECT seq FROM sqlite_sequence WHERE name = 'changes'")
    tail = number('SELECT min(seq) FROM changes') - 1
    measure()
  }
  load()

  return {
    /** Reads the bounds from the file again, after a rollback. */
    load,
    /** Returns the number of the newest entry. */
    head: () => head,
    /** Returns the number of the newest entry that was dropped. */
    tail: () => tail,
    add: (time: Timestamp, namespace: string, event: Uint8Array): void => {
      write(() => {
        writer.run(
          'INSERT INTO changes(seconds, ordinal, namespace, size, event) VALUES(?, ?, ?, ?, ?)',
          time.t,
          time.i,
          namespace,
          event.length,
          event
        )
        head = number('SELECT last_insert_rowid()')
      })
      bytes += event.length
      entries++
    },
    /** Drops the oldest entries of a full log, until a tenth of it is free. One commit may have written many. */
    trim: (): void => {
      if (entries <= MAX_ENTRIES && bytes <= MAX_BYTES) return
      const tooOld = number(
        'SELECT max(seq) FROM (SELECT seq, sum(size) OVER (ORDER BY seq DESC) AS kept FROM changes) WHERE kept > ?',
        0.9 * MAX_BYTES
      )
      tail = Math.max(tooOld, head - 0.9 * MAX_ENTRIES)
      writer.run('DELETE FROM changes WHERE seq <= ?', tail)
      measure()
    },
    /** Returns the number of the last entry before a time. */
    before: (time: Timestamp): number => {
      const first = number(
        'SELECT seq FROM changes WHERE (seconds, ordinal) >= (?, ?) ORDER BY seq LIMIT 1',
        time.t,
        time.i
      )
      return first === 0 ? head : first - 1
    },
    /** Returns entries after one and up to another, oldest first. */
    read: (after: number, upTo: number, limit: number) =>
      writer
        .all(
          'SELECT seq, namespace, event FROM changes WHERE seq > ? AND seq <= ? ORDER BY seq LIMIT ?',
          after,
          upTo,
          limit
        )
        .map(([seq, namespace, event]) => ({
          seq: Number(seq),
          namespace: String(namespace),
          event: event as Uint8Array
        }))
  }
}
