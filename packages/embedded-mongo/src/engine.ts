import { createChangeLog, type ChangeLog } from './change-log/change-log.ts'
import { createClusterClock, systemNow, type ClusterClock } from './clock.ts'
import { createCursors, type Cursors } from './cursors.ts'
import { renewFile } from './storage/indexes/index-build.ts'
import { createLiveView } from './storage/live-view.ts'
import { createKeysOf, createPartialTest } from './storage/indexes/partial-test.ts'
import { createMemory, type Memory } from './storage/memory.ts'
import { createRows, type Rows } from './storage/rows.ts'
import { openStore, type Store, type StoreOptions } from './storage/store.ts'
import type { View } from './storage/view.ts'
import { createLocks, type Locks } from './transactions/locks.ts'
import { createRetries, type Retries } from './transactions/retries.ts'
import { createSessions, type Sessions } from './transactions/sessions.ts'
import { createTurns, type Turns } from './transactions/turns.ts'
import type { Counters } from './planner/execute.ts'

/** The database engine without the wire protocol. */
export interface Engine {
  store: Store
  rows: Rows
  live: View
  locks: Locks<{ ended: Promise<void> }>
  cursors: Cursors
  sessions: Sessions
  turns: Turns
  retries: Retries
  changes: ChangeLog
  clock: ClusterClock
  /** The memory budget that the pipelines of all commands share. */
  memory: Memory
  /** Milliseconds since 1970. */
  now: () => number
  /** Milliseconds since the start, whatever the wall clock does. */
  uptimeMs(): number
  /** Name and host of the replica set of one in `hello`. */
  set: { name: string; host: string }
  connections(): number
  /** Called by the command `shutdown`. */
  requestStop(): void
  /** Returns a view like `live` that counts its reads, for `explain`. */
  countingView(counters: Counters): View
  /** Empties the caches, which the next reads fill again. */
  releaseMemory(): void
  close(): void
}

export type EngineOptions = StoreOptions & {
  path: string
  now?: () => number
  monotonic?: () => number
  memoryBytes?: number
}

export function openEngine(asked: EngineOptions): Engine {
  const { path, now = systemNow, monotonic = () => performance.now(), memoryBytes, ...options } = asked
  const store = openStore(path, options)
  const rows = createRows(store, createKeysOf(createPartialTest()))
  renewFile(store, rows)
  store.recent.load(rows.keysOf)
  const locks = createLocks<{ ended: Promise<void> }>()
  const clock = createClusterClock(now, lastChangeTime(store))
  const changes = createChangeLog({ store, clock, now, monotonic })
  const live = createLiveView({ store, rows, locks, prepareEvent: changes.prepare })
  const retries = createRetries(store, now)
  const sessions = createSessions({ store, rows, locks, live, retries, monotonic })
  const cursors = createCursors(monotonic)
  const startedAt = monotonic()
  return {
    store,
    rows,
    live,
    locks,
    cursors,
    sessions,
    turns: createTurns(),
    retries,
    changes,
    clock,
    memory: createMemory(memoryBytes),
    now,
    uptimeMs: () => monotonic() - startedAt,
    set: { name: 'batti', host: '127.0.0.1:27017' },
    connections: () => 0,
    requestStop: () => {},
    countingView: (counters) => createLiveView({ store, rows, locks, prepareEvent: changes.prepare, counters }),
    releaseMemory: () => {
      sessions.releaseMemory()
      store.releaseMemory()
    },
    close: () => {
      cursors.closeWhere(() => true)
      sessions.close()
      store.close()
    }
  }
}

function lastChangeTime(store: Store): { t: number; i: number } {
  const row = store.writer.get('SELECT seconds, ordinal FROM changes ORDER BY seq DESC LIMIT 1')
  return row ? { t: Number(row[0]), i: Number(row[1]) } : { t: 0, i: 0 }
}
