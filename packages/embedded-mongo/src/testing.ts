import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { freePort } from '@batti/kit/node/ports'
import { MongoMemoryReplSet } from 'mongodb-memory-server'

export interface TestDatabase {
  /** What mongoose connects to. Transactions and change streams work through it. */
  uri: string
  stop(): Promise<void>
}

const ENGINE = join(import.meta.dirname, '../bin/mongod')

/**
 * How mongodb-memory-server starts a database here. Its own choice of a port would be of those that the system hands to
 * whoever connects, and could be taken by then; the ten seconds that it waits are few where several test files run at once.
 */
export const launchOptions = async (): Promise<{ port: number; launchTimeout: number }> => ({
  port: await freePort(),
  launchTimeout: 50_000
})

export interface TestDatabaseOptions {
  /** Expired documents go within a second. Without it none goes: most tests have a clock of their own, which is behind. */
  expires?: boolean
}

const ONE_DAY_S = 86_400

/**
 * A database for one test file. `MONGODB_URI` names one that is running already, `TEST_DB=mongod`
 * takes a downloaded MongoDB (or the binary of `MONGOMS_SYSTEM_BINARY`), else it is the embedded
 * engine. Give each file a database name of its own: `createDatabaseName`.
 */
export async function startTestDatabase({ expires = false }: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { env } = process
  const given = env['MONGODB_URI']
  if (given !== undefined && given !== '') return { uri: given, stop: async () => {} }
  const binary = env['MONGOMS_SYSTEM_BINARY'] ?? (env['TEST_DB'] === 'mongod' ? undefined : ENGINE)
  const set = await MongoMemoryReplSet.create({
    replSet: {
      count: 1,
      storageEngine: 'wiredTiger',
      args: ['--setParameter', `ttlMonitorSleepSecs=${expires ? 1 : ONE_DAY_S}`]
    },
    instanceOpts: [await launchOptions()],
    // The engine answers as MongoDB 8.0; asking for that version keeps the version check quiet.
    binary: { ...(binary === undefined ? {} : { systemBinary: binary }), version: '8.0.4' }
  })
  return {
    uri: set.getUri(),
    stop: async () => {
      await set.stop({ doCleanup: true, force: true })
    }
  }
}

/** A database name that no other test file has. */
export const createDatabaseName = (prefix = 'test'): string => `${prefix}_${randomBytes(6).toString('hex')}`

/** The URI of a named database on the same server. */
export function databaseUri(uri: string, name: string): string {
  const url = new URL(uri.replace(/^mongodb(\+srv)?:/, 'http:'))
  const head = uri.slice(0, uri.indexOf('//') + 2)
  const authority = uri.slice(head.length).split('/')[0] ?? ''
  return `${head}${authority}/${name}${url.search}`
}
