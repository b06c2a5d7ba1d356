import { invalid, type AppError } from '../../../platform/app-error.ts'
import type { RateLimits } from '../../../platform/http/limits/rate-limits.ts'
import type { SecurityLog } from '../../../platform/log/security-log.ts'
import type { AccountRecord } from '../../../platform/people/account-directory.ts'
import type { Client } from '../../../platform/people/client.ts'
import type { AccountLimits } from '../limits.ts'
import type { Passwords } from './password.ts'

/** Checks the password of somebody who is logged in. */
export function createPasswordConfirmation(deps: {
  passwords: Passwords
  limits: RateLimits
  limit: AccountLimits
  security: SecurityLog
}) {
  const { passwords, limits, limit, security } = deps

  /** @throws AppError VALIDATION naming `path` unless it is the account's password; TOO_MANY_REQUESTS. */
  return async (account: AccountRecord, password: string, path: string, client: Client): Promise<void> => {
    const before = () => limits.check(limit.confirmationsPerAccount, account.id)
    const failed = () => limits.count(limit.confirmationsPerAccount, account.id)
    await before()
    if (await passwords.matches(password, account.passwordHash, { before, failed })) return
    security('password-confirmation-failed', { actor: account.id, ip: client.ip, requestId: client.requestId })
    throw wrongPassword(path)
  }
}

export function wrongPassword(path: string): AppError {
  return invalid(path, path === 'oldPassword' ? 'Your old password is not correct.' : 'Your password is not correct.')
}
