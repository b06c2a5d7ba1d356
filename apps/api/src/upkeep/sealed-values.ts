import type { Connection } from 'mongoose'
import { commandMax } from '../platform/store/batches/in-batches.ts'
import { pagesOf } from '../platform/store/batches/in-pages.ts'
import type { SecretBox } from '../platform/store/secret-box.ts'

type Database = NonNullable<Connection['db']>

export interface SealedField {
  collection: string
  field: string
  /** Returns what a sealed value is bound to, in addition to its key. */
  context(id: string): string
}

/** Every field that is sealed in the database. A field missing here becomes unreadable when its key is retired. */
export const sealedFields: readonly SealedField[] = [
  { collection: 'devices', field: 'wifiPassword', context: (id) => `device:${id}:wifiPassword` }
]

export interface SealedCounts {
  /** Sealed with today's key. */
  current: number
  /** Sealed with an earlier key that is still known. */
  earlier: number
  /** Readable with no known key. */
  unreadable: number
}

interface SealedValue {
  id: unknown
  text: string
  state: keyof SealedCounts
}

/** Yields every sealed value of a field and its state. Reads in pages, one database call each. */
export async function* sealedValues(database: Database, field: SealedField, box: SecretBox) {
  const { collection, field: name, context } = field
  const pages = pagesOf(commandMax, (after) =>
    database
      .collection(collection)
      .find({ [name]: { $gt: '' }, ...after }, { projection: { [name]: 1 } })
      .sort({ _id: 1 })
      .limit(commandMax)
      .toArray()
  )
  for await (const page of pages) {
    for (const { _id: id, [name]: text } of page) {
      if (typeof text !== 'string') continue
      const isReadable = box.open(text, context(String(id))) !== null
      const state = isReadable ? (box.isCurrent(text) ? 'current' : 'earlier') : 'unreadable'
      yield { id, text, state } satisfies SealedValue
    }
  }
}

/** Counts the sealed values by state. */
export async function countSealed(database: Database, box: SecretBox): Promise<SealedCounts> {
  const counts: SealedCounts = { current: 0, earlier: 0, unreadable: 0 }
  for (const field of sealedFields) for await (const { state } of sealedValues(database, field, box)) counts[state] += 1
  return counts
}
