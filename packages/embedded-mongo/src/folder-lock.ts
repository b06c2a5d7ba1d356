import { messageOf } from '@batti/kit/message-of'
import { createHash } from 'node:crypto'
import { chownSync, existsSync, rmSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canHaveSocket, dataFolderAt, socketIn, type DataFolder } from './data-folder.ts'
import { lockFile } from './file-lock.ts'
import { answers } from './socket-answers.ts'

/** Another process uses the data folder. Any other error of `takeFolder` concerns the temporary folder. */
export class FolderInUse extends Error {
  constructor(folder: string) {
    super(`The data folder ${folder} is in use by another process.`)
    this.name = 'FolderInUse'
  }
}

/**
 * Locks a data folder for one process, because two would not see each other's caches: a file in the folder, and a socket
 * derived from the folder's path, also for a folder that does not exist yet. Neither outlives the process. Resolves with the
 * release function. @throws FolderInUse, or an Error for the user when the socket cannot be created.
 */
export async function takeFolder({ folder }: Pick<DataFolder, 'folder'>): Promise<() => void> {
  if (await answersInside(folder)) throw new FolderInUse(folder)
  const unlock = lockInside(folder, dataFolderAt(folder).lock)
  try {
    const close = await takeDoor(folder)
    return () => {
      close()
      unlock()
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/** Locks a file in the folder, where there can be one. Returns the release function. @throws FolderInUse */
export function lockInside(folder: string, lock: string): () => void {
  const nothing = (): void => undefined
  // Windows could then not rename the folder, and there the socket has one name for all.
  if (process.platform === 'win32' || !existsSync(folder)) return nothing
  let unlock: (() => void) | null
  try {
    unlock = lockFile(lock)
  } catch {
    // The folder is read-only, or its file system has no locks.
    return nothing
  }
  if (unlock === null) throw new FolderInUse(folder)
  giveToOwner(lock, folder)
  return unlock
}

/** A command that root runs must not leave a file that the owner of the folder cannot lock. */
function giveToOwner(file: string, folder: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(folder)
  if (statSync(file).uid !== uid) chownSync(file, uid, gid)
}

/** Listens on the socket of the folder. @throws FolderInUse when another process does, or is about to. */
async function takeDoor(folder: string): Promise<() => void> {
  const path = doorOf(folder)
  // A process that is about to listen does not answer yet, like one that was killed. The name ends with the process.
  const turn = process.platform === 'linux' ? await listen(`\0${path}`) : undefined
  if (turn === null) throw new FolderInUse(folder)
  try {
    for (let attempt = 0; ; attempt++) {
      const server = await listen(path)
      if (server) {
        server.unref()
        return () => void server.close()
      }
      if (attempt > 0 || (await answers(path))) throw new FolderInUse(folder)
      removeLeftover(path)
    }
  } finally {
    turn?.close()
  }
}

/** Removes the socket of a process that was killed. */
function removeLeftover(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch (error) {
    throw cannotTake(path, error)
  }
}

const cannotTake = (path: string, error: unknown): Error =>
  new Error(
    `${path}, which says that a data folder is in use, can be neither made nor taken over (${messageOf(error)}): ` +
      'set TMPDIR to a folder with a short path that this user may write to, or remove that file where another user has left it.',
    { cause: error }
  )

/** Tells whether a database answers in the data folder. */
export async function answersInside(folder: string): Promise<boolean> {
  const socket = socketIn(folder)
  return canHaveSocket({ socket }) && (await answers(socket))
}

function doorOf(folder: string): string {
  const name = `batti-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.lock`)
}

/** Returns a listening server; null when the address is in use. @throws Error for the user when nothing can listen there. */
const listen = (path: string): Promise<Server | null> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null)
      else reject(cannotTake(path, error))
    })
    server.listen(path, () => resolve(server))
  })
