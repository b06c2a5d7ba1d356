import type { Clock } from '@batti/kit/clock'
import type { SecurityLog } from '../../platform/log/security-log.ts'
import type { AccountsRepository } from './accounts.repository.ts'
import { displayEmail, emailKeyOf } from './email-key.ts'
import type { Passwords } from './password/password.ts'
import { passwordMinLength } from '@batti/contracts'
import { newAccount } from './new-account.ts'

export interface AdminInput {
  email: string
  password: string
  name?: string | undefined
}

export interface FirstAdmin {
  /** Creates the admin of the settings if there is none yet; an existing account with that e-mail is never changed. */
  ensure(input: AdminInput): Promise<void>
  /** Creates an admin, or promotes an account. @throws Error with a sentence for invalid input. */
  create(input: AdminInput): Promise<'created' | 'promoted'>
}

export function createFirstAdmin(deps: {
  accounts: AccountsRepository
  passwords: Passwords
  clock: Clock
  security: SecurityLog
}): FirstAdmin {
  const { accounts, passwords, clock, security } = deps

  async function create({ email, password, name }: AdminInput): Promise<'created' | 'promoted'> {
    const emailKey = emailKeyOf(email)
    if (emailKey === null) throw new Error(`${email} is not an e-mail address.`)
    const existing = await accounts.findByLoginEmail(emailKey)
    if (existing !== null) {
      await accounts.update(existing.id, { role: 'admin', permissions: [] }, clock.now())
      security('role-changed', { account: existing.id, detail: `${existing.role} to admin, by command` })
      return 'promoted'
    }
    if (password.length < passwordMinLength)
      throw new Error(`The admin's password must be at least ${passwordMinLength} characters.`)
    passwords.refuseCommon(password, 'password', [email])
    const createdAt = new Date(clock.now())
    const account = await accounts.insert(
      newAccount({
        name: name ?? 'Administrator',
        email: displayEmail(email),
        emailKey,
        // Whoever runs the server vouches for it.
        loginEmailVerified: true,
        role: 'admin',
        passwordHash: await passwords.hash(password),
        createdAt
      })
    )
    // Null: another instance that starts at the same moment was faster.
    if (account !== null) security('account-created', { account: account.id, detail: 'admin, by the server' })
    return 'created'
  }

  return {
    create,
    async ensure(input) {
      if ((await accounts.countByRole('admin')) > 0) return
      const emailKey = emailKeyOf(input.email)
      const existing = emailKey === null ? null : await accounts.findByLoginEmail(emailKey)
      // Another instance that starts at the same moment was faster.
      if (existing?.role === 'admin') return
      if (existing !== null) {
        throw new Error(
          'ADMIN_EMAIL belongs to an account that is no admin. docs/operations.md says how to make it one.'
        )
      }
      await create(input)
    }
  }
}
