import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'
import { LaunchError } from './launch-error.ts'

/**
 * Where free ports are looked for: below those that systems hand out by themselves, to whoever connects or listens. One of
 * those would be taken by somebody else between this answer and its use, which is seconds later.
 */
const lowest = 20_000
const count = 12_000
const tries = 100

export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let tried = 0; tried < tries; tried += 1) {
    const { port } = await tryPort(host, lowest + randomInt(count))
    if (port !== null) return port
  }
  throw new LaunchError(`This machine has no free port on ${host}.`)
}

/** The wished port when nobody has it, else a free one. */
export async function portOrAnother(port: number): Promise<number> {
  return (await tryPort('127.0.0.1', port)).port ?? freePort()
}

/**
 * The port to listen on: `port` itself, or a free one for 0.
 * @throws LaunchError naming `option` when another program has it.
 */
export async function requirePort(host: string, port: number, option: string): Promise<number> {
  if (port === 0) return freePort(host)
  const tried = await tryPort(host, port)
  if (tried.port !== null) return tried.port
  throw new LaunchError(
    tried.code === 'EACCES'
      ? `Port ${port} needs the rights of an administrator: choose one above 1024 with ${option}.`
      : `Port ${port} is in use by another program: stop that, or choose another port with ${option}.`
  )
}

function tryPort(host: string, port: number): Promise<{ port: number | null; code?: string | undefined }> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => resolve({ port: null, code: error.code }))
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve({ port })))
  })
}
