import { messageOf } from '@batti/kit/message-of'
import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canHaveSocket, socketIn, type DataFolder } from './data-folder.ts'
import { answers } from './socket-answers.ts'

/** Somebody else has the data folder. Any other error of `takeFolder` is of the temporary folder. */
export class FolderInUse extends Error {
  constructor(folder: string) {
    super(`The data folder ${folder} is in use by another process.`)
    this.name = 'FolderInUse'
  }
}

/**
 * One process per data folder: two would write beside each other's caches. Whoever holds the folder listens on a socket
 * that is made of its name; a process that was killed answers no more, whatever its number is given to later.
 * Resolves to what lets go of it. @throws FolderInUse, or an Error in a sentence where that socket cannot be made.
 */
export async function takeFolder({ folder }: Pick<DataFolder, 'folder'>): Promise<() => void> {
  if (await answersInside(folder)) throw new FolderInUse(folder)
  const path = doorOf(folder)
  for (let attempt = 0; ; attempt++) {
    const server = await listen(path).catch((error: unknown) => {
      throw cannotTake(path, error)
    })
    if (server) {
      server.unref()
      return () => void server.close()
    }
    if (attempt > 0 || (await answers(path))) throw new FolderInUse(folder)
    removeLeftover(path)
  }
}

/** Left behind by a process that was killed. */
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
      'set TMPDIR to a folder that this user may write to, or remove that file where another user has left it.',
    { cause: error }
  )

/** A database in another container has its temporary folder, and so that socket, for itself; but the data folder is shared. */
export async function answersInside(folder: string): Promise<boolean> {
  const socket = socketIn(folder)
  return canHaveSocket({ socket }) && (await answers(socket))
}

function doorOf(folder: string): string {
  const name = `batti-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.lock`)
}

/** The server, or null where the address is taken. */
const listen = (path: string): Promise<Server | null> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(null)
      else reject(error)
    })
    server.listen(path, () => resolve(server))
  })
