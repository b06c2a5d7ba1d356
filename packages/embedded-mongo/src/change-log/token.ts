import { isDocument, type Document } from '../bson/document.ts'
import { MongoError } from '../errors.ts'

/** Makes a resume token for a place in the log: `{ _data: '82' + 16 hex digits }`. Tokens sort chronologically. */
export const makeToken = (seq: number): Document => ({ _data: `82${seq.toString(16).padStart(16, '0')}` })

export function readToken(token: unknown): number {
  const data = isDocument(token) ? token['_data'] : undefined
  if (typeof data !== 'string' || !/^82[0-9a-f]{16}$/.test(data))
    throw new MongoError(260, 'Resume token is not of this server')
  return Number.parseInt(data.slice(2), 16)
}
