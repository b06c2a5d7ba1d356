import { makeFolder } from '@batti/kit/node/folders'
import { chmodSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { ListenOn } from './server.ts'

export interface DataFolder {
  folder: string
  file: string
  socket: string
  /** Room that is kept for a full disk. */
  reserve: string
}

export const socketIn = (folder: string): string => join(folder, 'mongo.sock')

/** Where things lie in a data folder, whether it is there or not. */
export function dataFolderAt(path: string): DataFolder {
  const folder = resolve(path)
  return {
    folder,
    file: join(folder, 'batti.db'),
    socket: socketIn(folder),
    reserve: join(folder, 'batti.db-reserve')
  }
}

/** The same, made where it is missing. The folder is its owner's alone: the socket in it is the door. */
export function openDataFolder(path: string): DataFolder {
  const found = dataFolderAt(path)
  makeFolder(found.folder)
  if (process.platform !== 'win32') chmodSync(found.folder, 0o700)
  return found
}

/** Longer paths do not fit into a socket address. */
const MAX_SOCKET_PATH = 100

/** The driver decodes the path of a socket more than once: a `%` in it leads elsewhere. */
export const canHaveSocket = ({ socket }: Pick<DataFolder, 'socket'>): boolean =>
  process.platform !== 'win32' && Buffer.byteLength(socket) <= MAX_SOCKET_PATH && !socket.includes('%')

/** A Unix socket in the data folder where that can be, a free port of loopback where not. */
export const defaultListen = (folder: DataFolder): ListenOn =>
  canHaveSocket(folder) ? { path: folder.socket } : { port: 0 }
