import { messageOf } from '@batti/kit/message-of'
import type { Collection, Db, Document } from 'mongodb'
import { LaunchError } from '../launch-error.ts'

const batchSize = 500

export interface CopiedCollection {
  name: string
  count: number
}

/**
 * Copies all documents, then all indexes, so that no TTL index removes documents before they are counted.
 * Removes what it copied when it fails. @throws LaunchError when the target, which `where` names to people, is not empty, or
 * when something cannot be copied.
 */
export async function copyDatabase(from: Db, to: Db, where: string): Promise<CopiedCollection[]> {
  const names = (await from.listCollections({ type: 'collection' }, { nameOnly: true }).toArray())
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('system.'))
    .toSorted()
  await refuseUsed(to, names)
  try {
    const copied: CopiedCollection[] = []
    for (const name of names) {
      const count = await copyDocuments(from.collection(name), to.collection(name))
      copied.push({ name, count })
    }
    for (const { name, count } of copied) await compare(from.collection(name), to.collection(name), count)
    for (const name of names) await copyIndexes(from.collection(name), to, name)
    return copied
  } catch (error) {
    const left = (await drop(names, to)) ? 'Nothing was kept there' : 'Drop what is there before the next try'
    throw new LaunchError(
      `Not everything could be copied to ${where}: ${messageOf(error).replace(/\.$/, '')}. ${left}.`
    )
  }
}

/** Returns false when the database refuses it, as on a full disk, or has gone. */
async function drop(names: readonly string[], to: Db): Promise<boolean> {
  try {
    for (const name of names) await to.dropCollection(name)
    return true
  } catch {
    return false
  }
}

async function refuseUsed(to: Db, names: readonly string[]): Promise<void> {
  for (const name of names) {
    if ((await to.collection(name).findOne({}, { projection: { _id: 1 } })) !== null)
      throw new LaunchError(
        `The database ${to.databaseName} there is not empty (${name}): choose another name, or drop it first. Nothing was changed.`
      )
  }
}

async function copyDocuments(from: Collection, to: Collection): Promise<number> {
  let count = 0
  let batch: Document[] = []
  const write = async (): Promise<void> => {
    if (batch.length === 0) return
    const { insertedCount } = await to.insertMany(batch, { ordered: true, writeConcern: { w: 'majority' } })
    count += insertedCount
    batch = []
  }
  // Keep the type of each number: 1 and 1.0 differ in BSON.
  for await (const document of from.find({}, { promoteValues: false, bsonRegExp: true, batchSize })) {
    batch.push(document)
    if (batch.length >= batchSize) await write()
  }
  await write()
  return count
}

async function compare(from: Collection, to: Collection, copied: number): Promise<void> {
  const [before, after] = [await from.countDocuments({}), await to.countDocuments({})]
  if (before !== copied || after !== copied)
    throw new LaunchError(
      `${from.collectionName} has ${before} documents, ${copied} were copied, and ${after} arrived: somebody else writes there`
    )
}

async function copyIndexes(from: Collection, to: Db, name: string): Promise<void> {
  const indexes = (await from.indexes()).filter((index) => index['name'] !== '_id_')
  if (indexes.length === 0) {
    await to.createCollection(name).catch(() => undefined)
    return
  }
  await to.command({ createIndexes: name, indexes: indexes.map(({ v: _version, ns: _namespace, ...index }) => index) })
}
