import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface LineToDatabase {
  /** The URI for the api, without a database name. */
  uri: string
  /** Stops all traffic without closing anything, as when the database process is suspended. */
  freeze(frozen: boolean): void
  /** Ends all current connections, as in an orderly stop of the database. New ones are accepted. */
  cut(): void
  stop(): Promise<void>
}

/** Starts a proxy to the test database at `uri`. */
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
