import { conflict, invalid, unauthenticated } from '../../platform/app-error.ts'
import type { Clock } from '@batti/kit/clock'
import type { EventBus } from '../../platform/events.ts'
import type { RateLimits } from '../../platform/http/limits/rate-limits.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import type { Messages } from '../../platform/mail/messages.ts'
import type { Outgoing } from '../../platform/mail/outgoing.ts'
import { isEmailVerified, isPhoneVerified, type AccountRecord } from '../../platform/people/account-directory.ts'
import type { SecurityLog } from '../../platform/log/security-log.ts'
import type { Sms } from '../../platform/sms/sms.ts'
import type { AuditOf } from './audit-accounts.ts'
import type { AccountsRepository } from './accounts.repository.ts'
import { codeInvalid, type Codes, type SentCode } from './codes/codes.ts'
import type { AccountLimits } from './limits.ts'
import { createPhoneClaims } from './phone-claims.ts'
import { mayReceiveText } from './phone.ts'
import type { Client } from '../../platform/people/client.ts'
import { activeGuard, guardAfterChange } from './reset-guard.ts'
import type { SendingLimits } from './codes/sending-limits.ts'
import { createCodeSpender } from './codes/spend-code.ts'

type Purpose = 'verify-email' | 'verify-phone'

export function createVerificationService(deps: {
  accounts: AccountsRepository
  codes: Codes
  limits: RateLimits
  limit: AccountLimits
  sending: SendingLimits
  mail: Outgoing<Mail>
  sms: Outgoing<Sms>
  messages: Messages
  linkTo(path: string): string
  auditOf: AuditOf
  clock: Clock
  events: EventBus
  security: SecurityLog
}) {
  const { accounts, codes, sending, mail, sms, messages, linkTo, clock, security } = deps
  const claims = createPhoneClaims(deps)

  const accountOf = async (userId: string): Promise<AccountRecord> => {
    const account = await accounts.findById(userId)
    if (account === null) throw unauthenticated()
    return account
  }

  const spendCode = createCodeSpender(deps)
  const byCode = (purpose: Purpose, userId: string, otp: string, client: Client) =>
    spendCode(client, purpose, () => codes.spendCode({ purpose, subject: `user:${userId}` }, otp))
  const byLink = (purpose: Purpose, token: string, client: Client) =>
    spendCode(client, purpose, () => codes.spendLink([purpose], token))

  /** The guard period starts again when the new address takes over. */
  const guarded = (account: AccountRecord, isNew: boolean) =>
    isNew || activeGuard(account, clock.now()) !== null ? { resetGuard: guardAfterChange(account, clock.now()) } : {}

  async function completeEmail({ userId, target }: SentCode, client: Client): Promise<void> {
    const account = await accounts.findById(userId)
    if (account?.emailKey !== target) throw codeInvalid()
    const isNew = account.emailKey !== account.loginEmailKey
    const verified = {
      loginEmail: account.email,
      loginEmailKey: account.emailKey,
      loginEmailVerified: true,
      ...guarded(account, isNew)
    }
    const updated = await accounts.update(userId, verified, clock.now())
    if (updated === 'taken') throw conflict('This email belongs to another account.')
    deps.events.emit('account-changed', { userId })
    security('email-verified', { actor: userId, ip: client.ip, requestId: client.requestId })
  }

  async function completePhone({ userId, target }: SentCode, client: Client): Promise<void> {
    const account = await accounts.findById(userId)
    if (account?.phone !== target) throw codeInvalid()
    const isNew = target !== account.loginPhone
    const claimed = { loginPhone: target, loginPhoneVerified: true, phoneClaimedAt: new Date(clock.now()) }
    const verified = { ...claimed, ...guarded(account, isNew) }
    const updated = await accounts.update(userId, verified, clock.now())
    if (updated === 'taken') {
      await claims.notifyOwner(target, client)
      throw conflict('This phone number belongs to another account.')
    }
    deps.events.emit('account-changed', { userId })
    security('phone-verified', { actor: userId, ip: client.ip, requestId: client.requestId })
    await claims.takeOver(target, account, client)
  }

  /** Sends a code, and forgets it if sending failed, so that there is no cool-down before the next try. */
  const sendOrCancel = async (request: Parameters<Codes['cancel']>[0], send: () => Promise<void>): Promise<void> => {
    try {
      await send()
    } catch (error) {
      await codes.cancel(request)
      throw error
    }
  }

  return {
    /** Mails code and link to the account's displayed address. @throws CONFLICT, TOO_MANY_REQUESTS, UNAVAILABLE. */
    async requestEmail(userId: string, client: Client): Promise<void> {
      const account = await accountOf(userId)
      if (isEmailVerified(account)) throw conflict('Your email is verified already.')
      const subject = `user:${userId}`
      const request = { purpose: 'verify-email' as const, subject, userId, target: account.emailKey }
      const { code, token } = await codes.issue(request)
      await sendOrCancel(request, async () => {
        await sending.mail(`email:${account.emailKey}`, client.ip)
        const owner = await accounts.findByLoginEmail(account.emailKey)
        const url = linkTo(`/verify/email?token=${token}`)
        await mail.sendNow(
          owner === null || owner.id === userId
            ? messages.codeMail('verify-email', account, { code, url })
            : // The owner is told instead of the requester: an account must not find out who else has one.
              messages.noticeMail('address-in-use', { ...owner, email: owner.loginEmail })
        )
      })
      security('code-sent', { actor: userId, ip: client.ip, requestId: client.requestId, detail: 'verify-email' })
    },
    /** @throws AppError CODE_INVALID; CONFLICT when the address logs another account in. */
    verifyEmail: async (userId: string, otp: string, client: Client): Promise<void> =>
      completeEmail(await byCode('verify-email', userId, otp, client), client),
    verifyEmailLink: async (token: string, client: Client): Promise<void> =>
      completeEmail(await byLink('verify-email', token, client), client),

    async requestPhone(userId: string, client: Client): Promise<void> {
      const account = await accountOf(userId)
      const { phone } = account
      if (phone === null) throw invalid('phone', 'add a phone number to your profile first')
      if (isPhoneVerified(account)) throw conflict('Your phone is verified already.')
      if (!mayReceiveText(phone)) throw invalid('phone', 'cannot receive our text messages')
      const request = { purpose: 'verify-phone' as const, subject: `user:${userId}`, userId, target: phone }
      const { code, token } = await codes.issue(request)
      await sendOrCancel(request, async () => {
        await sending.text(`phone:${phone}`, client.ip)
        const url = linkTo(`/verify/phone?token=${token}`)
        await sms.sendNow({ to: phone, text: messages.codeText('verify-phone', account, { code, url }) })
      })
      security('code-sent', { actor: userId, ip: client.ip, requestId: client.requestId, detail: 'verify-phone' })
    },
    /** Takes the number over from accounts that had not verified it, and tells them. @throws CODE_INVALID, CONFLICT. */
    verifyPhone: async (userId: string, otp: string, client: Client): Promise<void> =>
      completePhone(await byCode('verify-phone', userId, otp, client), client),
    verifyPhoneLink: async (token: string, client: Client): Promise<void> =>
      completePhone(await byLink('verify-phone', token, client), client)
  }
}
export type VerificationService = ReturnType<typeof createVerificationService>
