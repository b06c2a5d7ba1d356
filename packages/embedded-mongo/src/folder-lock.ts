import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canHaveSocket, socketIn, type DataFolder } from './data-folder.ts'

/**
 * One process per data folder: two would write beside each other's caches. Whoever holds the folder listens on a socket
 * that is made of its name; a process that was killed answers no more, whatever its number is given to later.
 * Resolves to what lets go of it. Rejects with a sentence when another process has it.
 */
export async function takeFolder({ folder }: Pick<DataFolder, 'folder'>): Promise<() => void> {
  if (await answersInside(folder)) throw inUse(folder)
  const path = doorOf(folder)
  for (let attempt = 0; ; attempt++) {
    const server = await listen(path)
    if (server) {
      server.unref()
      return () => void server.close()
    }
    if (attempt > 0 || (await answers(path))) throw inUse(folder)
    // Left behind by a process that was killed.
    rmSync(path, { force: true })
  }
}

const inUse = (folder: string): Error => new Error(`The data folder ${folder} is in use by another process.`)

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

const answers = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = connect(path)
    probe.once('connect', () => {
      probe.destroy()
      resolve(true)
    })
    probe.once('error', () => resolve(false))
  })
