import { callJson } from '@batti/client/json-call'
import type { OutboxMessage } from '@batti/contracts'
import type { Product } from '@batti/launcher/testing/start-product'
import { until } from '@batti/kit/testing'

/** Returns the outbox's messages to an address, newest first. */
export async function messagesTo(product: Pick<Product, 'outbox'>, to: string): Promise<OutboxMessage[]> {
  return (await callJson(`${product.outbox}?to=${encodeURIComponent(to)}`)) as OutboxMessage[]
}

/** Waits for a message newer than `known` that contains `shape`, and returns the match. */
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
/** Matches path and query of a link in a message, at any origin. */
export const linkShape = /\/verify\/[a-z-]+\?token=[\w-]+/
