import type { Server } from 'node:net'

/** Listens, and resolves with the port. Rejects with an Error for the user when it cannot. */
export function listen(server: Server, port = 0, host = '127.0.0.1', backlog?: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException): void => {
      reject(new Error(`Port ${port} on ${host} ${reasonOf(error)}`, { cause: error }))
    }
    server.once('error', fail)
    server.listen({ port, host, ...(backlog === undefined ? {} : { backlog }) }, () => {
      server.off('error', fail)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

/** Returns what follows the port and the address in a sentence about the error. */
function reasonOf({ code, message }: NodeJS.ErrnoException): string {
  switch (code) {
    case 'EADDRINUSE':
      return 'is in use. Stop what uses it, or choose another port.'
    case 'EACCES':
      return 'is not allowed for the user who runs this. Choose a port above 1023.'
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'cannot be used: this machine has no such address. Choose one that it has, for example 127.0.0.1.'
    default:
      return `cannot be used: ${message}`
  }
}

/** Stops accepting connections. Resolves when all have ended; at once when the server never listened. */
export function close(server: Server): Promise<void> {
  return new Promise((resolve) => void server.close(() => resolve()))
}
