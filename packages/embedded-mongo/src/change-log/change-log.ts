import type { ClusterClock } from '../clock.ts'
import type { Collection } from '../storage/catalog.ts'
import type { Store } from '../storage/store.ts'
import type { Change } from '../storage/view.ts'

export type ChangeLog = {
  record(collection: Collection, change: Change): void
  dropped(namespace: string): void
  databaseDropped(database: string): void
  renamed(from: string, to: string): void
}

export const createChangeLog = (_options: { store: Store; clock: ClusterClock; now: () => number }): ChangeLog => ({
  record: () => {},
  dropped: () => {},
  databaseDropped: () => {},
  renamed: () => {}
})
