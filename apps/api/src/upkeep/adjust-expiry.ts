import type { Connection } from 'mongoose'
import type { Logger } from 'pino'

/**
 * Applies today's expiry settings to existing indexes: an index keeps the expiry that it was created with, and recreating
 * it with another one is refused.
 */
export async function adjustExpiry(connection: Connection, log: Logger): Promise<void> {
  const database = connection.db
  if (database === undefined) return
  const existing = new Set((await database.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name))
  for (const model of Object.values(connection.models)) {
    const collection = model.collection.collectionName
    const expiring = model.schema
      .indexes()
      .flatMap(([keys, { expireAfterSeconds }]) =>
        typeof expireAfterSeconds === 'number' ? [{ keyPattern: { ...keys }, expireAfterSeconds }] : []
      )
    if (expiring.length === 0 || !existing.has(collection)) continue
    const there = await database.collection(collection).indexes()
    for (const { keyPattern, expireAfterSeconds } of expiring) {
      const found = there.find(
        (index) =>
          index['expireAfterSeconds'] !== undefined && JSON.stringify(index['key']) === JSON.stringify(keyPattern)
      )
      if (found === undefined || Number(found['expireAfterSeconds']) === expireAfterSeconds) continue
      await database.command({ collMod: collection, index: { keyPattern, expireAfterSeconds } })
      log.info(
        { collection, before: Number(found['expireAfterSeconds']), now: expireAfterSeconds },
        'rows of this collection expire after another time'
      )
    }
  }
}
