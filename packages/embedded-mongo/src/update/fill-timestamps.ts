import { Timestamp } from 'bson'
import { getField, setField, type Document } from '../bson/document.ts'

const isEmpty = (value: unknown): boolean => value instanceof Timestamp && value.isZero()

/** Replaces empty timestamps in top-level fields of a whole document, except `_id`, with the server's time, like MongoDB. */
export function fillTimestamps(document: Document, now: () => Timestamp): Document {
  const fields = Object.keys(document)
  const empty = new Set(fields.filter((field) => field !== '_id' && isEmpty(getField(document, field))))
  if (empty.size === 0) return document
  const filled: Document = {}
  for (const field of fields) setField(filled, field, empty.has(field) ? now() : getField(document, field))
  return filled
}
