import { createServer } from 'node:net'
import { LaunchError } from './launch-error.ts'

/** A free port of loopback. Between this answer and its use another process could take it; nobody aims at such ports. */
export async function freePort(): Promise<number> {
  const { port } = await tryPort('127.0.0.1', 0)
  if (port === null) throw new LaunchError('This machine has no free port on 127.0.0.1.')
  return port
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
    server.listen({ host, port, exclusive: true }, () => {
      const address = server.address()
      const taken = typeof address === 'object' && address !== null ? address.port : port
      server.close(() => resolve({ port: taken }))
    })
  })
}
