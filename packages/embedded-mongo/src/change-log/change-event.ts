import type { Document } from '../bson/document.ts'
import type { Change } from '../storage/view.ts'
import { describeUpdate } from './describe-update.ts'

/** Returns a namespace as events show it. */
export const splitNamespace = (namespace: string): Document => ({
  db: namespace.slice(0, namespace.indexOf('.')),
  coll: namespace.slice(namespace.indexOf('.') + 1)
})

/** Returns what an event says of a changed document. */
export function describeChange(change: Change): Document {
  switch (change.kind) {
    case 'insert':
      return { operationType: 'insert', fullDocument: change.document, documentKey: { _id: change.document['_id'] } }
    case 'delete':
      return { operationType: 'delete', documentKey: { _id: change.before['_id'] } }
    case 'update': {
      const documentKey = { _id: change.document['_id'] }
      return change.touched === 'replaced'
        ? { operationType: 'replace', fullDocument: change.document, documentKey }
        : {
            operationType: 'update',
            updateDescription: describeUpdate(change.before, change.document, change.touched),
            documentKey
          }
    }
  }
}
