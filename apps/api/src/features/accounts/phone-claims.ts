import type { EventBus } from '../../platform/events.ts'
import type { SecurityLog } from '../../platform/log/security-log.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import type { Messages } from '../../platform/mail/messages.ts'
import type { Outgoing } from '../../platform/mail/outgoing.ts'
import type { AccountRecord } from '../../platform/people/account-directory.ts'
import type { AccountsRepository } from './accounts.repository.ts'
import type { AuditOf } from './audit-accounts.ts'
import type { Client } from '../../platform/people/client.ts'

/** Settles with the other accounts that have a phone number which somebody verifies. */
export function createPhoneClaims(deps: {
  accounts: AccountsRepository
  auditOf: AuditOf
  events: EventBus
  mail: Outgoing<Mail>
  messages: Messages
  security: SecurityLog
}) {
  const { accounts, auditOf, events, mail, messages, security } = deps
  return {
    /** Tells the account that verified the number first, and keeps it, that somebody else receives its messages. */
    async notifyOwner(phone: string, client: Client): Promise<void> {
      const owner = await accounts.findVerifiedPhone(phone)
      if (owner === null) return
      const reader = { ...owner, email: owner.loginEmail }
      mail.sendSoon(() => messages.noticeMail('phone-in-use', reader, { target: phone, from: client.ip }))
    },

    /** Takes the number from accounts that had not verified it, and tells them. */
    async takeOver(phone: string, by: AccountRecord, client: Client): Promise<void> {
      for (const loser of await accounts.findPhoneClaims(phone, by.id)) {
        await auditOf(by, client, loser.id)('user.change-phone', () => accounts.releasePhone(phone, loser.id))
        events.emit('account-changed', { userId: loser.id })
        const facts = { account: loser.id, ip: client.ip, requestId: client.requestId }
        security('phone-taken-over', { actor: by.id, ...facts })
        events.emit('user-notified', {
          userId: loser.id,
          text: 'Another account has verified your phone number. It was removed from your profile.'
        })
        const reader = { ...loser, email: loser.loginEmail }
        mail.sendSoon(() => messages.noticeMail('phone-taken-over', reader, { target: phone }))
      }
    }
  }
}
