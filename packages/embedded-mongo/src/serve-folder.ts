import { defaultListen, openDataFolder } from './data-folder.ts'
import { openEngine } from './engine.ts'
import { takeFolder } from './folder-lock.ts'
import { startServer, type ListenOn } from './server.ts'
import type { StoreOptions } from './storage/store.ts'

export interface ServeOptions {
  data: string
  /** Null: a socket in the folder. */
  listen: ListenOn | null
  /** What is not named is as the engine has it. */
  limits?: Pick<StoreOptions, 'cacheBytes' | 'pageCacheBytes'>
  /** The disk no longer takes what is written: the process must end. */
  onLost(error: Error): void
  /** A client asks for a shutdown. */
  onStopRequest(): void
}

/** The database on its folder, which nobody else may use until it is closed. @throws Error when another process has it. */
export async function serveFolder(options: ServeOptions): Promise<{ uri: string; close(): Promise<void> }> {
  const { data, listen, limits, onLost, onStopRequest } = options
  const folder = openDataFolder(data)
  const release = await takeFolder(folder)
  const engine = openEngine({ path: folder.file, onLost, ...limits })
  const server = await startServer({ engine, listen: listen ?? defaultListen(folder), onStopRequest })
  return {
    uri: server.uri,
    async close() {
      await server.close()
      engine.close()
      release()
    }
  }
}
