import { syncFolder, syncPath } from '@batti/kit/node/durable-file'
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  openSync,
  renameSync,
  rmSync
} from 'node:fs'
import { dirname } from 'node:path'
import { backup as copyDatabase } from 'node:sqlite'
import type { DataFolder } from '../data-folder.ts'
import { takeFolder } from '../folder-lock.ts'
import { openConnection } from '../storage/file/connection.ts'
import { checkHeader, restoringName } from '../storage/file/database-file.ts'
import { isRefusedByDisk, sqliteFailure } from '../storage/file/failure.ts'
import { checkFile } from './integrity.ts'
import { withSnapshot } from './snapshot.ts'

/** Pages that are copied in one turn of the event loop. */
const PAGES_PER_STEP = 100

/**
 * Copies a consistent snapshot of the database to `target` while it is in use. Checks the copy before it gets its name.
 * Never overwrites an existing file. `atSnapshot` runs between taking the snapshot and copying it. It does not run where no
 * server can be writing: on a read-only disk, or on a full one while the server is stopped.
 */
export async function backup(
  folder: DataFolder,
  target: string,
  atSnapshot: () => Promise<void> = () => Promise.resolve()
): Promise<void> {
  if (existsSync(target)) throw new Error(`${target} exists already; a backup never overwrites a file.`)
  const partial = `${target}.partial`
  await putCopy({
    source: folder.file,
    copy: partial,
    fill: () =>
      isReadOnly(folder.folder) ? copyStopped(folder.file, partial) : copyInUse(folder, partial, atSnapshot),
    put: () => renameSync(partial, target)
  })
}

/**
 * Replaces the database with a backup. The server must be stopped. The old file is kept beside it. Returns the new name of
 * the old file; null when there was none.
 */
export async function restore(folder: DataFolder, source: string, stamp: string): Promise<string | null> {
  if (!existsSync(source)) throw new Error(`There is no backup at ${source}.`)
  const release = await takeFolder(folder)
  try {
    const { file } = folder
    const fresh = restoringName(file)
    const old = ['', '-wal', '-shm'].filter((suffix) => existsSync(file + suffix))
    const kept = `${file}.before-restore-${stamp}`
    await putCopy({
      source,
      copy: fresh,
      fill: () => copyStopped(source, fresh),
      put: () => {
        // The file first: a start refuses a log without its file, but would accept the file without its log.
        for (const suffix of old) renameSync(file + suffix, kept + suffix)
        renameSync(fresh, file)
      }
    })
    return old.includes('') ? kept : null
  } finally {
    release()
  }
}

interface Copy {
  source: string
  /** A temporary name, which nothing keeps. */
  copy: string
  fill(): Promise<unknown>
  /** Gives the copy its name. */
  put(): void
}

/** Makes a copy of a database, and puts it in place if it is sound. */
async function putCopy({ source, copy, fill, put }: Copy): Promise<void> {
  const remove = (): void => {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(copy + suffix, { force: true })
  }
  remove()
  try {
    // Create the file first, for its owner only: the copy must be as private as the data folder.
    closeSync(openSync(copy, 'wx', 0o600))
    await fill()
    const faults = await checkFile(copy, source)
    if (faults.length > 0) throw new Error(`The backup is not sound: ${faults[0] ?? ''}`)
    syncPath(copy)
    put()
    syncFolder(dirname(copy))
  } finally {
    remove()
  }
}

/** Whether the folder is on a read-only disk, where no server writes. Linux mounts a failing SD card like that. */
function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EROFS'
  }
}

/** Copies a database with its log. The open read transaction keeps the snapshot: pages written meanwhile are not copied. */
const copySnapshot = (source: string, copy: string, atSnapshot?: () => Promise<void>): Promise<number> =>
  withSnapshot(source, async ({ connection }) => {
    await atSnapshot?.()
    return copyDatabase(connection.database, copy, { rate: PAGES_PER_STEP })
  })

/** Copies a database that a server may be using. A full disk has no room for what a snapshot puts beside one that is not used. */
async function copyInUse(folder: DataFolder, copy: string, atSnapshot: () => Promise<void>): Promise<void> {
  try {
    await copySnapshot(folder.file, copy, atSnapshot)
  } catch (error) {
    if (!isRefusedByDisk(error)) throw error
    const release = await takeFolder(folder).catch(() => {
      throw error
    })
    try {
      copyFiles(folder.file, copy)
    } finally {
      release()
    }
  }
}

/** Like `copySnapshot`, but creates no files beside a source that nobody uses, because its disk may not accept any. */
async function copyStopped(source: string, copy: string): Promise<void> {
  // A server that has the database open keeps the index of its log in `-shm`.
  if (existsSync(`${source}-wal`) && existsSync(`${source}-shm`)) {
    await copySnapshot(source, copy)
    return
  }
  copyFiles(source, copy)
}

/** Copies the files of a database that nobody uses. */
function copyFiles(source: string, copy: string): void {
  checkHeader(source)
  for (const suffix of ['', '-wal']) {
    if (!existsSync(source + suffix)) continue
    copyFileSync(source + suffix, copy + suffix)
    chmodSync(copy + suffix, 0o600)
  }
  if (existsSync(`${copy}-wal`)) mergeLog(copy)
}

/** Moves the commits of the log into the file, which is then complete. */
function mergeLog(file: string): void {
  const connection = openConnection(file, { cacheKiB: 16 * 1024 })
  try {
    connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch (cause) {
    throw sqliteFailure(cause, file)
  } finally {
    connection.close()
  }
}
