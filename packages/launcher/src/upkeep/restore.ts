import { migrations } from '@batti/api/migrations/migrations'
import { FolderInUse, takeFolder } from '@batti/embedded-mongo/folder-lock'
import { checkFile } from '@batti/embedded-mongo/maintenance/integrity'
import { firstDocument } from '@batti/embedded-mongo/maintenance/snapshot'
import { messageOf } from '@batti/kit/message-of'
import { syncFolder, syncTree } from '@batti/kit/node/durable-file'
import { makeFolder } from '@batti/kit/node/folders'
import { existsSync, lchownSync, readdirSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { LaunchError } from '../launch-error.ts'
import { createRunRecord } from '../parts/run-record.ts'
import { readArchive } from './archive.ts'
import { faultOfHalfRestore, keptName, newestKept, restoringName } from './half-restored.ts'
import type { Installation } from './installation.ts'
import { manifestName } from './manifest.ts'

/**
 * Replaces the data folder with an archive, which is first unpacked and checked beside it. The old folder is kept under
 * another name.
 * @returns sentences about what was done. @throws LaunchError.
 */
export async function restore(installation: Installation, file: string, stamp: string): Promise<string[]> {
  const { data, database } = installation
  if (!existsSync(file)) throw new LaunchError(`There is no archive at ${file}.`)
  const release = await holdStopped(installation)
  const staging = restoringName(data)
  // The folder tells a start that an earlier restore was interrupted. It stays until one has succeeded.
  let isStagingKept = faultOfHalfRestore(data) !== null
  rmSync(staging, { recursive: true, force: true })
  try {
    makeFolder(staging)
    const manifest = await readArchive(file, staging)
    if (manifest.database === 'embedded') {
      const faults = await checkFile(join(staging, 'db', 'batti.db'), file)
      if (faults.length > 0)
        throw new LaunchError(`The database in ${file} is not sound: ${faults[0] ?? ''}. Nothing was changed.`)
      const schema = Number((await firstDocument(join(staging, 'db', 'batti.db'), 'batti.schema'))?.['version'] ?? 0)
      if (schema > migrations.length)
        throw new LaunchError(
          `The database in ${file} has schema ${schema} of a newer Batti (${manifest.version}), and this one knows up to ${migrations.length}: restore it with the newer version. Nothing was changed.`
        )
    }
    rmSync(join(staging, manifestName))
    // An interrupted restore has renamed the folder.
    changeOwner(staging, existsSync(data) ? data : (newestKept(data) ?? dirname(data)))
    syncTree(staging)
    const kept = putInPlace(staging, data, keptName(data, stamp))
    isStagingKept = false
    syncFolder(dirname(data))
    return [
      `Restored ${data} from ${file}, which was made ${manifest.madeAt} by version ${manifest.version}.`,
      ...(kept === null ? [] : [`The folder that was there is kept as ${kept}.`]),
      ...(manifest.database === 'embedded'
        ? []
        : ['The database was not in it: restore MongoDB with its own tools, such as mongorestore.']),
      ...(installation.env['DATA_DIR'] === undefined
        ? []
        : [`Its uploads are in ${join(data, 'api')}: copy them to ${installation.files}, which DATA_DIR names.`])
    ]
  } finally {
    if (!isStagingKept) rmSync(staging, { recursive: true, force: true })
    release()
  }

  /** Locks the folder against a start in the meantime. @throws LaunchError when it is in use. */
  async function holdStopped({ data: folder }: Installation): Promise<() => void> {
    const unlock = createRunRecord(folder, process.pid).holdStopped()
    try {
      const releaseDatabase = await takeFolder({ folder: database.folder })
      return () => {
        releaseDatabase()
        unlock()
      }
    } catch (error) {
      unlock()
      const isRunning = error instanceof FolderInUse
      throw new LaunchError(
        isRunning ? `The database of ${folder} is running: stop it, and try again.` : messageOf(error)
      )
    }
  }
}

/** Gives files that root restores to the owner of `ownerOf`, who could not use root's files. Only root can do that. */
function changeOwner(folder: string, ownerOf: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(ownerOf)
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  for (const path of [folder, ...entries.map((name) => join(folder, name))]) lchownSync(path, uid, gid)
}

/** Moves the restored folder into place. Returns the new path of the old folder; null when there was nothing to keep. */
function putInPlace(fresh: string, data: string, keptAs: string): string | null {
  try {
    return swap(fresh, data, keptAs)
  } catch (error) {
    const isMount = process.platform !== 'win32' && error instanceof Error && 'code' in error && error.code === 'EBUSY'
    if (!isMount) throw error
    throw new LaunchError(
      `${data} is a mount point, which cannot be renamed: restore to a folder in it with --data, and start with that. Nothing was changed.`
    )
  }
}

function swap(fresh: string, data: string, keptAs: string): string | null {
  if (!existsSync(data)) {
    renameSync(fresh, data)
    return null
  }
  if (readdirSync(data).length === 0) {
    rmdirSync(data)
    renameSync(fresh, data)
    return null
  }
  renameSync(data, keptAs)
  try {
    renameSync(fresh, data)
  } catch (error) {
    renameSync(keptAs, data)
    throw error
  }
  return keptAs
}
