import type { Document } from '../../bson/document.ts'
import { encodeCompoundKey } from '../../bson/key.ts'
import { MongoError } from '../../errors.ts'
import { keyRows, plainRow } from '../../query/key-rows.ts'
import type { Index } from './index-spec.ts'

export interface DocumentKeys {
  /** Ordered keys, distinct. */
  keys: Buffer[]
  /** First path parts under which an array was found. */
  arrays: string[]
}

/** Tells whether a partial index includes a document. */
export type PartialTest = (index: Index, document: Document) => boolean

export type KeysOf = (index: Index, document: Document) => DocumentKeys

const none: DocumentKeys = { keys: [], arrays: [] }

const parallelArrays = ([first = '', second = '']: readonly string[]): MongoError =>
  new MongoError(171, `cannot index parallel arrays [${second}] [${first}]`)

/**
 * Returns the keys of a document in an index like MongoDB: one per array element, null for missing fields, none for
 * documents that a sparse index skips. Throws CannotIndexParallelArrays for two arrays.
 */
export function indexKeys(document: Document, index: Index): DocumentKeys {
  const fold = index.collation?.fold ?? null
  const plain = plainRow(document, index.paths)
  if (plain) {
    if (index.sparse && plain.every((value) => value === undefined)) return none
    return { keys: [encodeCompoundKey(plain, index.directions, fold)], arrays: [] }
  }
  const { rows, entered } = keyRows(document, index.paths, parallelArrays)
  const distinct = new Map<string, Buffer>()
  for (const row of rows) {
    if (index.sparse && row.every((value) => value === undefined)) continue
    const key = encodeCompoundKey(row, index.directions, fold)
    distinct.set(key.toString('latin1'), key)
  }
  return {
    keys: [...distinct.values()],
    arrays: index.paths.flatMap((parts, i) => (entered[i] ? (parts[0] ?? '') : []))
  }
}
