import { MongoClient, type Collection, type Db, type Document, type MongoClientOptions } from 'mongodb'
import { afterAll, beforeAll, beforeEach } from 'vitest'
import { createDatabaseName, startTestDatabase, type TestDatabase } from '../../src/testing.ts'

/** The environment of a conformance test file, on the embedded engine or on MongoDB. */
export interface Battery {
  readonly uri: string
  readonly client: MongoClient
  readonly db: Db
  /** A collection that is empty before each test. */
  readonly things: Collection
  connect(options?: MongoClientOptions): Promise<MongoClient>
}

/** Starts the database of this test file and gives each test an empty collection. */
export function startBattery(): Battery {
  let server: TestDatabase
  let client: MongoClient
  let db: Db
  const clients: MongoClient[] = []
  const name = createDatabaseName('battery')

  beforeAll(async () => {
    server = await startTestDatabase({ expires: true })
    client = await MongoClient.connect(server.uri)
    db = client.db(name)
  })
  beforeEach(async () => {
    await db.dropDatabase()
    await db.createCollection('things')
  })
  afterAll(async () => {
    await db?.dropDatabase()
    for (const other of clients) await other.close()
    await client?.close()
    await server?.stop()
  })
  return {
    get uri() {
      return server.uri
    },
    get client() {
      return client
    },
    get db() {
      return db
    },
    get things() {
      return db.collection('things')
    },
    connect: async (options = {}) => {
      const other = await MongoClient.connect(server.uri, options)
      clients.push(other)
      return other
    }
  }
}

/** Returns the error of a promise that must fail. */
export async function errorOf(promise: Promise<unknown>): Promise<Document> {
  try {
    await promise
  } catch (error) {
    return error as Document
  }
  throw new Error('expected an error, got none')
}
