import { conflict, invalid, notFound } from '../../platform/app-error.ts'
import type { Clock } from '@batti/kit/clock'
import type { EventBus } from '../../platform/events.ts'
import type { Mail } from '../../platform/mail/mail.ts'
import type { Messages } from '../../platform/mail/messages.ts'
import type { Outgoing } from '../../platform/mail/outgoing.ts'
import type { AccountDirectory, AccountRecord } from '../../platform/people/account-directory.ts'
import type { SecurityLog } from '../../platform/log/security-log.ts'
import type { AdminRoster } from './admin-roster.ts'
import type { AccountsRepository, AccountUpdate } from './accounts.repository.ts'
import { changeOfEmail, changeOfPhone, phoneNow, refuseLoneCountryCode, vouchedFor } from './change-address.ts'
import type { Codes } from './codes/codes.ts'
import { displayEmail, givenEmailKey } from './email-key.ts'
import type { Passwords } from './password/password.ts'
import { toE164 } from './phone.ts'
import { newAccount } from './new-account.ts'

/** Account operations of staff. An admin vouches for an address: it can log in at once, but still has to be verified. */
export function createAccountDirectory(deps: {
  accounts: AccountsRepository
  beginErasure: AccountDirectory['beginErasure']
  invite(account: AccountRecord): Promise<void>
  admins: AdminRoster
  codes: Pick<Codes, 'endAllOf'>
  passwords: Passwords
  mail: Outgoing<Mail>
  messages: Messages
  clock: Clock
  events: EventBus
  security: SecurityLog
}): AccountDirectory {
  const { accounts, admins, codes, passwords, mail, messages, clock, events, security } = deps

  /** Staff may learn that a number is taken; people who sign up may not. */
  const refuseTakenPhone = async (phone: string | null, exceptId?: string): Promise<void> => {
    const owner = phone === null ? null : await accounts.findVerifiedPhone(phone)
    if (owner !== null && owner.id !== exceptId)
      throw conflict('Another account has verified this phone number.', 'phone')
  }
  const emailTaken = () => conflict('Another account has this email.', 'email')

  const change: AccountDirectory['change'] = async (id, changes, by) => {
    const account = await accounts.findById(id)
    if (account === null || account.deletingAt !== null) throw notFound('User')
    const role = changes.role ?? account.role
    if (role !== 'admin') await admins.refuseLast(account)
    // Writes only what was sent, so that editing a name does not restore a role that was revoked a moment ago.
    const update: AccountUpdate = changes.role === undefined ? {} : { role }
    if (changes.name !== undefined) update.name = changes.name
    if (changes.address !== undefined) update.address = changes.address
    if (changes.language !== undefined) update.language = changes.language
    refuseLoneCountryCode(changes)
    const email = changes.email === undefined ? null : changeOfEmail(account, changes.email)
    const phone =
      changes.phone === undefined ? null : changeOfPhone(account, changes.phone, clock.now(), changes.countryCode)
    // An invited person without a password has the link to set one in a mail to the previous address.
    const isInvited = email !== null && account.passwordHash === null
    if (isInvited) await mail.assertReady()
    if (phone !== null) await refuseTakenPhone(phone.phone ?? null, id)
    Object.assign(update, vouchedFor(account, { email, phone }, clock.now()))
    if (changes.role !== undefined || changes.permissions !== undefined) {
      update.permissions = role === 'monitor' ? (changes.permissions ?? account.permissions) : []
    }
    const updated = await accounts.update(id, update, clock.now())
    if (updated === null) throw notFound('User')
    if (updated === 'taken') throw emailTaken()
    // The links that undo earlier changes went to addresses that may be somebody else's by now.
    if (email !== null || phone !== null) await codes.endAllOf(id, ['undo'])

    const facts = { actor: by.userId, account: id, ip: by.ip, requestId: by.requestId }
    security('account-changed', facts)
    if (updated.role !== account.role)
      security('role-changed', { ...facts, detail: `${account.role} to ${updated.role}` })
    if (updated.permissions.join() !== account.permissions.join()) {
      security('permissions-changed', { ...facts, detail: updated.permissions.join(', ') })
    }
    const reader = { ...account, email: account.loginEmail }
    if (isInvited) await deps.invite(updated)
    if (email !== null) mail.sendSoon(() => messages.noticeMail('email-changed', reader, { target: updated.email }))
    if (phone !== null) mail.sendSoon(() => messages.noticeMail('phone-changed', reader, phoneNow(updated)))
    events.emit('account-changed', { userId: id })
    return updated
  }

  return {
    list: (query) => accounts.list(query),
    async find(id) {
      const account = await accounts.findById(id)
      return account?.deletingAt === null ? account : null
    },

    async create(input, by) {
      const emailKey = givenEmailKey(input.email)
      const phone = input.phone === null ? null : toE164(input.phone, input.countryCode)
      if (input.phone !== null && phone === null) throw invalid('phone', 'Phone number must be exactly 10 digits.')
      if (input.password !== null) passwords.refuseCommon(input.password, 'password', [input.email, input.name])
      else await mail.assertReady()
      await refuseTakenPhone(phone)
      const createdAt = new Date(clock.now())
      const account = await accounts.insert(
        newAccount({
          name: input.name,
          email: displayEmail(input.email),
          emailKey,
          phone,
          address: input.address ?? '',
          role: input.role,
          permissions: input.permissions,
          passwordHash: input.password === null ? null : await passwords.hash(input.password),
          language: input.language ?? 'en',
          createdAt
        })
      )
      if (account === null) throw emailTaken()
      security('account-created', { actor: by.userId, account: account.id, ip: by.ip, requestId: by.requestId })
      if (account.passwordHash === null) await deps.invite(account)
      else mail.sendSoon(() => messages.noticeMail('account-created', { ...account, email: account.loginEmail }))
      return account
    },

    change: (id, changes, by) =>
      changes.role === undefined || changes.role === 'admin'
        ? change(id, changes, by)
        : admins.exclusively(() => change(id, changes, by)),

    async beginErasure(id, by) {
      if (id === by.userId) throw conflict('Delete your own account in your profile.')
      return deps.beginErasure(id, by)
    }
  }
}
