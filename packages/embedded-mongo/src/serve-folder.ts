import { minuteMs } from '@batti/kit/durations'
import { defaultListen, openDataFolder } from './data-folder.ts'
import { openEngine } from './engine.ts'
import { takeFolder } from './folder-lock.ts'
import { createReserve, releaseReserveWhenFull } from './reserve.ts'
import { startServer, type ListenOn } from './server.ts'
import type { StoreOptions } from './storage/store.ts'

/** The reserve is first checked after a minute, so that starts and short-lived test homes do not pay for it. */
const LOOK_MS = minuteMs

export interface ServeOptions {
  data: string
  /** Null: a socket in the folder. */
  listen: ListenOn | null
  /** Overrides of the engine's defaults. */
  limits?: Pick<StoreOptions, 'cacheBytes' | 'pageCacheBytes'>
  /** Called when the disk has failed. The process must exit. */
  onLost(error: Error): void
  /** Receives messages for the user about the disk: it is full, or has lost writes. */
  say(words: string): void
  /** Called when a client requests a shutdown. */
  onStopRequest(): void
}

export interface ServedFolder {
  uri: string
  /** Empties the engine's caches, which the next reads fill again. */
  releaseMemory(): void
  close(): Promise<void>
}

/** Serves the database of a folder and locks the folder until it is closed. @throws Error when another process uses it. */
export async function serveFolder(options: ServeOptions): Promise<ServedFolder> {
  const { data, listen, limits, onLost, say, onStopRequest } = options
  const folder = openDataFolder(data)
  const release = await takeFolder(folder)
  const reserve = createReserve({ path: folder.reserve, say, monotonic: () => performance.now() })
  releaseReserveWhenFull(folder.reserve)
  const engine = openEngine({ path: folder.file, onLost, onFull: reserve.release, onDamage: say, ...limits })
  const looks = setInterval(() => void reserve.look(), LOOK_MS)
  looks.unref()
  const server = await startServer({ engine, listen: listen ?? (await defaultListen(folder)), onStopRequest })
  return {
    uri: server.uri,
    releaseMemory: engine.releaseMemory,
    async close() {
      clearInterval(looks)
      await server.close()
      engine.close()
      release()
    }
  }
}
