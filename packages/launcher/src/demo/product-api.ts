import { createClient, type Client } from '@batti/client/client'
import { callJson } from '@batti/client/json-call'
import {
  internalHistoryPath,
  internalOutboxPath,
  outboxMessage,
  type DemoHistory,
  type OutboxMessage
} from '@batti/contracts'
import { sleep, type Timers } from '@batti/kit/clock'

/** The product's own API, as any client sees it. */
export interface ProductApi extends Client {
  /** The newest message to `to` that `wanted` takes, waited for. @throws Error when none comes. */
  readOutbox<Found>(to: string, wanted: (message: OutboxMessage) => Found | null): Promise<Found>
  /** When the newest message to `to` was sent, 0 when there is none: an older one holds an older code. */
  newestMessageAt(to: string): Promise<number>
  /** Tells what the demo's switches did before. */
  sendHistory(history: DemoHistory): Promise<void>
}

const mailWithinMs = 15_000

export interface ProductApiParts {
  base: string
  /** The api's internal address and its secret: codes are read there, for the outbox is closed to the network. */
  internal: { base: string; secret: string }
  clock: Timers
}

export function createProductApi({ base, internal, clock }: ProductApiParts): ProductApi {
  const client = createClient({ base, clock })

  async function messagesTo(to: string): Promise<OutboxMessage[]> {
    const url = `${internal.base}${internalOutboxPath}?to=${encodeURIComponent(to)}`
    return outboxMessage.array().parse(await callJson(url, { token: internal.secret }))
  }

  return {
    ...client,
    newestMessageAt: async (to) => (await messagesTo(to))[0]?.at ?? 0,
    async sendHistory(history) {
      await callJson(`${internal.base}${internalHistoryPath}`, {
        method: 'POST',
        token: internal.secret,
        body: history
      })
    },
    async readOutbox(to, wanted) {
      const deadline = clock.monotonic() + mailWithinMs
      for (;;) {
        for (const message of await messagesTo(to)) {
          const found = wanted(message)
          if (found !== null) return found
        }
        if (clock.monotonic() > deadline) throw new Error(`No message for ${to} came into the outbox.`)
        await sleep(clock, 100)
      }
    }
  }
}

/** The six digits of a mailed code. */
export const codeIn = ({ text }: OutboxMessage): string | null => /\b(\d{6})\b/.exec(text)?.[1] ?? null

/** The token of a link that sets a password. */
export const resetTokenIn = ({ text }: OutboxMessage): string | null =>
  /(?:reset|forgot)-password\?token=([\w.~%-]+)/.exec(text)?.[1] ?? null
