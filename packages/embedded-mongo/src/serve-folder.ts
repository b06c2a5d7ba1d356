import { defaultListen, openDataFolder } from './data-folder.ts'
import { openEngine } from './engine.ts'
import { takeFolder } from './folder-lock.ts'
import { createReserve, giveUpWhereFull } from './reserve.ts'
import { startServer, type ListenOn } from './server.ts'
import type { StoreOptions } from './storage/store.ts'

/** A start is quick, and so is a home of a test: nothing is kept in the first minute. */
const LOOK_MS = 60_000

export interface ServeOptions {
  data: string
  /** Null: a socket in the folder. */
  listen: ListenOn | null
  /** What is not named is as the engine has it. */
  limits?: Pick<StoreOptions, 'cacheBytes' | 'pageCacheBytes'>
  /** The disk no longer takes what is written: the process must end. */
  onLost(error: Error): void
  /** What whoever runs this is told about a full disk. */
  onFull(words: string): void
  /** A client asks for a shutdown. */
  onStopRequest(): void
}

/** The database on its folder, which nobody else may use until it is closed. @throws Error when another process has it. */
export async function serveFolder(options: ServeOptions): Promise<{ uri: string; close(): Promise<void> }> {
  const { data, listen, limits, onLost, onFull, onStopRequest } = options
  const folder = openDataFolder(data)
  const release = await takeFolder(folder)
  const reserve = createReserve({ path: folder.reserve, say: onFull, monotonic: () => performance.now() })
  giveUpWhereFull(folder.reserve)
  const engine = openEngine({ path: folder.file, onLost, onFull: reserve.giveUp, ...limits })
  const looks = setInterval(() => void reserve.look(), LOOK_MS)
  looks.unref()
  const server = await startServer({ engine, listen: listen ?? defaultListen(folder), onStopRequest })
  return {
    uri: server.uri,
    async close() {
      clearInterval(looks)
      await server.close()
      engine.close()
      release()
    }
  }
}
