import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import type { Client } from './clients.ts'
import { dispatch } from './commands/dispatch.ts'
import type { Engine } from './engine.ts'
import { answers } from './socket-answers.ts'
import { serveConnection } from './wire/connection.ts'
import { createDisconnects } from './transactions/disconnects.ts'
import { startHousekeeping } from './housekeeping.ts'

export type ListenOn = { path: string } | { port: number }

export interface RunningServer {
  uri: string
  /** The TCP port; null for a Unix socket. */
  port: number | null
  close(): Promise<void>
}

export interface ServerOptions {
  engine: Engine
  listen: ListenOn
  /** Name of the replica set of one. */
  setName?: string
  /** Interval of the removal of expired documents, milliseconds. */
  expiryMs?: number
  /** Called when a client requests a shutdown. */
  onStopRequest?: () => void
}

const MAX_CONNECTIONS = 1000

/** Serves an engine on a Unix socket or on loopback. It cannot listen anywhere else. */
export async function startServer({
  engine,
  listen,
  setName = 'batti',
  expiryMs,
  onStopRequest
}: ServerOptions): Promise<RunningServer> {
  const sockets = new Set<Socket>()
  const disconnects = createDisconnects(engine)
  let ids = 0

  const server = createServer((socket) => {
    if (sockets.size >= MAX_CONNECTIONS) {
      socket.destroy()
      return
    }
    const gone = new AbortController()
    const client: Client = { id: ++ids, sessions: new Set(), signal: gone.signal }
    sockets.add(socket)
    disconnects.arrived(client)
    serveConnection(
      socket,
      client,
      (who, command) => dispatch(engine, who, command),
      () => {
        sockets.delete(socket)
        gone.abort()
        disconnects.left(client)
      }
    )
  })

  await bind(server, listen)
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : null
  if ('path' in listen && process.platform !== 'win32') chmodSync(listen.path, 0o600)
  engine.set.name = setName
  engine.set.host = port === null ? ('path' in listen ? listen.path : '') : `127.0.0.1:${port}`
  engine.connections = () => sockets.size
  engine.requestStop = () => void setImmediate(() => onStopRequest?.())
  const stopHousekeeping = startHousekeeping(engine, expiryMs)

  return {
    uri: uriOf(listen, port),
    port,
    close: async () => {
      stopHousekeeping()
      disconnects.stop()
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      // Answer the requests that were read. Sockets close after their last reply.
      for (const socket of sockets) socket.destroySoon()
      await Promise.race([closed, new Promise((resolve) => void setTimeout(resolve, 500).unref())])
      for (const socket of sockets) socket.destroy()
      await closed
    }
  }
}

function uriOf(listen: ListenOn, port: number | null): string {
  const host = port === null && 'path' in listen ? encodeURIComponent(listen.path) : `127.0.0.1:${port ?? 0}`
  return `mongodb://${host}/batti?directConnection=true`
}

async function bind(server: Server, listen: ListenOn): Promise<void> {
  if ('path' in listen) await clearStaleSocket(listen.path)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    const ready = (): void => {
      server.off('error', reject)
      resolve()
    }
    if ('path' in listen) server.listen(listen.path, ready)
    else server.listen(listen.port, '127.0.0.1', ready)
  })
}

async function clearStaleSocket(path: string): Promise<void> {
  if (await answers(path)) throw new Error(`the database is already running: ${path} answers`)
  rmSync(path, { force: true })
}
