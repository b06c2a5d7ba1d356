import { addressChangeGuardDays } from '@batti/contracts'
import { dayMs } from '@batti/kit/durations'
import type { AccountRecord, ResetGuard } from '../../platform/people/account-directory.ts'

/**
 * Somebody with access to an open session could change the address, verify the new one and reset the password: the account
 * would be theirs for good. So for seven days after a change of address, reset codes go to the previously verified address.
 * Further changes in that time keep the addresses from before the first one. Null if none was verified.
 */
export function guardAfterChange(account: AccountRecord, now: number): ResetGuard | null {
  const until = new Date(now + addressChangeGuardDays * dayMs)
  const active = activeGuard(account, now)
  if (active !== null) return { ...active, until }
  const { loginEmail, loginEmailKey, loginPhone } = account
  const email = account.loginEmailVerified ? { email: loginEmail, emailKey: loginEmailKey } : noEmail
  const phone = account.loginPhoneVerified ? loginPhone : null
  return email.email === null && phone === null ? null : { ...email, phone, until }
}

/** Returns the guard while it is active. */
export function activeGuard({ resetGuard }: AccountRecord, now: number): ResetGuard | null {
  return resetGuard !== null && resetGuard.until.getTime() > now ? resetGuard : null
}

const noEmail = { email: null, emailKey: null }

/** Where a reset code is sent. */
export type ResetReceiver = { kind: 'mail'; to: string; target: string } | { kind: 'text'; to: string; target: string }

const byMail = (email: string, emailKey: string): ResetReceiver => ({
  kind: 'mail',
  to: email,
  target: `email:${emailKey}`
})
const byText = (phone: string): ResetReceiver => ({ kind: 'text', to: phone, target: `phone:${phone}` })

/** Returns the account's own address, of the requested kind if possible; for a guarded account the previous one. */
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

/** Returns the update that restores the previous addresses. */
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
