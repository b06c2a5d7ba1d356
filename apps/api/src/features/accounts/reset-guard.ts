import { addressChangeGuardDays } from '@batti/contracts'
import type { AccountRecord, ResetGuard } from '../../platform/people/account-directory.ts'

/**
 * Whoever borrows an open session could change the address, verify the new one and reset the password by it: the account
 * would be theirs for good. So after a change of address, reset codes go for seven days to what was verified before it.
 * Further changes in that time keep the addresses of before the first one. Null where nothing was verified.
 */
export function guardAfterChange(account: AccountRecord, now: number): ResetGuard | null {
  const until = new Date(now + addressChangeGuardDays * 86_400_000)
  const active = activeGuard(account, now)
  if (active !== null) return { ...active, until }
  const { loginEmail, loginEmailKey, loginPhone } = account
  const email = account.loginEmailVerified ? { email: loginEmail, emailKey: loginEmailKey } : noEmail
  const phone = account.loginPhoneVerified ? loginPhone : null
  return email.email === null && phone === null ? null : { ...email, phone, until }
}

/** The guard while it lasts. */
export function activeGuard({ resetGuard }: AccountRecord, now: number): ResetGuard | null {
  return resetGuard !== null && resetGuard.until.getTime() > now ? resetGuard : null
}

const noEmail = { email: null, emailKey: null }

/** Where a reset code goes. */
export type ResetReceiver = { kind: 'mail'; to: string; target: string } | { kind: 'text'; to: string; target: string }

const byMail = (email: string, emailKey: string): ResetReceiver => ({
  kind: 'mail',
  to: email,
  target: `email:${emailKey}`
})
const byText = (phone: string): ResetReceiver => ({ kind: 'text', to: phone, target: `phone:${phone}` })

/** The account's own address, of the kind that was asked for where there is one; a guarded account's is the one of before. */
export function resetReceiver(account: AccountRecord, wish: ResetReceiver['kind'], now: number): ResetReceiver | null {
  const guard = activeGuard(account, now)
  if (guard === null) {
    if (wish === 'mail') return byMail(account.loginEmail, account.loginEmailKey)
    return account.loginPhone === null ? null : byText(account.loginPhone)
  }
  const mail = guard.email !== null && guard.emailKey !== null ? byMail(guard.email, guard.emailKey) : null
  const text = guard.phone === null ? null : byText(guard.phone)
  return wish === 'mail' ? (mail ?? text) : (text ?? mail)
}

/** What puts the addresses of before back in place. */
export function undoOf(guard: ResetGuard): Partial<AccountRecord> {
  const { email, emailKey, phone } = guard
  return {
    resetGuard: null,
    phone,
    loginPhone: phone,
    loginPhoneVerified: phone !== null,
    ...(email === null || emailKey === null
      ? {}
      : { email, emailKey, loginEmail: email, loginEmailKey: emailKey, loginEmailVerified: true })
  }
}
