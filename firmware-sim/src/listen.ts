import type { Server } from 'node:http'

/** Listens on the wished port; where that is taken, on a free one. Resolves with the port. */
export async function listenOnOrNear(server: Server, host: string, port: number): Promise<number> {
  try {
    return await listen(server, host, port)
  } catch (error) {
    if (port === 0) throw error
    return listen(server, host, 0)
  }
}

/** Listens, and resolves with the port; rejects with a sentence when it cannot. */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = (error: Error & { code?: string }): void => {
      const why = error.code === 'EADDRINUSE' ? 'it is taken' : error.message
      reject(new Error(`Cannot listen on ${urlHost(host)}:${port}: ${why}`, { cause: error }))
    }
    server.once('error', failed)
    server.listen(port, host, () => {
      server.off('error', failed)
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : port)
    })
  })
}

/** A host as it stands in a URL that this machine can open. */
export function urlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}
