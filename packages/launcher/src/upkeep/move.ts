import { existsSync, renameSync, rmSync } from 'node:fs'
import { LaunchError } from '../launch-error.ts'
import { createRunRecord } from '../parts/run-record.ts'
import { copyDatabase, type CopiedCollection } from './copy-database.ts'
import { hasEmbeddedDatabase, shownUri, type Installation } from './installation.ts'
import { forgetMove, movingName, noteMove, refuseSecondMove } from './moved.ts'
import { onEmbedded, onMongo } from './open-database.ts'

/** The database name in the embedded engine, and for a URI without one. */
const usualName = 'batti'

/**
 * Copies the embedded database of a stopped installation to `uri`, and keeps the embedded one.
 * @returns sentences about what was done. @throws LaunchError.
 */
export async function moveTo(installation: Installation, uri: string, movedAt: string): Promise<string[]> {
  const { data, database } = installation
  const named = withDatabaseName(uri)
  const release = holdStopped(data)
  let copied: CopiedCollection[]
  try {
    if (!hasEmbeddedDatabase(installation)) throw new LaunchError(`There is no embedded database in ${data}.`)
    refuseSecondMove(data)
    copied = await onEmbedded(database.folder, (source) =>
      onMongo(source, (from) => onMongo(named, (to) => copyDatabase(from.db(usualName), to.db(), shownUri(named))))
    )
    noteMove(data, shownUri(named), movedAt)
  } finally {
    release()
  }
  return [
    ...counted(copied),
    `Moved to ${shownUri(named)}. Start with MONGODB_URI set to it from now on:`,
    `  MONGODB_URI='${shownUri(named)}' npm start -- --data ${data}`,
    'The way back: npm run batti -- move back, with MONGODB_URI set, brings along what has changed since. The embedded',
    'database keeps what was in it, in the format of this version: without moved.json, a start of this version without',
    'MONGODB_URI goes on with it as it was.'
  ]
}

/** Copies the MongoDB of `MONGODB_URI` into the embedded engine. Keeps the previous embedded file. */
export async function moveBack(installation: Installation, stamp: string): Promise<string[]> {
  const { data, database, mongodbUri } = installation
  if (mongodbUri === null) throw new LaunchError('Set MONGODB_URI to the database that is to be moved back.')
  const kept = existsSync(database.folder) ? `${database.folder}.before-move-${stamp}` : null
  const fresh = movingName(database.folder)
  const release = holdStopped(data)
  try {
    rmSync(fresh, { recursive: true, force: true })
    const copied = await onMongo(withDatabaseName(mongodbUri), (from) =>
      onEmbedded(fresh, (target) => onMongo(target, (to) => copyDatabase(from.db(), to.db(usualName), data)))
    )
    // If this ends between the two renames, a start refuses instead of beginning with nothing.
    noteMove(data, shownUri(withDatabaseName(mongodbUri)), stamp)
    if (kept !== null) renameSync(database.folder, kept)
    renameSync(fresh, database.folder)
    forgetMove(data)
    return [
      ...counted(copied),
      `Moved back into ${data}. Start without MONGODB_URI from now on.`,
      ...(kept === null ? [] : [`The embedded database that was there is kept as ${kept}.`])
    ]
  } finally {
    rmSync(fresh, { recursive: true, force: true })
    release()
  }
}

const counted = (copied: readonly CopiedCollection[]): string[] => [
  ...copied.filter(({ count }) => count > 0).map(({ name, count }) => `${name}: ${count}`),
  `${copied.reduce((sum, { count }) => sum + count, 0)} documents, as many there as here.`
]

const holdStopped = (data: string): (() => void) => createRunRecord(data, process.pid).holdStopped()

/** Adds the database name to a URI without one, for which the driver would use `test`. */
function withDatabaseName(uri: string): string {
  const parts = /^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/([^?]*))?(\?.*)?$/.exec(uri)
  if (parts === null) throw new LaunchError(`${shownUri(uri)} is no URI of a database: it begins with mongodb://.`)
  const [, authority = '', name = '', query = ''] = parts
  return `${authority}/${name === '' ? usualName : name}${query}`
}
