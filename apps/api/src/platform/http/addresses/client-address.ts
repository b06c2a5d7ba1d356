import { plainAddress } from '@batti/kit/address'
import type { RequestHandler } from 'express'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/** What Express compiles `trust proxy` to: whether `address`, `hop` hops away, is a trusted proxy. */
export type TrustProxy = (address: string, hop: number) => boolean

/** Replaces an invalid address. It stays in its place, because addresses before it are not trustworthy either. */
const noAddress = 'unknown'

/**
 * Parses `X-Forwarded-For`, nearest address last. Some proxies append the port (`192.0.2.7:51234`, `[2001:db8::7]:443`),
 * which changes with each connection and does not identify the client.
 */
const forwardedFor = (header: string | readonly string[] | undefined): string[] =>
  String(header ?? '')
    .split(',')
    .map((part) => part.trim().replace(/^(?:\[([^\]]+)\]|((?:\d+\.){3}\d+))(?::\d+)?$/, '$1$2'))
    .filter((part) => part !== '')
    .map((part) => (isIP(part) === 0 ? noAddress : part))

/** Returns the host that the client asked for: as forwarded by a trusted proxy, else from the request's own header. */
export function requestedHost(request: IncomingMessage, trust: TrustProxy): string {
  const forwarded =
    String(request.headers['x-forwarded-host'] ?? '')
      .split(',')[0]
      ?.trim() ?? ''
  const isProxy = forwarded !== '' && trust(request.socket.remoteAddress ?? '', 0)
  return isProxy ? forwarded : (request.headers.host ?? '')
}

/**
 * Returns the client's address for connections that Express does not handle: the nearest address that is not a trusted
 * proxy. Headers from others are ignored.
 */
export function clientAddress(request: IncomingMessage, trust: TrustProxy): string {
  const forwarded = forwardedFor(request.headers['x-forwarded-for'])
  const chain = [request.socket.remoteAddress ?? '', ...forwarded.toReversed()]
  const hop = chain.findIndex((address, index) => index === chain.length - 1 || !trust(address, index))
  return plainAddress(chain[hop] ?? '')
}

/** Normalizes the header in the same way for Express, which takes its parts literally. */
export const plainForwardedFor: RequestHandler = (req, _res, next) => {
  const addresses = forwardedFor(req.headers['x-forwarded-for'])
  if (addresses.length > 0) req.headers['x-forwarded-for'] = addresses.join(', ')
  next()
}
