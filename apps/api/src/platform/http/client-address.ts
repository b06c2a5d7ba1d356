import { plainAddress } from '@batti/kit/address'
import type { RequestHandler } from 'express'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/** What Express compiles `trust proxy` to: whether `address`, the `hop`th from us, is a proxy of ours. */
export type TrustProxy = (address: string, hop: number) => boolean

/** In place of what is no address: left where it stands, since what stands before it is not to be believed either. */
const noAddress = 'unknown'

/**
 * The addresses of an `X-Forwarded-For`, nearest last. Some proxies write the port too (`192.0.2.7:51234`,
 * `[2001:db8::7]:443`), which is another with each connection and says nothing of who speaks.
 */
const forwardedFor = (header: string | readonly string[] | undefined): string[] =>
  String(header ?? '')
    .split(',')
    .map((part) => part.trim().replace(/^(?:\[([^\]]+)\]|((?:\d+\.){3}\d+))(?::\d+)?$/, '$1$2'))
    .filter((part) => part !== '')
    .map((part) => (isIP(part) === 0 ? noAddress : part))

/** The host that the client asked for: what a proxy of ours says it was, else the request's own header. */
export function requestedHost(request: IncomingMessage, trust: TrustProxy): string {
  const forwarded =
    String(request.headers['x-forwarded-host'] ?? '')
      .split(',')[0]
      ?.trim() ?? ''
  const isProxy = forwarded !== '' && trust(request.socket.remoteAddress ?? '', 0)
  return isProxy ? forwarded : (request.headers.host ?? '')
}

/**
 * The address of whoever speaks, for connections that Express does not see: the nearest one that is not a proxy of ours.
 * Headers of anybody else are not believed.
 */
export function clientAddress(request: IncomingMessage, trust: TrustProxy): string {
  const forwarded = forwardedFor(request.headers['x-forwarded-for'])
  const chain = [request.socket.remoteAddress ?? '', ...forwarded.toReversed()]
  const hop = chain.findIndex((address, index) => index === chain.length - 1 || !trust(address, index))
  return plainAddress(chain[hop] ?? '')
}

/** The same reading for Express, which takes the parts of the header as they stand. */
export const plainForwardedFor: RequestHandler = (req, _res, next) => {
  const addresses = forwardedFor(req.headers['x-forwarded-for'])
  if (addresses.length > 0) req.headers['x-forwarded-for'] = addresses.join(', ')
  next()
}
