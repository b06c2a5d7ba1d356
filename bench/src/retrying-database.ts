import { MongoClient, type Db } from 'mongodb'

/** Over a connection without a deadline: the api gives its database two seconds, and a large batch takes longer. */
export async function withRetries<Answer>(
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
  withRetries(at, (database) => database.dropDatabase())
