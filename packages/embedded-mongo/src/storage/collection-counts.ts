import type { Collection } from './catalog-tables.ts'
import type { Connection } from './file/connection.ts'

/** The number of documents of each collection: in memory, and in the file between a clean stop and the next start. */
export interface CollectionCounts {
  /** Registers collections read from the file, where a count of -1 means that it is unknown. */
  found(collections: readonly Collection[]): void
  /** Notes that the open commit has changed the count of a collection. */
  note(collection: Collection): void
  /** Notes that a collection was dropped. */
  forget(collection: Collection): void
  /** Called before a commit. Marks, once per collection, its count in the file as unknown. */
  markUncounted(): void
  /** Called after a commit. */
  committed(): void
  /** Called after a rollback. Restores the counts of the last successful commit. */
  takeBack(collections: Iterable<Collection>): void
  /** Writes the counts to the file. */
  save(collections: Iterable<Collection>): void
}

export function createCollectionCounts(writer: Connection): CollectionCounts {
  const dirty = new Set<Collection>()
  /** Ids of collections whose count in the file is unknown. */
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
