import { invalid, unauthenticated } from '../../platform/app-error.ts'
import type { Clock } from '@batti/kit/clock'
import type { EventBus } from '../../platform/events.ts'
import type { DecodePicture } from '../../platform/http/call.ts'
import type { RateLimits } from '../../platform/http/limits/rate-limits.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import type { Messages } from '../../platform/mail/messages.ts'
import type { Outgoing } from '../../platform/mail/outgoing.ts'
import type { AccountRecord, Language } from '../../platform/people/account-directory.ts'
import type { SecurityLog } from '../../platform/log/security-log.ts'
import { isNamedZone } from '../../platform/time-zone.ts'
import type { AuditOf } from './audit-accounts.ts'
import type { AccountsRepository, AccountUpdate } from './accounts.repository.ts'
import { createAddressNotices } from './address-notices.ts'
import { changeOfEmail, changeOfPhone, refuseLoneCountryCode } from './change-address.ts'
import type { Codes } from './codes/codes.ts'
import { guardAfterChange } from './reset-guard.ts'
import type { AccountLimits } from './limits.ts'
import { createPasswordConfirmation, wrongPassword } from './password/confirm-password.ts'
import type { Passwords } from './password/password.ts'
import type { Client } from '../../platform/people/client.ts'

export interface ProfileChanges {
  name?: string | undefined
  email?: string | undefined
  /** Free text; an empty one removes the number. */
  phone?: string | undefined
  /** For a phone without one; defaults to that of the previous phone. */
  countryCode?: string | undefined
  address?: string | undefined
  language?: Language | undefined
  timezone?: string | undefined
  /** Optional; if sent, it must be right. */
  password?: string | undefined
  image: DecodePicture | null
}

interface Written {
  record: AccountRecord
  /** Key of the replaced picture. */
  former: string | null
}

export function createProfileService(deps: {
  accounts: AccountsRepository
  codes: Pick<Codes, 'endAllOf' | 'issue'>
  linkTo(path: string): string
  storeImage(image: Buffer): Promise<string>
  removeImage(key: string): Promise<void>
  auditOf: AuditOf
  endSessions(userId: string): Promise<void>
  passwords: Passwords
  limits: RateLimits
  limit: AccountLimits
  mail: Outgoing<Mail>
  messages: Messages
  clock: Clock
  events: EventBus
  security: SecurityLog
}) {
  const { accounts, codes, passwords, limits, limit, mail, messages, clock, events, security } = deps
  const sendNotices = createAddressNotices(deps)
  const confirmPassword = createPasswordConfirmation(deps)

  const get = async (userId: string): Promise<AccountRecord> => {
    const account = await accounts.findById(userId)
    if (account === null) throw unauthenticated()
    return account
  }

  /**
   * Stores the picture first, so that a full disk changes nothing. Afterwards removes the picture that no account shows:
   * the new one after a failure (the account may have been deleted), else the previous one, which a concurrent upload may
   * have set.
   */
  async function withPicture(
    decode: DecodePicture,
    write: (imageKey: string) => Promise<Written>
  ): Promise<AccountRecord> {
    const imageKey = await deps.storeImage(await decode())
    try {
      const { record, former } = await write(imageKey)
      if (former !== null) await deps.removeImage(former)
      return record
    } catch (error) {
      await deps.removeImage(imageKey)
      throw error
    }
  }

  return {
    get,
    confirmPassword,

    /** A changed address is unverified; the old verified one keeps logging in and is notified. @throws AppError VALIDATION. */
    async update(userId: string, changes: ProfileChanges, client: Client): Promise<AccountRecord> {
      const account = await get(userId)
      const email = changes.email === undefined ? null : changeOfEmail(account, changes.email)
      const phone =
        changes.phone === undefined ? null : changeOfPhone(account, changes.phone, clock.now(), changes.countryCode)
      if (changes.timezone !== undefined && changes.timezone !== '' && !isNamedZone(changes.timezone)) {
        throw invalid('timezone', 'must be a time zone such as Asia/Kathmandu')
      }
      refuseLoneCountryCode(changes)
      const update: AccountUpdate = { ...email, ...phone }
      if (changes.password !== undefined) await confirmPassword(account, changes.password, 'password', client)
      if (email !== null || phone !== null) {
        await limits.consume(limit.addressChangesPerAccount, userId)
        update.resetGuard = guardAfterChange(account, clock.now())
      }
      if (changes.name !== undefined) update.name = changes.name
      if (changes.address !== undefined) update.address = changes.address
      if (changes.language !== undefined) update.language = changes.language
      if (changes.timezone !== undefined) update.timezone = changes.timezone === '' ? null : changes.timezone
      const change = async (imageKey: string | null): Promise<Written> => {
        const record = await accounts.update(userId, update, clock.now())
        if (record === null || record === 'taken') throw unauthenticated()
        if (imageKey === null) return { record, former: null }
        const replaced = await accounts.replaceImage(userId, imageKey, clock.now())
        if (replaced === null) throw unauthenticated()
        return { record: { ...record, imageKey }, former: replaced.former }
      }
      const action = email !== null ? 'user.change-email' : phone !== null ? 'user.change-phone' : 'user.update'
      const isAudited = action !== 'user.update' || account.role !== 'user'
      const write = (imageKey: string | null): Promise<Written> =>
        isAudited ? deps.auditOf(account, client)(action, () => change(imageKey)) : change(imageKey)
      const updated = changes.image === null ? (await write(null)).record : await withPicture(changes.image, write)
      // Open sockets put the name into the causes of changes; other phones show the rest.
      events.emit('account-changed', { userId })
      await sendNotices(account, updated, { email: email !== null, phone: phone !== null }, client)
      return updated
    },

    /** Ends every session. @throws AppError VALIDATION for a wrong old password: a 401 would log the caller out. */
    async changePassword(userId: string, oldPassword: string, newPassword: string, client: Client): Promise<void> {
      const account = await get(userId)
      await confirmPassword(account, oldPassword, 'oldPassword', client)
      if (oldPassword === newPassword) throw invalid('newPassword', 'The new password must differ from the old one.')
      passwords.refuseCommon(newPassword, 'newPassword', [account.email, account.phone ?? '', account.name])
      const hash = await passwords.hash(newPassword)
      const isReplaced = await deps.auditOf(account, client)('user.change-password', async () => {
        const { passwordHash: from } = account
        if (!(await accounts.replacePassword(userId, { from, to: hash }, clock.now()))) return false
        // In the same transaction as the password, so that no failure in between leaves a thief's session alive.
        await deps.endSessions(userId)
        return true
      })
      // Of two concurrent changes only one wins, because the old password of the other is no longer valid.
      if (!isReplaced) throw wrongPassword('oldPassword')
      await codes.endAllOf(userId, ['reset', 'invitation'])
      // Also ends sessions that started at that very moment.
      await deps.endSessions(userId)
      security('password-changed', { actor: userId, ip: client.ip, requestId: client.requestId })
      const reader = { ...account, email: account.loginEmail }
      mail.sendSoon(() => messages.noticeMail('password-changed', reader, { from: client.ip }))
    }
  }
}
export type ProfileService = ReturnType<typeof createProfileService>
