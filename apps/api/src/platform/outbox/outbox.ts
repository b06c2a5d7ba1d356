import type { OutboxMessage } from '@batti/contracts'
import { randomUUID } from 'node:crypto'
import type { Clock } from '@batti/kit/clock'
import type { MailSender } from '../mail/mail.ts'
import type { SmsSender } from '../sms/sms.ts'

export interface Outbox {
  mail: MailSender
  sms: SmsSender
  /** Newest first; `to` filters by receiver, ignoring case. */
  list(to?: string): OutboxMessage[]
  find(id: string): OutboxMessage | undefined
}

const kept = 500

/** A plus in a query string arrives as a space. */
const receiver = (to: string): string => to.trim().replace(/^\+/, '').toLowerCase()

/** Collects every mail and text message instead of sending it, for demos and tests. In memory; the oldest are dropped first. */
export function createOutbox(clock: Clock): Outbox {
  const messages: OutboxMessage[] = []
  const add = (message: Omit<OutboxMessage, 'id' | 'at'>) => {
    messages.unshift({ ...message, id: randomUUID(), at: clock.now() })
    messages.length = Math.min(messages.length, kept)
  }
  return {
    mail: {
      send: ({ to, subject, text, html }) => Promise.resolve(add({ kind: 'mail', to, subject, text, html })),
      check: () => Promise.resolve(),
      close: () => undefined
    },
    sms: { send: ({ to, text }) => Promise.resolve(add({ kind: 'sms', to, subject: '', text })) },
    list(to) {
      const wanted = receiver(to ?? '')
      return messages.filter((message) => wanted === '' || receiver(message.to) === wanted)
    },
    find: (id) => messages.find((message) => message.id === id)
  }
}
