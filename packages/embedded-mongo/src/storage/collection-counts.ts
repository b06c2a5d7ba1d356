import type { Collection } from './catalog-tables.ts'
import type { Connection } from './connection.ts'

/** How many documents each collection has: kept in memory, and in the file from one clean end to the next start. */
export interface CollectionCounts {
  /** These were read from the file, where a count of -1 says that it is not true. */
  found(collections: readonly Collection[]): void
  /** The open commit has changed the count of this one. */
  note(collection: Collection): void
  /** This one was dropped. */
  forget(collection: Collection): void
  /** Before a commit: says in the file, once for each collection, that its count there is no longer true. */
  markUncounted(): void
  /** After a commit. */
  committed(): void
  /** After a commit that was rolled back: the counts of these are again those of the last one that was not. */
  takeBack(collections: Iterable<Collection>): void
  /** Writes the true counts. */
  save(collections: Iterable<Collection>): void
}

export function createCollectionCounts(writer: Connection): CollectionCounts {
  const dirty = new Set<Collection>()
  /** Collections whose count in the file is not true, by id. */
  const uncounted = new Set<number>()

  return {
    found: (collections) => {
      for (const { id, count } of collections) if (count < 0) uncounted.add(id)
    },
    note: (collection) => void dirty.add(collection),
    forget: (collection) => void dirty.delete(collection),
    markUncounted: () => {
      for (const { id } of dirty) {
        if (uncounted.has(id)) continue
        writer.run('UPDATE collections SET count = -1 WHERE id = ?', id)
        uncounted.add(id)
      }
    },
    committed: () => {
      for (const collection of dirty) collection.committedCount = collection.count
      dirty.clear()
    },
    takeBack: (collections) => {
      for (const collection of collections) collection.count = collection.committedCount
      dirty.clear()
      uncounted.clear()
    },
    save: (collections) => {
      for (const { id, count } of collections) {
        if (uncounted.has(id)) writer.run('UPDATE collections SET count = ? WHERE id = ?', count, id)
      }
      uncounted.clear()
    }
  }
}
