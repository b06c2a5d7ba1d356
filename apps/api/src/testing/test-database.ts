import { createDatabaseName, databaseUri, startTestDatabase } from '@batti/embedded-mongo/testing'
import { connectDatabase } from '../platform/store/database.ts'
import { testDatabaseTimeoutMs } from './database-timeout.ts'

/** One engine serves all apps of a test file, because starting one for each would take most of the time. */
let shared: ReturnType<typeof startTestDatabase> | undefined
let users = 0

export interface TestDatabase {
  uri: string
  leave(): Promise<void>
}

export async function takeDatabase(): Promise<TestDatabase> {
  users += 1
  shared ??= startTestDatabase()
  const { uri } = await shared
  return {
    uri: databaseUri(uri, createDatabaseName('api')),
    async leave() {
      users -= 1
      if (users > 0) return
      const last = shared
      shared = undefined
      await (await last)?.stop()
    }
  }
}

/** Connects to a database of its own, as an api under test does. A `beforeAll` that returns `close` needs no `afterAll`. */
export async function connectTestDatabase(options = '') {
  const { uri, leave } = await takeDatabase()
  const connection = await connectDatabase(`${uri}${options}`, { deadlineMs: testDatabaseTimeoutMs })
  const close = async (): Promise<void> => {
    await connection.dropDatabase()
    await connection.close()
    await leave()
  }
  return { uri, connection, close }
}
