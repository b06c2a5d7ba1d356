import { Types, type Connection } from 'mongoose'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { storageKeyOf } from '../features/firmware/upload-image.ts'
import { imageUrlOf } from '../platform/http/uploads/files-page.ts'
import { commandMax } from '../platform/store/batches/in-batches.ts'
import { pagesOf } from '../platform/store/batches/in-pages.ts'
import { isFileKey } from '../platform/store/files/files.ts'

type Database = NonNullable<Connection['db']>

/**
 * The records that have an uploaded file, its key, and what names a key. A picture is stored as a key or a URL, or was never
 * uploaded.
 */
const holders = [
  { collection: 'firmwareFiles', field: '_id', keyOf: storageKeyOf, nameOf: fileIdOf },
  { collection: 'users', field: 'imageKey', keyOf: pictureKeyOf, nameOf: (key: string) => key },
  { collection: 'deviceTypes', field: 'deviceImage', keyOf: pictureKeyOf, nameOf: imageUrlOf }
] as const

/** Returns the id in `firmware/ID.bin`; null for other keys. */
function fileIdOf(key: string): Types.ObjectId | null {
  const id = /^firmware\/([0-9a-f]{24})\.bin$/.exec(key)?.[1]
  return id === undefined ? null : new Types.ObjectId(id)
}

/** Returns whether any record has the file. */
export async function isFileNamed(database: Database, key: string): Promise<boolean> {
  for (const { collection, field, nameOf } of holders) {
    const name = nameOf(key)
    const filter = { [field]: name }
    if (name !== null && (await database.collection(collection).findOne(filter, { projection: { _id: 1 } })) !== null)
      return true
  }
  return false
}

function pictureKeyOf(image: string): string {
  return image.slice(image.indexOf('images/'))
}

/** Returns the paths of the uploaded files that the database names and `folder` lacks. */
export async function missingFiles(database: Database, folder: string): Promise<string[]> {
  const missing: string[] = []
  for (const { collection, field, keyOf } of holders) {
    const records = database.collection(collection)
    const pages = pagesOf(commandMax, (after) =>
      records
        .find({ $and: [{ [field]: { $ne: null } }, after] }, { projection: { [field]: 1 } })
        .sort({ _id: 1 })
        .limit(commandMax)
        .toArray()
    )
    for await (const page of pages)
      for (const record of page) {
        const value: unknown = record[field]
        const key = keyOf(String(value))
        const path = join(folder, key)
        if (!isFileKey(key) || existsSync(path)) continue
        // It may have been removed with its record in the meantime.
        const isNamed = (await records.findOne({ _id: record._id, [field]: value })) !== null
        if (isNamed) missing.push(path)
      }
  }
  return missing
}
