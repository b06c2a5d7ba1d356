import { makeFolder } from '@batti/kit/node/folders'
import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import type { ListenOn } from './server.ts'

export interface DataFolder {
  folder: string
  file: string
  socket: string
  /** The file that reserves disk space (`reserve.ts`). */
  reserve: string
  /** The file that a process locks while it uses the folder (`file-lock.ts`). */
  lock: string
}

export const socketIn = (folder: string): string => join(folder, 'mongo.sock')

/** Returns the paths in a data folder, which need not exist. */
export function dataFolderAt(path: string): DataFolder {
  const folder = resolve(path)
  return {
    folder,
    file: join(folder, 'batti.db'),
    socket: socketIn(folder),
    reserve: join(folder, 'batti.db-reserve'),
    lock: join(folder, 'batti.db-lock')
  }
}

/** Creates the folder if it is missing. Only its owner may enter, because the socket in it needs no password. */
export function openDataFolder(path: string): DataFolder {
  const found = dataFolderAt(path)
  makeFolder(found.folder)
  if (process.platform !== 'win32') chmodSync(found.folder, 0o700)
  return found
}

/** Longer paths do not fit in a socket address. */
const MAX_SOCKET_PATH = 100

/** Whether the folder's path can be that of a socket. Not with `%` in its path, because the driver decodes the path more than once. */
export const canHaveSocket = ({ socket }: Pick<DataFolder, 'socket'>): boolean =>
  process.platform !== 'win32' && Buffer.byteLength(socket) <= MAX_SOCKET_PATH && !socket.includes('%')

/**
 * Whether a socket can be made in the folder: a memory stick (exFAT, FAT) and some network shares have none. `tried`: a folder on
 * the same file system, where this one is not made yet.
 */
export async function takesSocket(folder: DataFolder, tried = folder.folder): Promise<boolean> {
  if (!canHaveSocket(folder)) return false
  const path = join(tried, 'try.sock')
  const remove = (): void => rmSync(path, { force: true })
  remove()
  try {
    const server = createServer().listen(path)
    await once(server, 'listening')
    server.close()
    return true
  } catch {
    // Some file systems leave an empty file behind.
    remove()
    return false
  }
}

/** Returns a Unix socket in the data folder, or a free loopback port when that is impossible. */
export const defaultListen = async (folder: DataFolder): Promise<ListenOn> =>
  (await takesSocket(folder)) ? { path: folder.socket } : { port: 0 }
