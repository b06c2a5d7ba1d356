import { statSync } from 'node:fs'
import { withSnapshot } from './snapshot.ts'

export interface CollectionStats {
  namespace: string
  count: number
  bytes: number
  indexes: { name: string; bytes: number }[]
}
export interface FileStats {
  fileBytes: number
  collections: CollectionStats[]
}

/** Returns the contents and size of a database file. */
export const readStats = (file: string): Promise<FileStats> =>
  withSnapshot(file, ({ connection, catalog }) => {
    const sum = (sql: string): number => Number((connection.get(sql) ?? [0])[0] ?? 0)
    const collections = catalog.all().map(({ id, namespace, count, indexes }) => ({
      namespace,
      count,
      bytes: sum(`SELECT sum(length(bson)) FROM docs_${id}`),
      indexes: indexes.map((index) => ({
        name: index.name,
        bytes: sum(`SELECT sum(length(key) + 8) FROM index_${index.id}`)
      }))
    }))
    return {
      fileBytes: statSync(file).size,
      collections: collections.toSorted((a, b) => (a.namespace < b.namespace ? -1 : 1))
    }
  })
