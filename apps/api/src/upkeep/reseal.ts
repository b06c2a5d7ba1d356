import type { Connection, mongo } from 'mongoose'
import type { Feature } from '../platform/feature.ts'
import type { Platform } from '../platform/platform.ts'
import { createSecretBox, type SecretBox } from '../platform/store/secret-box.ts'
import { sealedFields, sealedValues, type SealedField } from './sealed-values.ts'

type Database = NonNullable<Connection['db']>

const batchSize = 200

/**
 * Reseals every value that was sealed with an earlier key, so that the key can be retired. A value that changes meanwhile
 * is left alone, because it is already sealed with today's key.
 */
async function resealAll(database: Database, box: SecretBox, signal: AbortSignal) {
  const counts = { resealed: 0, unreadable: 0 }
  for (const field of sealedFields) {
    const { resealed, unreadable } = await resealField({ database, box, signal }, field)
    counts.resealed += resealed
    counts.unreadable += unreadable
  }
  return counts
}

async function resealField(deps: { database: Database; box: SecretBox; signal: AbortSignal }, sealed: SealedField) {
  const { database, box, signal } = deps
  const { collection, field, context } = sealed
  const counts = { resealed: 0, unreadable: 0 }
  let batch: mongo.AnyBulkWriteOperation[] = []
  const write = async (): Promise<void> => {
    if (batch.length > 0) counts.resealed += (await database.collection(collection).bulkWrite(batch)).modifiedCount
    batch = []
  }
  for await (const { id, text, state } of sealedValues(database, sealed, box)) {
    if (signal.aborted) break
    if (state === 'unreadable') counts.unreadable += 1
    const plain = state === 'earlier' ? box.open(text, context(String(id))) : null
    if (plain === null) continue
    const fresh = box.seal(plain, context(String(id)))
    batch.push({ updateOne: { filter: { _id: id, [field]: text }, update: { $set: { [field]: fresh } } } })
    if (batch.length >= batchSize) await write()
  }
  await write()
  return counts
}

/** Checks all sealed values once after each start, in the background. */
export function createResealing({ config, connection, log }: Pick<Platform, 'config' | 'connection' | 'log'>) {
  const { DATA_KEY: key, DATA_KEY_PREVIOUS: previousKeys } = config
  const stopping = new AbortController()
  let running: Promise<void> = Promise.resolve()

  async function run(): Promise<void> {
    const database = connection.db
    if (database === undefined) return
    try {
      const { resealed, unreadable } = await resealAll(
        database,
        createSecretBox({ key, previousKeys }),
        stopping.signal
      )
      if (previousKeys !== undefined)
        log.info({ resealed, unreadable }, 'values sealed with an earlier key were sealed again')
      if (unreadable > 0)
        log.error(
          { unreadable },
          'sealed values can be opened by no key: add the one that sealed them to DATA_KEY_PREVIOUS, or have those Wi-Fi passwords typed anew'
        )
    } catch (error) {
      log.error({ err: error }, 'sealed values could not be checked; the next start tries again')
    }
  }

  return {
    start() {
      running = run()
    },
    async stop() {
      stopping.abort()
      await running
    }
  } satisfies Feature
}
