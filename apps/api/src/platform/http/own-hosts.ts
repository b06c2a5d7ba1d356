import { isLoopback } from '@batti/kit/address'
import type { RequestHandler } from 'express'
import { AppError } from '../app-error.ts'

/** Whether a `Host` header names this server. */
export type IsOwnHost = (host: string) => boolean

/**
 * The names that this server answers to: that of `PUBLIC_URL`, loopback, the address it listens on, and those that are allowed
 * besides. A page of a stranger, whose name was made to lead here (DNS rebinding), comes with the stranger's name. Ports are
 * not looked at: a forwarded port is no other server.
 */
export function createOwnHosts(parts: {
  publicUrl: string | undefined
  host: string
  allowed: readonly string[]
}): IsOwnHost {
  const { publicUrl, host, allowed } = parts
  const names = new Set([...(publicUrl === undefined ? [] : [new URL(publicUrl).host]), host, ...allowed].map(hostname))
  for (const everywhere of ['0.0.0.0', '[::]', '']) names.delete(everywhere)
  return (given) => names.has(hostname(given)) || isLoopbackHost(given)
}

/** Whether a `Host` header says that the browser itself is on this machine. */
export const isLoopbackHost = (host: string): boolean => isLoopback(hostname(host))

/** The name in `name[:port]`, in lower case; '' for what is not written so. */
const hostname = (host: string): string =>
  /^(\[[\da-f:.]+\]|[^\s:/@[\]]+)(:\d+)?$/i.exec(host.trim())?.[1]?.toLowerCase() ?? ''

/** Whether it is written as a `Host` header could be. */
export const isHostName = (text: string): boolean => hostname(text) !== ''

/** Whoever watches over the process asks by whatever address it has, and is told nothing else. */
const probed = new Set(['/healthz', '/readyz'])

/** Refuses requests that came under a name that is not ours. */
export function refuseForeignHosts(isOwn: IsOwnHost): RequestHandler {
  return (req, _res, next) => {
    // A proxy of ours says by which name it was asked; Express believes that header of nobody else.
    if (probed.has(req.path) || isOwn(req.hostname ?? '')) next()
    else
      throw new AppError(
        'FORBIDDEN',
        'This server does not answer to that host name. Its operator can add it to ALLOWED_HOSTS.'
      )
  }
}
