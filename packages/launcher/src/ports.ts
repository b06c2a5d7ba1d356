import { defaultHttpPort, defaultMetricsPort } from '@batti/contracts/constants'
import { messageOf } from '@batti/kit/message-of'
import { freePort as findPort, whyTaken } from '@batti/kit/node/ports'
import { LaunchError } from './launch-error.ts'

/** A free port, by default of loopback. @throws LaunchError when none is found. */
export async function freePort(host?: string): Promise<number> {
  try {
    return await findPort(host)
  } catch (error) {
    throw new LaunchError(messageOf(error))
  }
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

/** Where the api shows its figures: as the settings say; else the usual one, and a second product beside it a free one. */
export async function chooseMetricsPort(asked: string | undefined, httpPort: number): Promise<number> {
  if (asked !== undefined) return Number(asked)
  return httpPort === defaultHttpPort ? portOrAnother(defaultMetricsPort) : freePort()
}
