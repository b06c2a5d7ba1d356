import type { Document } from '../src/bson/document.ts'
import { openEngine } from '../src/engine.ts'

/** Returns all documents of a collection in a file that no engine has open, in the order of their insertion. */
export function documentsIn(path: string, namespace: string): Document[] {
  const engine = openEngine({ path })
  try {
    const collection = engine.store.catalog.get(namespace)
    if (!collection) return []
    return engine.store.writer.all(`SELECT rid FROM docs_${collection.id} ORDER BY rid`).map(([rid]) => {
      const row = engine.rows.byRid(collection, Number(rid))
      return row ? engine.rows.documentOf(collection, row) : {}
    })
  } finally {
    engine.close()
  }
}
