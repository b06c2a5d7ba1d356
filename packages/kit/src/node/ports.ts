import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'

/**
 * This range is below the ephemeral ports of the system. One of those could be assigned to another program between its
 * choice and its use seconds later.
 */
const lowest = 11_000
const count = 21_000
const tries = 100
/** Each process starts at a random port and continues in order, so that it never returns a port again that is not in use yet. */
let place = randomInt(count)

/**
 * Claims a port against other processes that look for one: the UDP port of that number is held until this process ends. That
 * leaves the port itself free for whom it is chosen. Returns false when another process has claimed it.
 */
function claim(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4').unref()
    socket.once('error', ({ code }: NodeJS.ErrnoException) => {
      socket.close()
      // Where none can be held (a sandbox without UDP), ports are chosen without claims.
      resolve(code !== 'EADDRINUSE')
    })
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true))
  })
}

/** Returns a free port, by default on loopback. @throws Error when none is found. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let tried = 0; tried < tries; tried += 1) {
    place = (place + 1) % count
    const port = lowest + place
    if ((await whyTaken(host, port)) === null && (await claim(port))) return port
  }
  throw new Error(`This machine has no free port on ${host}.`)
}

/** Returns the system's error code for listening there; null when the port is free. */
export function whyTaken(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })
}
