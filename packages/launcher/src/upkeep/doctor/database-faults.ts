import { migrations } from '@batti/api/migrations/migrations'
import { readSchemaVersion } from '@batti/api/platform/store/schema'
import { createSecretBox } from '@batti/api/platform/store/secret-box'
import { missingFiles } from '@batti/api/upkeep/missing-files'
import { countSealed } from '@batti/api/upkeep/sealed-values'
import { socketIn } from '@batti/embedded-mongo/data-folder'
import { answersInside } from '@batti/embedded-mongo/folder-lock'
import { checkFile, isOfOlderVersion } from '@batti/embedded-mongo/maintenance/integrity'
import { checkNothingLeft } from '@batti/embedded-mongo/storage/file/database-file'
import { isRefusedByDisk } from '@batti/embedded-mongo/storage/file/failure'
import { messageOf } from '@batti/kit/message-of'
import type { Db } from 'mongodb'
import { accessSync, constants, existsSync } from 'node:fs'
import { join } from 'node:path'
import { createRunRecord, runningDatabase } from '../../parts/run-record.ts'
import { hasEmbeddedDatabase, shownUri, type Installation } from '../installation.ts'
import { onEmbedded, onMongo } from '../open-database.ts'
import { readOnlyFault, type Fault } from './fault.ts'
import type { Keys } from './key-faults.ts'

/** Finds faults in the database, embedded or not, running or not. */
export async function databaseFaults(installation: Installation, keys: Keys): Promise<Fault[]> {
  const { data, database, mongodbUri } = installation
  const where = mongodbUri === null ? database.file : shownUri(mongodbUri)
  const look = (uri: string) =>
    onMongo(uri, async (client) => [
      ...(await contentFaults(client.db(), where, keys)),
      ...(await fileFaults(client.db(), installation))
    ])
  try {
    if (mongodbUri !== null) return await look(mongodbUri)
    if (!hasEmbeddedDatabase(installation)) {
      checkNothingLeft(database.file)
      return [{ what: 'There is no database', where: database.file, do: nameOrRestore }]
    }
    const damage = await checkFile(database.file)
    if (damage.length > 0)
      return damage.map((what) => ({
        what,
        where,
        do: 'Put the database back from a backup: npm run batti -- restore.'
      }))
    const running = await runningUri(installation)
    if (running !== null) return await look(running)
    // To open it would convert it, and the older version could not go on with it.
    if (await isOfOlderVersion(database.file))
      return [{ what: 'The database was written by an older version of Batti', where, do: startOnce }]
    return await onEmbedded(database.folder, look)
  } catch (error) {
    // SQLite does not say why it cannot open a file for writing.
    const readOnly = readOnlyFault(error, data) ?? readOnlyFault(writeRefusal(database.folder), data)
    if (readOnly !== null) return [readOnly]
    const what = messageOf(error).replace(/\.$/, '')
    if (isRefusedByDisk(error)) return [{ what, where, do: makeRoom }]
    return [{ what, where, do: 'See that the database runs, or put it back from a backup: npm run batti -- restore.' }]
  }
}

const nameOrRestore =
  'Name the data folder of an installation with --data, or its database with MONGODB_URI. If one was here, put it back from a backup: npm run batti -- restore.'
const startOnce =
  'Its file is sound; what is in it was not checked. Back it up, start this version, which converts it, and run doctor again.'
const makeRoom =
  'Make room on the disk: nothing has to be repaired. If it has room, it is failing: copy the data folder to another one.'

/** Returns the error of the system with which it would refuse to write to `path`; null when it would not. */
function writeRefusal(path: string): unknown {
  try {
    accessSync(path, constants.W_OK)
    return null
  } catch (error) {
    return error
  }
}

/** Returns the address of a running database, also of one in another container, where its launcher is not visible. */
async function runningUri({ data, database }: Installation): Promise<string | null> {
  if (createRunRecord(data, process.pid).runningLauncher() !== null) return runningDatabase(data)
  if (!(await answersInside(database.folder))) return null
  return `mongodb://${encodeURIComponent(socketIn(database.folder))}/batti?directConnection=true`
}

async function contentFaults(db: Db, where: string, keys: Keys): Promise<Fault[]> {
  const version = await readSchemaVersion(db)
  const { current, previous } = keys
  return [
    ...(version <= migrations.length
      ? []
      : [
          {
            what: `The database has schema ${version} of a newer Batti; this one knows up to ${migrations.length}`,
            where,
            do: 'Start the newer version, or restore a backup from before it.'
          }
        ]),
    ...(current === null ? [] : await sealFaults(db, where, { current, previous }))
  ]
}

/** Compares the uploads with the database. Those of a bucket, or of another machine with the same MongoDB, are not here. */
async function fileFaults(db: Db, { files, mongodbUri, env }: Installation): Promise<Fault[]> {
  const folder = join(files, 'files')
  if (env['S3_BUCKET'] !== undefined || (mongodbUri !== null && !existsSync(folder))) return []
  const missing = await missingFiles(db, folder)
  const [first] = missing
  if (first === undefined) return []
  return [
    {
      what: `${missing.length === 1 ? 'A firmware file or picture' : `${missing.length} firmware files and pictures`} of the database cannot be found`,
      where: first,
      do: `Put ${folder} back from a backup. Without one, delete the firmware file on its page, or replace the picture.`
    }
  ]
}

async function sealFaults(db: Db, where: string, keys: { current: string; previous: string | undefined }) {
  const { current, previous } = keys
  const counts = await countSealed(db, createSecretBox({ key: current, previousKeys: previous }))
  const faults: Fault[] = []
  const sealed = counts.current + counts.earlier + counts.unreadable
  if (counts.unreadable === sealed && sealed > 0)
    faults.push({
      what: `DATA_KEY opens none of the ${sealed} sealed values`,
      where,
      do: 'It is the key of another installation: put the right secrets.json or DATA_KEY back from a backup.'
    })
  else if (counts.unreadable > 0)
    faults.push({
      what: `${counts.unreadable} of ${sealed} sealed values can be opened by no key`,
      where,
      do: 'Add the key that sealed them to DATA_KEY_PREVIOUS, or type those Wi-Fi passwords anew on the pages of their boards.'
    })
  if (counts.earlier > 0)
    faults.push({
      what: `${counts.earlier} of ${sealed} values are still sealed with an earlier key`,
      where,
      do: 'Keep DATA_KEY_PREVIOUS and start Batti: they are sealed anew within a minute.'
    })
  else if (previous !== undefined && counts.unreadable === 0)
    faults.push({
      what: 'DATA_KEY_PREVIOUS opens nothing any more',
      where: 'DATA_KEY_PREVIOUS',
      do: 'Everything is sealed with DATA_KEY: remove it.'
    })
  return faults
}
