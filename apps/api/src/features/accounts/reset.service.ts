import { invitationHours } from '@batti/contracts'
import type { Clock } from '../../platform/clock.ts'
import type { RateLimits } from '../../platform/http/rate-limits.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import type { Messages } from '../../platform/mail/messages.ts'
import type { Outgoing } from '../../platform/mail/outgoing.ts'
import type { AccountRecord } from '../../platform/people/account-directory.ts'
import type { SecurityLog } from '../../platform/log/security-log.ts'
import type { Sms } from '../../platform/sms/sms.ts'
import type { AccountsRepository, AccountUpdate } from './accounts.repository.ts'
import { codeInvalid, type Codes, type SpentCode } from './codes.ts'
import type { AccountLimits } from './limits.ts'
import { identifierKey, type Identifier } from './login.service.ts'
import type { Passwords } from './password.ts'
import { mayReceiveText, toE164 } from './phone.ts'
import type { Client } from './registration.service.ts'
import type { SendingLimits } from './sending-limits.ts'

export interface ResetService {
  /** Sends a code to the account's own address. The same answer, in the same time, for an address that nobody has. */
  forgot(identifier: Identifier, client: Client): Promise<void>
  /** Sets a password by code and address, or by the token of a link; ends every session. @throws AppError CODE_INVALID. */
  reset(
    input: Identifier & { otp?: string | undefined; token?: string | undefined; newPassword: string },
    client: Client
  ): Promise<void>
  /** Whether a link is still good; does not spend it. @throws AppError CODE_INVALID. */
  checkLink(token: string, client: Client): Promise<void>
  /** Mails a link to set the first password, good for 72 hours. */
  invite(account: AccountRecord): Promise<void>
}

/** A reset link and an invitation are the same page. */
const linkPurposes = ['reset', 'invitation'] as const

export function createResetService(deps: {
  accounts: AccountsRepository
  findAccount(identifier: Identifier): Promise<AccountRecord | null>
  endSessions(userId: string): Promise<void>
  codes: Codes
  passwords: Passwords
  limits: RateLimits
  limit: AccountLimits
  sending: SendingLimits
  mail: Outgoing<Mail>
  sms: Outgoing<Sms>
  messages: Messages
  linkTo(path: string): string
  clock: Clock
  security: SecurityLog
}): ResetService {
  const { accounts, codes, passwords, limits, limit, sending, mail, sms, messages, linkTo, clock, security } = deps

  /** Wrong codes and links of one address are counted together, whatever they were for. */
  const counted = async (client: Client, spend: () => Promise<SpentCode>): Promise<SpentCode> => {
    await limits.check(limit.wrongCodesPerIp, client.ip)
    try {
      return await spend()
    } catch (error) {
      await limits.count(limit.wrongCodesPerIp, client.ip)
      security('code-failed', { ip: client.ip, requestId: client.requestId, detail: 'reset' })
      throw error
    }
  }

  return {
    async forgot(identifier, client) {
      const subject = identifierKey(identifier)
      const isMail = identifier.email !== undefined
      await (isMail ? mail : sms).assertReady()
      const account = await deps.findAccount(identifier)
      const request = { purpose: 'reset' as const, subject, userId: account?.id ?? null, target: subject }
      const { code, token } = await codes.issue(request)
      await (isMail ? sending.mail(subject, client.ip) : sending.text(subject, client.ip))
      if (account === null) return
      security('code-sent', { account: account.id, ip: client.ip, requestId: client.requestId, detail: 'reset' })
      const url = linkTo(`/verify/forgot-password?token=${token}`)
      if (isMail)
        mail.sendSoon(() => messages.codeMail('reset', { ...account, email: account.loginEmail }, { code, url }))
      else {
        const { loginPhone: to } = account
        if (to !== null && mayReceiveText(to))
          sms.sendSoon(() => ({ to, text: messages.codeText('reset', account, { code, url }) }))
      }
    },

    async reset({ otp = '', token, newPassword, email, phone }, client) {
      // Before anything is spent: a weak password must not cost the code.
      passwords.refuseCommon(newPassword, 'newPassword', [email ?? '', phone ?? ''])
      const spent = await counted(client, () =>
        token === undefined
          ? codes.spendCode({ purpose: 'reset', subject: identifierKey({ email, phone }) }, otp)
          : codes.spendLink(linkPurposes, token)
      )
      const account = await accounts.findById(spent.userId)
      // The address moved to another account since the code was sent.
      if (account === null || account.deletingAt !== null || !isStillTheirs(account, spent)) throw codeInvalid()
      const change: AccountUpdate = { passwordHash: await passwords.hash(newPassword) }
      // Who read the mail has shown whose address it is.
      if (isMailTarget(spent)) change.loginEmailVerified = true
      await accounts.update(account.id, change, clock.now())
      await codes.endAllOf(account.id, linkPurposes)
      await deps.endSessions(account.id)
      await accounts.rememberIp(account.id, client.ip)
      security('password-reset', { actor: account.id, ip: client.ip, requestId: client.requestId })
      if (account.passwordHash !== null) {
        mail.sendSoon(() =>
          messages.noticeMail('password-changed', { ...account, email: account.loginEmail }, { from: client.ip })
        )
      }
    },

    async checkLink(token, client) {
      await counted(client, () => codes.checkLink(linkPurposes, token))
    },

    async invite(account) {
      const { token } = await codes.issue({
        purpose: 'invitation',
        subject: `user:${account.id}`,
        userId: account.id,
        target: `email:${account.loginEmailKey}`,
        lifetimeMs: invitationHours * 3_600_000
      })
      const url = linkTo(`/verify/forgot-password?token=${token}`)
      mail.sendSoon(() => messages.codeMail('invitation', { ...account, email: account.loginEmail }, { url }))
    }
  }
}

const isMailTarget = ({ target }: SpentCode): boolean => target.startsWith('email:')

/** A code is bound to the address that it was sent to. */
function isStillTheirs(account: AccountRecord, spent: SpentCode): boolean {
  if (isMailTarget(spent)) return spent.target === `email:${account.loginEmailKey}`
  return account.loginPhone !== null && spent.target === `phone:${toE164(account.loginPhone)}`
}
