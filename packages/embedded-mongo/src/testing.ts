import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { freePort } from '@batti/kit/node/ports'
import { MongoMemoryReplSet } from 'mongodb-memory-server'

export interface TestDatabase {
  /** The URI for mongoose. Transactions and change streams work with it. */
  uri: string
  stop(): Promise<void>
}

const ENGINE = join(import.meta.dirname, '../bin/mongod')

/**
 * Returns launch options for mongodb-memory-server. By default it would choose an ephemeral port, which another program may
 * take before its use, and would wait ten seconds, which is too short when several test files run at once.
 */
export const launchOptions = async (): Promise<{ port: number; launchTimeout: number }> => ({
  port: await freePort(),
  launchTimeout: 50_000
})

export interface TestDatabaseOptions {
  /** Removes expired documents within a second. Without it none is removed: most tests have their own clock, in the past. */
  expires?: boolean
}

const ONE_DAY_S = 86_400

/**
 * Starts a database for one test file: the running one of `MONGODB_URI`; with `TEST_DB=mongod` a downloaded MongoDB (or
 * the binary of `MONGOMS_SYSTEM_BINARY`); else the embedded engine. Each file needs its own database name, see
 * `createDatabaseName`.
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
    // The engine reports MongoDB 8.0. Requesting that version avoids a warning of the version check.
    binary: { ...(binary === undefined ? {} : { systemBinary: binary }), version: '8.0.4' }
  })
  return {
    uri: set.getUri(),
    stop: async () => {
      await set.stop({ doCleanup: true, force: true })
    }
  }
}

/** Returns a database name that no other test file uses. */
export const createDatabaseName = (prefix = 'test'): string => `${prefix}_${randomBytes(6).toString('hex')}`

/** Returns the URI of a named database on the same server. */
export function databaseUri(uri: string, name: string): string {
  const url = new URL(uri.replace(/^mongodb(\+srv)?:/, 'http:'))
  const head = uri.slice(0, uri.indexOf('//') + 2)
  const authority = uri.slice(head.length).split('/')[0] ?? ''
  return `${head}${authority}/${name}${url.search}`
}
