import { dataFolderAt } from '@batti/embedded-mongo/data-folder'
import { releaseReserveWhenFull } from '@batti/embedded-mongo/reserve'
import { FolderInUse, takeFolder } from '@batti/embedded-mongo/folder-lock'
import { sleep, type Timers } from '@batti/kit/clock'
import { messageOf } from '@batti/kit/message-of'
import { linkTarget, makeFolder } from '@batti/kit/node/folders'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { isDiskFull } from './disk-refusal.ts'
import { LaunchError } from '../launch-error.ts'
import { folderInUse, type RunRecord } from '../parts/run-record.ts'

const endedWithinMs = 3000
const pollMs = 50

/** Tells whether the folder has an embedded database, so that people use this home. */
export const holdsDatabase = (path: string): boolean => existsSync(dataFolderAt(join(path, 'db')).file)

interface Taking {
  record: RunRecord
  clock: Timers
  /** The folder has an embedded database. Its lock shows a launcher that the run record misses, as in another container. */
  hasDatabase: boolean
}

/** Creates the folder if it is missing, and claims it. @throws LaunchError when it cannot be created, written or claimed. */
export async function takeDataFolder(path: string, { record, clock, hasDatabase }: Taking): Promise<void> {
  try {
    makeFolder(path)
    if (hasDatabase) releaseReserveWhenFull(dataFolderAt(join(path, 'db')).reserve)
    record.clear()
    if (hasDatabase) await waitUntilFree(path, clock)
    record.take()
  } catch (error) {
    if (error instanceof LaunchError) throw error
    const code = error instanceof Error && 'code' in error ? error.code : error
    // Another folder on the same disk would not help, and one on another disk lacks these data. The launch gives the right advice.
    if (isDiskFull(error) || code === 'EROFS') throw error
    const inTheWay =
      linkTarget(path) === null ? 'a file is in the way' : 'it is a link to a missing folder (is its disk mounted?)'
    const why = code === 'EEXIST' || code === 'ENOTDIR' ? inTheWay : `it cannot be written to (${String(code)})`
    const owner = code === 'EACCES' || code === 'EPERM' ? wayToOwn(path) : ''
    throw new LaunchError(`${path} cannot be the data folder, ${why}: ${owner}choose another one with --data.`)
  }
}

/** Tells how root gives the folder to the user who runs Batti, except the root folder, which holds the files of everyone. */
function wayToOwn(path: string): string {
  if (path === dirname(path)) return ''
  const command = existsSync(path) ? 'chown -R USER' : 'install -d -o USER'
  return `give it to the user who runs Batti (${command} ${path}), or `
}

/** Waits for a process that was just killed to release the database. @throws LaunchError when another process keeps it. */
async function waitUntilFree(path: string, clock: Timers): Promise<void> {
  const deadline = clock.monotonic() + endedWithinMs
  while (!(await isFree(path))) {
    if (clock.monotonic() >= deadline) throw new LaunchError(folderInUse(path))
    await sleep(clock, pollMs)
  }
}

async function isFree(path: string): Promise<boolean> {
  try {
    const release = await takeFolder(dataFolderAt(join(path, 'db')))
    release()
    return true
  } catch (error) {
    if (error instanceof FolderInUse) return false
    throw new LaunchError(messageOf(error))
  }
}
