import { defaultCountryCode } from '@batti/contracts'
import { invalid } from '../../platform/app-error.ts'
import type { AccountRecord } from '../../platform/people/account-directory.ts'
import type { AccountUpdate } from './accounts.repository.ts'
import { displayEmail, givenEmailKey } from './email-key.ts'
import { countryCodeOf, toE164 } from './phone.ts'

/**
 * Returns the update for a new e-mail; null when it is the same address in another spelling. The old address keeps
 * logging in until the new one is verified.
 * @throws AppError VALIDATION for an invalid address.
 */
export function changeOfEmail(account: AccountRecord, email: string): AccountUpdate | null {
  const emailKey = givenEmailKey(email)
  return emailKey === account.emailKey ? null : { email: displayEmail(email), emailKey }
}

/**
 * Returns the update for a new number. A verified number keeps logging in until the new one is verified; an unverified
 * number is simply replaced; removing the number removes both.
 * @throws AppError VALIDATION for a number outside the five specified countries, or with another country code.
 */
export function changeOfPhone(
  account: AccountRecord,
  text: string,
  now: number,
  countryCode?: string
): AccountUpdate | null {
  if (text === '') {
    if (account.phone === null) return null
    return { phone: null, loginPhone: null, loginPhoneVerified: false, phoneClaimedAt: null }
  }
  const phone = toE164(
    text,
    countryCode ?? (account.phone === null ? defaultCountryCode : countryCodeOf(account.phone))
  )
  if (phone === null) throw invalid('phone', 'Please enter a phone number with country code such as +9779812345678.')
  if (countryCode !== undefined && countryCodeOf(phone) !== countryCode)
    throw invalid('countryCode', 'is not that of the phone number.')
  if (phone === account.phone) return null
  if (account.loginPhoneVerified) return { phone }
  return { phone, loginPhone: phone, phoneClaimedAt: new Date(now) }
}

/**
 * Returns the update for addresses that an admin changes. Staff change them for people who lost access to the old ones, so
 * the new ones log in, and get codes, at once.
 */
export function vouchedFor(
  account: AccountRecord,
  { email, phone }: { email: AccountUpdate | null; phone: AccountUpdate | null },
  now: number
): AccountUpdate {
  const update: AccountUpdate = { ...email, ...phone }
  if (email !== null || phone !== null) update.resetGuard = null
  if (email?.email !== undefined && email.emailKey !== undefined) {
    update.loginEmail = email.email
    update.loginEmailKey = email.emailKey
    update.loginEmailVerified = email.emailKey === account.loginEmailKey && account.loginEmailVerified
  }
  if (phone !== null) {
    update.loginPhone = phone.phone ?? null
    update.loginPhoneVerified = phone.phone === account.loginPhone && account.loginPhoneVerified
    update.phoneClaimedAt = new Date(now)
  }
  return update
}

/** Returns what a notice says of the account's current number. */
export const phoneNow = ({ phone, loginPhone }: AccountRecord): { target?: string; login?: string } => ({
  ...(phone === null ? {} : { target: phone }),
  ...(loginPhone === null || loginPhone === phone ? {} : { login: loginPhone })
})

/** @throws AppError VALIDATION for a country code without a number. */
export function refuseLoneCountryCode(changes: { phone?: string | undefined; countryCode?: string | undefined }): void {
  if (changes.countryCode !== undefined && changes.phone === undefined)
    throw invalid('countryCode', 'goes with a phone number: send both.')
}
