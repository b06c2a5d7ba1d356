import { plainAddress } from '@batti/kit/address'
import type { IncomingMessage } from 'node:http'

/** What Express compiles `trust proxy` to: whether `address`, the `hop`th from us, is a proxy of ours. */
export type TrustProxy = (address: string, hop: number) => boolean

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
  const forwarded = String(request.headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  const chain = [request.socket.remoteAddress ?? '', ...forwarded.toReversed()]
  const hop = chain.findIndex((address, index) => index === chain.length - 1 || !trust(address, index))
  return plainAddress(chain[hop] ?? '')
}
