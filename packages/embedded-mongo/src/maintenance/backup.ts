import { syncFolder, syncPath } from '@batti/kit/node/durable-file'
import { closeSync, copyFileSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup as copyDatabase } from 'node:sqlite'
import type { DataFolder } from '../data-folder.ts'
import { takeFolder } from '../folder-lock.ts'
import { checkFile } from './integrity.ts'
import { withSnapshot } from './snapshot.ts'

/** Pages that are copied in one turn of the event loop. */
const PAGES_PER_STEP = 100

/**
 * Copies a consistent snapshot of the database to `target` while it is in use. Checks the copy before it gets its name.
 * Never overwrites an existing file.
 */
export async function backup(folder: DataFolder, target: string): Promise<void> {
  if (existsSync(target)) throw new Error(`${target} exists already; a backup never overwrites a file.`)
  const partial = `${target}.partial`
  rmSync(partial, { force: true })
  try {
    // Create the file first, for its owner only: the copy must be as private as the data folder.
    closeSync(openSync(partial, 'wx', 0o600))
    // The open read transaction keeps the snapshot: pages written meanwhile are not copied.
    await withSnapshot(folder.file, ({ connection }) =>
      copyDatabase(connection.database, partial, { rate: PAGES_PER_STEP })
    )
    const faults = await checkFile(partial)
    if (faults.length > 0) throw new Error(`The backup is not sound: ${faults[0] ?? ''}`)
    syncPath(partial)
    renameSync(partial, target)
    syncFolder(dirname(target))
  } finally {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(partial + suffix, { force: true })
  }
}

/**
 * Replaces the database with a backup. The server must be stopped. The old file is kept beside it. Returns the new name of
 * the old file; null when there was none.
 */
export async function restore(folder: DataFolder, source: string, stamp: string): Promise<string | null> {
  if (!existsSync(source)) throw new Error(`There is no backup at ${source}.`)
  const release = await takeFolder(folder)
  try {
    const faults = await checkFile(source)
    if (faults.length > 0) throw new Error(`The backup is not sound: ${faults[0] ?? ''}`)
    const fresh = `${folder.file}.restoring`
    copyFileSync(source, fresh)
    syncPath(fresh)
    const kept = existsSync(folder.file) ? `${folder.file}.before-restore-${stamp}` : null
    if (kept !== null) {
      for (const suffix of ['-wal', '-shm', ''])
        if (existsSync(folder.file + suffix)) renameSync(folder.file + suffix, kept + suffix)
    }
    renameSync(fresh, folder.file)
    syncFolder(folder.folder)
    return kept
  } finally {
    release()
  }
}
