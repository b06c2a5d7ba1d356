import { MongoClient, type Db } from 'mongodb'

/** Runs `work` on a connection without a time-out. The api's time-out of two seconds is too short for a large batch. */
export async function withDatabase<Answer>(
  { uri }: { uri: string },
  work: (database: Db) => Promise<Answer>
): Promise<Answer> {
  const client = new MongoClient(uri)
  try {
    return await work(client.db())
  } finally {
    await client.close()
  }
}

/** Drops the database, which takes longer than the api's time-out. */
export const emptyDatabase = (at: { uri: string }): Promise<boolean> =>
  withDatabase(at, (database) => database.dropDatabase())

const batch = 1000

/** Inserts `count` rows, which are created on demand. */
export async function insertRows(
  database: Db,
  collection: string,
  count: number,
  rowOf: (index: number) => Record<string, unknown>
): Promise<void> {
  for (let from = 0; from < count; from += batch) {
    const rows = Array.from({ length: Math.min(batch, count - from) }, (_, at) => rowOf(from + at))
    await database.collection(collection).insertMany(rows)
  }
}
