import { callJson } from '@batti/client/json-call'
import type { OutboxMessage } from '@batti/contracts'
import type { Product } from '@batti/launcher/testing/start-product'
import { until } from '@batti/kit/testing'

/** What the outbox holds for an address, newest first. */
export async function messagesTo(product: Pick<Product, 'outbox'>, to: string): Promise<OutboxMessage[]> {
  return (await callJson(`${product.outbox}?to=${encodeURIComponent(to)}`)) as OutboxMessage[]
}

/** The first thing of that shape in a message newer than the `known` ones, waited for. */
export function newIn(
  product: Pick<Product, 'outbox'>,
  to: string,
  { shape, known = [] }: { shape: RegExp; known?: readonly OutboxMessage[] }
): Promise<string> {
  const seen = new Set(known.map(({ id }) => id))
  return until(`${shape} in a new message for ${to}`, async () => {
    const fresh = (await messagesTo(product, to)).filter(({ id }) => !seen.has(id))
    return fresh.map(({ text }) => shape.exec(text)?.[0]).find((found) => found !== undefined)
  })
}

export const codeShape = /\b\d{6}\b/
/** Path and query of a link to a landing page, wherever the product is reached. */
export const linkShape = /\/verify\/[a-z-]+\?token=[\w-]+/
