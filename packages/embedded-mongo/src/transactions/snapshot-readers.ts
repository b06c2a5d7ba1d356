import type { Connection } from '../storage/file/connection.ts'
import { isMuchToCopy } from '../storage/indexes/recent.ts'
import type { Store } from '../storage/store.ts'

const IDLE_READERS = 8

/** Connections that hold a snapshot for as long as a transaction reads from it. A few are kept open for the next ones. */
export interface SnapshotReaders {
  take(): Connection
  release(reader: Connection): void
  /** Closes the connections that no transaction uses. */
  closeIdle(): void
}

export function createSnapshotReaders(store: Store): SnapshotReaders {
  const idle: Connection[] = []

  return {
    take: () => {
      // The snapshot must contain everything that was acknowledged, so end the open commit first.
      store.flush()
      if (isMuchToCopy(store.writer)) store.recent.moveAll()
      const reader = idle.pop() ?? store.openReader()
      reader.exec('BEGIN')
      reader.get('SELECT count(*) FROM collections')
      store.recent.copyTo(reader)
      return reader
    },
    release: (reader) => {
      reader.exec('ROLLBACK')
      if (idle.length < IDLE_READERS) {
        // Prepared statements of dropped tables must not keep the old schema alive.
        reader.forget()
        idle.push(reader)
      } else reader.close()
    },
    closeIdle: () => {
      for (const reader of idle.splice(0)) reader.close()
    }
  }
}
