import { plainAddress } from '@batti/kit/address'
import type { IncomingMessage } from 'node:http'

/** What Express compiles `trust proxy` to: whether `address`, the `hop`th from us, is a proxy of ours. */
export type TrustProxy = (address: string, hop: number) => boolean

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
