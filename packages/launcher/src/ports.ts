import { defaultHttpPort, defaultMetricsPort } from '@batti/contracts/constants'
import { messageOf } from '@batti/kit/message-of'
import { freePort as findPort, whyTaken } from '@batti/kit/node/ports'
import { LaunchError } from './launch-error.ts'

/** Returns a free port, by default on loopback. @throws LaunchError when none is found. */
export async function freePort(host?: string): Promise<number> {
  try {
    return await findPort(host)
  } catch (error) {
    throw new LaunchError(messageOf(error))
  }
}

/** Returns `port` if it is free, else another free one. */
export async function portOrAnother(port: number, host = '127.0.0.1'): Promise<number> {
  return (await whyTaken(host, port)) === null ? port : freePort(host)
}

/**
 * Returns the port to listen on: `port` itself, or a free one for 0.
 * @throws LaunchError that names `option` when another program has it.
 */
export async function requirePort(host: string, port: number, option: string): Promise<number> {
  if (port === 0) return freePort(host)
  const why = await whyTaken(host, port)
  if (why === null) return port
  const words = {
    EACCES: `needs the rights of an administrator: choose one above 1024 with ${option}.`,
    EADDRINUSE: `is in use by another program: stop that, or choose another port with ${option}.`,
    EADDRNOTAVAIL: `cannot be opened: this machine has no address ${host}.`
  }[why]
  throw new LaunchError(`Port ${port} ${words ?? `cannot be opened (${why}).`}`)
}

/** Chooses the metrics port where no setting names one: the default, or a free one beside a default installation. */
export function chooseMetricsPort(httpPort: number): Promise<number> {
  return httpPort === defaultHttpPort ? portOrAnother(defaultMetricsPort) : freePort()
}
