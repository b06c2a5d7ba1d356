import { dataFolderAt } from '@batti/embedded-mongo/data-folder'
import { FolderInUse, takeFolder } from '@batti/embedded-mongo/folder-lock'
import { backup as backUpDatabase } from '@batti/embedded-mongo/maintenance/backup'
import { messageOf } from '@batti/kit/message-of'
import { linkTarget, makeFolder } from '@batti/kit/node/folders'
import { existsSync, rmSync, statSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { constants } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { diskRefusal } from '../data/disk-refusal.ts'
import { LaunchError } from '../launch-error.ts'
import { draftOf, writeArchive } from './archive.ts'
import { hasEmbeddedDatabase, keptNames, shownUri, type Installation } from './installation.ts'
import { refuseMoved } from './moved.ts'

/** Matches files that are being written, or were when a process was killed. */
const isUnfinished = (path: string): boolean => /\.(?:part|new)$/.test(path)

/**
 * Backs up an installation to one archive while it runs. Copies the uploads before the database, and new ones as soon as its
 * snapshot is taken: uploads that the snapshot names may be removed while the database is copied.
 * @returns sentences about what the archive contains and what it lacks. @throws LaunchError.
 */
export async function backUp(installation: Installation, file: string, about: { version: string; madeAt: string }) {
  const { data, database, mongodbUri, files } = installation
  if (!existsSync(dirname(file))) throw new LaunchError(`There is no folder ${dirname(file)} to put the archive into.`)
  refuseMoved(data, mongodbUri)
  const isEmbedded = mongodbUri === null && hasEmbeddedDatabase(installation)
  if (!isEmbedded && mongodbUri === null)
    throw new LaunchError(
      `There is no installation in ${data}: name its folder with --data, or its database with MONGODB_URI.`
    )
  // Beside the archive, where there must be room in any case.
  const staging = join(dirname(file), `.${basename(file)}.staging`)
  const release = await holdTarget(file)
  let standDown = (): void => undefined
  try {
    if (existsSync(file)) throw new LaunchError(`${file} exists already; a backup never overwrites a file.`)
    rmSync(staging, { recursive: true, force: true })
    standDown = removeOnSignals([staging, draftOf(file)])
    makeStaging(staging)
    const folder = inodeOf(data)
    // An upload never changes: the second time only new ones are copied.
    // Notes are of this database: with another, the files that they name would be removed.
    const except = ['uploads', 'notes'].map((name) => join(files, name))
    const copyUploads = () => copyIfThere(files, join(staging, 'api'), { force: false, except })
    await copyUploads()
    if (isEmbedded) {
      makeFolder(join(staging, 'db'))
      await backUpDatabase(dataFolderAt(database.folder), join(staging, 'db', 'batti.db'), copyUploads)
    }
    for (const name of keptNames) await copyIfThere(join(data, name), join(staging, name))
    // The keys of one home open nothing in the database of another.
    if (inodeOf(data) !== folder)
      throw new LaunchError(`${data} was replaced during the backup, as a restore does: repeat the backup.`)
    const manifest = await writeArchive(staging, file, { ...about, database: isEmbedded ? 'embedded' : 'elsewhere' })
    return [`Backed up to ${file}: ${manifest.files.length} files.`, ...whatIsMissing(installation)]
  } finally {
    rmSync(staging, { recursive: true, force: true })
    standDown()
    release()
  }
}

const inodeOf = (path: string): bigint | undefined => statSync(path, { bigint: true, throwIfNoEntry: false })?.ino

/** Locks the target: two backups to one file would remove each other's copies. @throws LaunchError. */
async function holdTarget(file: string): Promise<() => void> {
  try {
    // Not the folder that is packed: whoever is refused leaves a file in it.
    return await takeFolder({ folder: draftOf(file) })
  } catch (error) {
    const isTaken = error instanceof FolderInUse
    throw new LaunchError(isTaken ? `Another backup to ${file} is being made.` : messageOf(error))
  }
}

/** @throws LaunchError where nothing can be made, such as in /proc. */
function makeStaging(staging: string): void {
  const folder = dirname(staging)
  try {
    makeFolder(staging)
  } catch (error) {
    throw diskRefusal(error, folder) ?? new LaunchError(`No archive can be put into ${folder} (${messageOf(error)}).`)
  }
}

/** Removes temporary files on a signal: they hold keys, and no later backup reuses their names. Returns the undo function. */
function removeOnSignals(paths: readonly string[]): () => void {
  const signals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
  const end = (signal: (typeof signals)[number]): void => {
    // Retry when a running copy has put another file into the folder.
    for (const path of paths) rmSync(path, { recursive: true, force: true, maxRetries: 5 })
    process.exit(128 + constants.signals[signal])
  }
  for (const signal of signals) process.on(signal, end)
  return () => {
    for (const signal of signals) process.off(signal, end)
  }
}

/** Copies a file or folder, and what links in it lead to, without what is unfinished in it, and without `except`. */
async function copyIfThere(
  from: string,
  to: string,
  { force = true, except = [] }: { force?: boolean; except?: readonly string[] } = {}
): Promise<void> {
  // A link that leads nowhere is reported by the copy: its disk may not be mounted.
  if (!existsSync(from) && linkTarget(from) === null) return
  const filter = (path: string): boolean => path === from || (!except.includes(path) && !isUnfinished(path))
  // A picture may be removed, or a board's memory file replaced, during the copy. Copy again then.
  for (let tried = 0; ; tried += 1) {
    try {
      await cp(from, to, { recursive: true, dereference: true, preserveTimestamps: true, force, filter })
      return
    } catch (error) {
      const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT'
      if (!isGone || tried >= 5) throw error
    }
  }
}

/** Lists data outside the data folder, which the user has to back up separately. */
function whatIsMissing({ mongodbUri, env }: Installation): string[] {
  const missing: string[] = []
  if (mongodbUri !== null) {
    missing.push(
      `The database is not in it: ${shownUri(mongodbUri)} is backed up with its own tools, such as mongodump --uri URI --gzip --archive=FILE.`
    )
  }
  const secrets = ['DATA_KEY', 'JWT_SECRET'].filter((name) => env[name] !== undefined)
  if (secrets.length > 0)
    missing.push(
      `${secrets.join(' and ')} of the environment ${secrets.length > 1 ? 'are' : 'is'} not in it: keep a copy.`
    )
  if (env['MQTT_TLS_KEY_FILE'] !== undefined)
    missing.push('The certificate that MQTT_TLS_CERT_FILE names is not in it: keep a copy.')
  if (env['S3_BUCKET'] !== undefined) missing.push('The uploads in the bucket of S3_BUCKET are not in it.')
  return missing
}
