import { randomUUID } from 'node:crypto'
import type { Clock } from '@batti/kit/clock'
import type { SecurityLog } from '../../platform/log/security-log.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import type { Messages } from '../../platform/mail/messages.ts'
import type { Outgoing } from '../../platform/mail/outgoing.ts'
import type { AccountRecord } from '../../platform/people/account-directory.ts'
import { phoneNow } from './change-address.ts'
import type { Client } from '../../platform/people/client.ts'
import type { Codes } from './codes/codes.ts'

/** Mails about a changed e-mail or phone number, to the address that was verified before, with a link that undoes the change. */
export function createAddressNotices(deps: {
  codes: Pick<Codes, 'issue'>
  linkTo(path: string): string
  mail: Pick<Outgoing<Mail>, 'sendSoon'>
  messages: Pick<Messages, 'noticeMail'>
  clock: Pick<Clock, 'now'>
  security: SecurityLog
}) {
  const { codes, mail, messages, clock, security } = deps

  /** Creates a link that restores the previous addresses with a new password; it stays valid after a password change. */
  async function undoLink({ id, resetGuard }: AccountRecord): Promise<{ url?: string }> {
    if (resetGuard === null) return {}
    const now = clock.now()
    const { token } = await codes.issue({
      purpose: 'undo',
      // Each change has a link of its own.
      subject: `user:${id}:${now}:${randomUUID()}`,
      userId: id,
      target: `user:${id}`,
      lifetimeMs: resetGuard.until.getTime() - now
    })
    return { url: deps.linkTo(`/reset-password?token=${token}`) }
  }

  return async (
    before: AccountRecord,
    after: AccountRecord,
    changed: { email: boolean; phone: boolean },
    client: Client
  ): Promise<void> => {
    if (!changed.email && !changed.phone) return
    const facts = { actor: after.id, ip: client.ip, requestId: client.requestId }
    const reader = { ...before, email: after.resetGuard?.email ?? before.loginEmail }
    const undo = await undoLink(after)
    if (changed.email) {
      security('email-changed', facts)
      const notice = { target: after.email, login: after.loginEmail, from: client.ip, ...undo }
      mail.sendSoon(() => messages.noticeMail('email-changed', reader, notice))
    }
    if (changed.phone) {
      security('phone-changed', facts)
      const notice = { ...phoneNow(after), from: client.ip, ...undo }
      mail.sendSoon(() => messages.noticeMail('phone-changed', reader, notice))
    }
  }
}
