import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { LaunchError } from './launch-error.ts'

/**
 * Below the ports that systems hand out by themselves, to whoever connects or listens: one of those would be taken by
 * somebody else between its choice and its use, which is seconds later.
 */
const lowest = 20_000
const count = 12_000
const tries = 100

/** A free port, by default of loopback. @throws LaunchError when none is found. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let tried = 0; tried < tries; tried += 1) {
    const port = lowest + randomInt(count)
    if ((await whyTaken(host, port)) === null) return port
  }
  throw new LaunchError(`This machine has no free port on ${host}.`)
}

/** The wished port when nobody has it, else a free one. */
export async function portOrAnother(port: number): Promise<number> {
  return (await whyTaken('127.0.0.1', port)) === null ? port : freePort()
}

/**
 * The port to listen on: `port` itself, or a free one for 0.
 * @throws LaunchError naming `option` when another program has it.
 */
export async function requirePort(host: string, port: number, option: string): Promise<number> {
  if (port === 0) return freePort(host)
  const why = await whyTaken(host, port)
  if (why === null) return port
  throw new LaunchError(
    why === 'EACCES'
      ? `Port ${port} needs the rights of an administrator: choose one above 1024 with ${option}.`
      : `Port ${port} is in use by another program: stop that, or choose another port with ${option}.`
  )
}

/** Why nobody can listen there, as the system's error code; null when the port is free. */
function whyTaken(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(null)))
  })
}
