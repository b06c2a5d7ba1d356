import { createReadStream, existsSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { EJSON } from 'bson'
import { decodeDocument } from '../bson/decode.ts'
import { isDocument, type Document } from '../bson/document.ts'
import { MAX_DOCUMENT_BYTES } from '../bson/encode.ts'

/** Tells whether a file is a collection in a dump of `mongodump`. */
export const isDumpFile = (path: string): boolean => path.endsWith('.bson')

/** Returns `database.collection` of a file in a dump. The folder is named after the database. */
export const dumpNamespace = (path: string): string =>
  `${basename(dirname(path))}.${decodeURIComponent(basename(path, '.bson'))}`

/** Reads the documents of a file in a dump. */
export async function* dumpDocuments(path: string): AsyncGenerator<Document> {
  let waiting = Buffer.alloc(0)
  for await (const chunk of createReadStream(path)) {
    waiting = Buffer.concat([waiting, chunk as Buffer])
    while (waiting.length >= 4) {
      const size = waiting.readInt32LE(0)
      if (size < 5 || size > MAX_DOCUMENT_BYTES + 16 * 1024) throw new Error(`${path} is no BSON.`)
      if (waiting.length < size) break
      yield decodeDocument(waiting.subarray(0, size))
      waiting = waiting.subarray(size)
    }
  }
  if (waiting.length > 0) throw new Error(`${path} is cut off in a document.`)
}

/** Returns the path of mongodump's metadata for a file in a dump. */
export const dumpDescription = (path: string): string => path.replace(/\.bson$/, '.metadata.json')

/** Reads the options and indexes of a collection from `file`; none when there is no such file. */
export function readDescription(file: string): { options: Document; indexes: Document[] } {
  const described: unknown = existsSync(file) ? EJSON.parse(readFileSync(file, 'utf8')) : null
  const { options, indexes } = isDocument(described) ? described : {}
  return {
    options: isDocument(options) ? options : {},
    indexes: Array.isArray(indexes) ? indexes.filter(isDocument) : []
  }
}
