import { randomUUID } from 'node:crypto'
import type { Connection } from 'mongoose'
import type { Logger } from 'pino'
import { sleep, systemClock } from '@batti/kit/clock'
import { clocksApartMs } from '../clocks-apart.ts'

export type Database = NonNullable<Connection['db']>

/**
 * One step from one schema version to the next. It must be repeatable, because a process may have died in the middle of
 * it. An empty database passes through all steps.
 */
export interface Migration {
  /** Never changed after its release. */
  name: string
  run(database: Database, now: Date): Promise<void>
}

/** The only document of the collection `schema`. */
interface SchemaDocument {
  _id: 'schema'
  /** How many migrations have run. */
  version: number
  ran: { name: string; at: Date }[]
  /** Held by the process that runs a migration. */
  lock?: { by: string; until: Date }
}

const only = { _id: 'schema' } as const
/** The lock of a process that died expires after this long. */
const lockMs = 20_000
const renewMs = 5000
const lookAgainMs = 250

const schemaOf = (database: Database) => database.collection<SchemaDocument>('schema')

/** Returns the schema version of a database; 0 if none is recorded yet. */
export async function readSchemaVersion(database: Database): Promise<number> {
  return (await schemaOf(database).findOne(only))?.version ?? 0
}

/**
 * Migrates a database to this program's schema: each migration once, in order, by one process at a time; others wait for
 * it. @throws Error, in one sentence, if a newer program has migrated it further.
 */
export async function migrate(deps: { database: Database; migrations: readonly Migration[]; log: Logger }) {
  const { database, migrations, log } = deps
  const schema = schemaOf(database)
  const by = randomUUID()
  // Two processes may start at once on an empty database: one of them finds the document already created.
  await schema
    .updateOne(only, { $setOnInsert: { version: 0, ran: [] } }, { upsert: true })
    .catch(async (error: unknown) => {
      if ((await schema.findOne(only)) === null) throw error
    })
  for (;;) {
    const version = await readSchemaVersion(database)
    if (version > migrations.length)
      throw new Error(
        `the database has schema ${version} of a newer Batti, and this one knows up to ${migrations.length}: start the newer version, or restore a backup from before.`
      )
    if (version === migrations.length) return
    if (await takeLock()) await runLocked()
    else await sleep(systemClock, lookAgainMs)
  }

  /** Runs what is left. Ends earlier where another process has taken the lock, as from one that stood still for too long. */
  async function runLocked(): Promise<void> {
    const renewal = setInterval(() => void takeLock().catch(() => false), renewMs)
    try {
      while (await runNext());
    } finally {
      clearInterval(renewal)
      await schema.updateOne({ ...only, 'lock.by': by }, { $unset: { lock: '' } })
    }
  }

  /** Returns whether it has run one. */
  async function runNext(): Promise<boolean> {
    const version = await readSchemaVersion(database)
    const next = migrations[version]
    if (next === undefined) return false
    const at = new Date(systemClock.now())
    await next.run(database, at)
    const ran = { name: next.name, at }
    const { matchedCount } = await schema.updateOne(
      { ...only, version, 'lock.by': by },
      { $set: { version: version + 1 }, $push: { ran } }
    )
    if (matchedCount === 0) return false
    log.info({ migration: next.name, version: version + 1 }, 'the database was migrated')
    return true
  }

  async function takeLock(): Promise<boolean> {
    const now = systemClock.now()
    // A lock that is held for longer was taken by a clock that was ahead.
    const isOver = [{ $lt: new Date(now) }, { $gt: new Date(now + lockMs + clocksApartMs) }]
    const isFree = [
      { lock: { $exists: false } },
      { 'lock.by': by },
      ...isOver.map((until) => ({ 'lock.until': until }))
    ]
    const { matchedCount } = await schema.updateOne(
      { ...only, $or: isFree },
      { $set: { lock: { by, until: new Date(now + lockMs) } } }
    )
    return matchedCount === 1
  }
}
