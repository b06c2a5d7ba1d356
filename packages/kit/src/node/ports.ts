import { randomInt } from 'node:crypto'
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

/** Returns a free port, by default on loopback. @throws Error when none is found. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let tried = 0; tried < tries; tried += 1) {
    place = (place + 1) % count
    const port = lowest + place
    if ((await whyTaken(host, port)) === null) return port
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
