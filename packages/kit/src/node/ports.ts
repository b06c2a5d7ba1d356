import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * Below the ports that systems hand out by themselves, to whoever connects or listens: one of those would be taken by
 * somebody else between its choice and its use, which is seconds later.
 */
const lowest = 11_000
const count = 21_000
const tries = 100
/** From a place of its own a process goes on in order: what it was given and does not use yet is not given again. */
let place = randomInt(count)

/** A free port, by default of loopback. @throws Error when none is found. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let tried = 0; tried < tries; tried += 1) {
    place = (place + 1) % count
    const port = lowest + place
    if ((await whyTaken(host, port)) === null) return port
  }
  throw new Error(`This machine has no free port on ${host}.`)
}

/** Why nobody can listen there, as the system's error code; null when the port is free. */
export function whyTaken(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })
}
