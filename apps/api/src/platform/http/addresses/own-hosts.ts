import { isLoopback, urlHost } from '@batti/kit/address'
import type { RequestHandler } from 'express'
import { AppError } from '../../app-error.ts'
import { isProbe } from '../pages/health-pages.ts'

/** Whether a `Host` header names this server. */
export type IsOwnHost = (host: string) => boolean

/**
 * The names that this server answers to: the host of `PUBLIC_URL`, loopback, the address it listens on, and additional allowed
 * ones. Protects against DNS rebinding: a foreign page whose name was made to resolve to this server sends its own name. Ports
 * are ignored, because a forwarded port is still this server.
 */
export function createOwnHosts(parts: {
  publicUrl: string | undefined
  host: string
  allowed: readonly string[]
}): IsOwnHost {
  const { publicUrl, host, allowed } = parts
  const ofPublicUrl = publicUrl === undefined ? [] : [new URL(publicUrl).host]
  const names = new Set([...ofPublicUrl, urlHost(host), ...allowed].map(hostname))
  for (const everywhere of ['0.0.0.0', '[::]', '']) names.delete(everywhere)
  return (given) => names.has(hostname(given)) || isLoopbackHost(given)
}

/** Whether a `Host` header says that the browser runs on this machine. */
export const isLoopbackHost = (host: string): boolean => isLoopback(hostname(host))

/** Returns the name in `name[:port]`, in lower case; '' for any other form. */
const hostname = (host: string): string =>
  /^(\[[\da-f:.]+\]|[^\s:/@[\]]+)(:\d+)?$/i.exec(host.trim())?.[1]?.toLowerCase() ?? ''

/** Whether the text is a valid `Host` header. */
export const isHostName = (text: string): boolean => hostname(text) !== ''

/** Refuses requests for a host name that is not ours. */
export function refuseForeignHosts(isOwn: IsOwnHost): RequestHandler {
  return (req, _res, next) => {
    // Health checks may use any address of the process; they reveal nothing else. A trusted proxy forwards the requested name;
    // Express ignores that header from others.
    if (isProbe(req.path) || isOwn(req.hostname ?? '')) next()
    else
      throw new AppError(
        'FORBIDDEN',
        'This server does not answer to that host name. Its operator can add it to ALLOWED_HOSTS.'
      )
  }
}
