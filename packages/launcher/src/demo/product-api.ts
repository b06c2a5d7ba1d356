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

/** Client of the product's public API, with access to the outbox. */
export interface ProductApi extends Client {
  /** Waits for a message to `to` that `wanted` accepts, newest first. @throws Error when none comes. */
  readOutbox<Found>(to: string, wanted: (message: OutboxMessage) => Found | null): Promise<Found>
  /** Returns when the newest message to `to` was sent, or 0: that message and older ones hold outdated codes. */
  newestMessageAt(to: string): Promise<number>
  /** Stores past changes of the demo's switches. */
  sendHistory(history: DemoHistory): Promise<void>
}

const mailWithinMs = 15_000

export interface ProductApiParts {
  base: string
  /** The api's internal address and secret: codes are read there, because the network cannot reach the outbox. */
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

/** Returns the six-digit code in a mail. */
export const codeIn = ({ text }: OutboxMessage): string | null => /\b(\d{6})\b/.exec(text)?.[1] ?? null

/** Returns the token of a password link in a mail. */
export const resetTokenIn = ({ text }: OutboxMessage): string | null =>
  /(?:reset|forgot)-password\?token=([\w.~%-]+)/.exec(text)?.[1] ?? null
