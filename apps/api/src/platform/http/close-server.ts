import type { Server } from 'node:http'

/** Resolves when the server has stopped; one that is not listening has stopped already. */
export function closeServer(server: Server): Promise<void> {
  return new Promise((done) => {
    server.close(() => done())
    setTimeout(() => server.closeAllConnections(), 3000).unref()
  })
}
