import type { Server } from 'node:net'

/** Listens, and resolves with the port. Rejects with an Error for the user when it cannot. */
export function listen(server: Server, port = 0, host = '127.0.0.1', backlog?: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => {
      const isTaken = error.code === 'EADDRINUSE'
      const message = isTaken
        ? `Port ${port} on ${host} is in use. Stop what uses it, or choose another port.`
        : `Port ${port} on ${host} cannot be used: ${error.message}`
      reject(new Error(message, { cause: error }))
    }
    server.once('error', fail)
    server.listen({ port, host, ...(backlog === undefined ? {} : { backlog }) }, () => {
      server.off('error', fail)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

/** Stops accepting connections. Resolves when all have ended; at once when the server never listened. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => void server.close(() => resolve()))
}
