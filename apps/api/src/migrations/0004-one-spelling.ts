import { isDeepStrictEqual } from 'node:util'
import { inBatches } from '../platform/store/batches/in-batches.ts'
import { pagesOf } from '../platform/store/batches/in-pages.ts'
import type { Migration } from '../platform/store/schema.ts'

/** What people name, by collection. Logs keep what was written at the time. */
const texts: Readonly<Record<string, readonly string[]>> = {
  users: ['name', 'address'],
  rooms: ['roomName'],
  devices: ['deviceName', 'setName', 'labels'],
  switches: ['switchName'],
  schedules: ['label'],
  deviceTypes: ['deviceName', 'description']
}
const pageSize = 1000

const oneSpelling = (value: unknown): unknown => {
  if (typeof value === 'string') return value.normalize('NFC')
  return Array.isArray(value) ? value.map(oneSpelling) : value
}

/**
 * Stores names with accents in the spelling in which they are searched (NFC). Names from before the api normalized them may
 * have the other. Their search keys are made again at the end of the start.
 */
export const namesInOneSpelling: Migration = {
  name: '0004-one-spelling',
  async run(database) {
    for (const [name, fields] of Object.entries(texts)) {
      const rows = database.collection(name)
      const projection = Object.fromEntries(fields.map((field) => [field, 1]))
      const pages = pagesOf(pageSize, (after) =>
        rows.find(after, { projection }).sort({ _id: 1 }).limit(pageSize).toArray()
      )
      for await (const page of pages) {
        const updates = page.flatMap((row) => {
          const wrong = fields.filter((field) => !isDeepStrictEqual(row[field], oneSpelling(row[field])))
          if (wrong.length === 0) return []
          const of = (valueOf: (field: string) => unknown, prefix = '') =>
            Object.fromEntries(wrong.map((field) => [prefix + field, valueOf(field)]))
          // A row that is renamed meanwhile no longer matches; its new name is in one spelling.
          const filter = { _id: row._id, ...of((field) => row[field]) }
          const update = { $set: of((field) => oneSpelling(row[field])), $unset: of(() => '', 'searchKeys.') }
          return [{ updateOne: { filter, update } }]
        })
        for (const batch of inBatches(updates)) await rows.bulkWrite(batch, { ordered: false })
      }
    }
  }
}
