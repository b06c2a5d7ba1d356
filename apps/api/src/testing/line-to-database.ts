import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

export interface LineToDatabase {
  /** What the api connects to, without the name of a database. */
  uri: string
  /** Holds the line so that bytes go neither way and nothing is closed, as when the database's process is stopped. */
  freeze(frozen: boolean): void
  /** Ends every connection there is, as when the database is stopped in order. New ones go through. */
  cut(): void
  stop(): Promise<void>
}

/** A way of its own to the test database at `uri`. */
export async function startLineToDatabase(uri: string): Promise<LineToDatabase> {
  const { host } = new URL(uri)
  const path = decodeURIComponent(host)
  const [name = '', port = '27017'] = host.split(':')
  const sockets = new Set<Socket>()
  let isFrozen = false
  const server = createServer((inbound) => {
    const outbound = path.startsWith('/') ? connect(path) : connect(Number(port), name)
    for (const [from, to] of [
      [inbound, outbound],
      [outbound, inbound]
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes: Buffer) => to.write(bytes))
      from.on('error', () => to.destroy())
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      if (isFrozen) from.pause()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address() as AddressInfo
  return {
    uri: `mongodb://127.0.0.1:${address.port}/?directConnection=true`,
    freeze(frozen) {
      isFrozen = frozen
      for (const socket of sockets) {
        if (frozen) socket.pause()
        else socket.resume()
      }
    },
    cut() {
      for (const socket of sockets) socket.destroy()
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}
