import type { Server } from 'node:http'

/** Resolves when the server has stopped, at once if it is not listening. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done())
    setTimeout(() => server.closeAllConnections(), 3000).unref()
  })
}
