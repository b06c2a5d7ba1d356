import { MongoClient, type Db } from 'mongodb'

/** Over a connection without a deadline: the api gives its database two seconds, and a large batch takes longer. */
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

/** So much is not thrown away in the time that the api gives. */
export const emptyDatabase = (at: { uri: string }): Promise<boolean> =>
  withDatabase(at, (database) => database.dropDatabase())

const batch = 1000

/** Inserts so many rows, made as they are needed. */
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
