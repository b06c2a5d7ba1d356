import { Timestamp } from 'bson'
import { getField, setField, type Document } from '../bson/document.ts'

const isEmpty = (value: unknown): boolean => value instanceof Timestamp && value.isZero()

/** A whole document whose top-level fields hold empty timestamps gets the server's time there, but for its `_id`, as in MongoDB. */
export function fillTimestamps(document: Document, now: () => Timestamp): Document {
  const fields = Object.keys(document)
  const empty = new Set(fields.filter((field) => field !== '_id' && isEmpty(getField(document, field))))
  if (empty.size === 0) return document
  const filled: Document = {}
  for (const field of fields) setField(filled, field, empty.has(field) ? now() : getField(document, field))
  return filled
}
