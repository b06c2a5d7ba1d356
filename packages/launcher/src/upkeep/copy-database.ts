import type { Collection, Db, Document } from 'mongodb'
import { LaunchError } from '../launch-error.ts'

const batchSize = 500

export interface CopiedCollection {
  name: string
  count: number
}

/**
 * Copies all documents, then all indexes, so that no TTL index removes documents before they are counted.
 * Removes what it copied when it fails. @throws LaunchError when the target is not empty.
 */
export async function copyDatabase(from: Db, to: Db): Promise<CopiedCollection[]> {
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
    for (const name of names) await to.dropCollection(name).catch(() => false)
    throw error
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
      `${from.collectionName} has ${before} documents, ${copied} were copied, and ${after} arrived: somebody else writes there. Nothing was kept.`
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
