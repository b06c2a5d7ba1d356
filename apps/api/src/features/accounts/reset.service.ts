import { invitationHours } from '@batti/contracts'
import { hourMs } from '@batti/kit/durations'
import { conflict } from '../../platform/app-error.ts'
import type { Clock } from '@batti/kit/clock'
import type { RateLimits } from '../../platform/http/limits/rate-limits.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import type { Messages } from '../../platform/mail/messages.ts'
import type { Outgoing } from '../../platform/mail/outgoing.ts'
import type { AccountRecord } from '../../platform/people/account-directory.ts'
import type { SecurityLog } from '../../platform/log/security-log.ts'
import type { Sms } from '../../platform/sms/sms.ts'
import type { AuditOf } from './audit-accounts.ts'
import type { AccountsRepository, AccountUpdate } from './accounts.repository.ts'
import { codeInvalid, linkInvalid, type Codes, type SentCode } from './codes/codes.ts'
import type { AccountLimits } from './limits.ts'
import { emailKeyOf } from './email-key.ts'
import { identifierKey, type Identifier } from './login.service.ts'
import type { Passwords } from './password/password.ts'
import { mayReceiveText, toE164 } from './phone.ts'
import type { Client } from '../../platform/people/client.ts'
import { activeGuard, resetReceiver, undoOf } from './reset-guard.ts'
import type { SendingLimits } from './codes/sending-limits.ts'
import { createCodeSpender } from './codes/spend-code.ts'

/** A reset link and an invitation lead to the same page. */
const linkPurposes = ['reset', 'invitation'] as const
/** So does the link that undoes a change of address: whoever needs it also needs a new password. */
const passwordLinks = [...linkPurposes, 'undo'] as const

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
  auditOf: AuditOf
  linkTo(path: string): string
  clock: Clock
  security: SecurityLog
}) {
  const { accounts, codes, passwords, sending, mail, sms, messages, linkTo, clock, security } = deps

  const spendCode = createCodeSpender(deps)

  /** Finds an account by an address from before a change, while codes still go there. */
  const findFormer = ({ email, phone }: Identifier): Promise<AccountRecord | null> => {
    const emailKey = email === undefined ? null : emailKeyOf(email)
    if (emailKey !== null) return accounts.findByGuard({ emailKey }, clock.now())
    const number = phone === undefined ? null : toE164(phone)
    return number === null ? Promise.resolve(null) : accounts.findByGuard({ phone: number }, clock.now())
  }

  /** Returns the account that a code belongs to; null if the address it was sent to is no longer theirs. */
  const receiverOf = async (checked: SentCode): Promise<AccountRecord | null> => {
    const account = await accounts.findById(checked.userId)
    if (account === null || account.deletingAt !== null) return null
    return isStillTheirs(account, checked, clock.now()) ? account : null
  }

  return {
    /** Sends a code to the account's own address. The answer and its timing are the same for an unknown address. */
    async forgot(identifier: Identifier, client: Client): Promise<void> {
      const subject = identifierKey(identifier)
      const isMail = identifier.email !== undefined
      await (isMail ? mail : sms).assertReady()
      // Both are always queried, so that the response time does not reveal whether the address has an account.
      const [current, former] = await Promise.all([deps.findAccount(identifier), findFormer(identifier)])
      const account = current ?? former
      const receiver = account === null ? null : resetReceiver(account, isMail ? 'mail' : 'text', clock.now())
      const target = receiver?.target ?? subject
      const request = { purpose: 'reset' as const, subject, userId: account?.id ?? null, target }
      // An earlier code stays valid until another one is really being sent.
      await codes.assertMayIssue(request)
      await (isMail ? sending.mail(subject, client.ip) : sending.text(subject, client.ip))
      const { code, token } = await codes.issue(request)
      if (account === null || receiver === null) return
      security('code-sent', { account: account.id, ip: client.ip, requestId: client.requestId, detail: 'reset' })
      const url = linkTo(`/verify/forgot-password?token=${token}`)
      const { kind, to } = receiver
      if (kind === 'mail') mail.sendSoon(() => messages.codeMail('reset', { ...account, email: to }, { code, url }))
      else if (mayReceiveText(to))
        sms.sendSoon(() => ({ to, text: messages.codeText('reset', account, { code, url }) }))
    },

    /** Sets a password by code and address, or by a link's token, and ends every session. @throws AppError CODE_INVALID. */
    async reset(
      input: Identifier & { otp?: string | undefined; token?: string | undefined; newPassword: string },
      client: Client
    ): Promise<void> {
      const { otp = '', token, newPassword, email, phone } = input
      // Checked before anything is spent: a weak password must not cost the code.
      passwords.refuseCommon(newPassword, 'newPassword', [email ?? '', phone ?? ''])
      const checked = await spendCode(client, 'reset', () =>
        token === undefined
          ? codes.checkCode({ purpose: 'reset', subject: identifierKey({ email, phone }) }, otp)
          : codes.checkLink(passwordLinks, token)
      )
      const account = await receiverOf(checked)
      if (account === null) throw token === undefined ? codeInvalid() : linkInvalid()
      const change: AccountUpdate = { passwordHash: await passwords.hash(newPassword) }
      // Whoever received the mail has proved to own the address.
      if (checked.target === `email:${account.loginEmailKey}`) change.loginEmailVerified = true
      const isUndo = checked.purpose === 'undo' && account.resetGuard !== null
      if (isUndo && account.resetGuard !== null) Object.assign(change, undoOf(account.resetGuard))
      const write = async () => {
        // In the same transaction as the password, so that a client without an answer can retry.
        await codes.spend(checked)
        const updated = await accounts.update(account.id, change, clock.now())
        // In the same transaction as the password, so that no failure in between leaves a thief's session alive.
        if (updated !== 'taken') await deps.endSessions(account.id)
        return updated
      }
      if ((await deps.auditOf(account, client)('user.reset-password', write)) === 'taken')
        throw conflict('Your earlier address belongs to another account by now. Please write to us.')
      await codes.endAllOf(account.id, isUndo ? [...passwordLinks, 'verify-email', 'verify-phone'] : linkPurposes)
      // Also ends sessions that started at that very moment.
      await deps.endSessions(account.id)
      await accounts.rememberIp(account.id, client.ip)
      if (isUndo) security('address-change-undone', { actor: account.id, ip: client.ip, requestId: client.requestId })
      security('password-reset', { actor: account.id, ip: client.ip, requestId: client.requestId })
      if (account.passwordHash !== null) {
        mail.sendSoon(() =>
          messages.noticeMail('password-changed', { ...account, email: account.loginEmail }, { from: client.ip })
        )
      }
    },

    /** Checks whether a link is still valid, without spending it. @throws AppError CODE_INVALID. */
    async checkLink(token: string, client: Client): Promise<void> {
      const checked = await spendCode(client, 'reset', () => codes.checkLink(passwordLinks, token))
      if ((await receiverOf(checked)) === null) throw linkInvalid()
    },

    /** Mails a link to set the first password, valid for 72 hours, which replaces an earlier one. */
    async invite(account: AccountRecord): Promise<void> {
      const request = { purpose: 'invitation' as const, subject: `user:${account.id}` }
      await codes.cancel(request)
      const { token } = await codes.issue({
        ...request,
        userId: account.id,
        target: `email:${account.loginEmailKey}`,
        lifetimeMs: invitationHours * hourMs
      })
      const url = linkTo(`/verify/forgot-password?token=${token}`)
      mail.sendSoon(() => messages.codeMail('invitation', { ...account, email: account.loginEmail }, { url }))
    }
  }
}
export type ResetService = ReturnType<typeof createResetService>

const isMailTarget = ({ target }: SentCode): boolean => target.startsWith('email:')

/** A code is bound to the address that it was sent to. */
function isStillTheirs(account: AccountRecord, spent: SentCode, now: number): boolean {
  if (spent.purpose === 'undo') return account.resetGuard !== null
  // A code sent before a change of address went to the guarded address.
  if (activeGuard(account, now) !== null) {
    const receivers = (['mail', 'text'] as const).map((kind) => resetReceiver(account, kind, now)?.target)
    if (spent.purpose === 'reset') return receivers.includes(spent.target)
  }
  if (isMailTarget(spent)) return spent.target === `email:${account.loginEmailKey}`
  return account.loginPhone !== null && spent.target === `phone:${toE164(account.loginPhone)}`
}
