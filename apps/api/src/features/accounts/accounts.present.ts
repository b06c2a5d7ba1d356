import type { UserRecord } from '@batti/contracts'
import { isEmailVerified, isPhoneVerified, type AccountRecord } from '../../platform/people/account-directory.ts'
import { countryCodeOf } from './phone.ts'

/** Presents an account to its owner. Hashes, login addresses and known addresses never leave the server. */
export function presentAccount(account: AccountRecord, imageUrl: (key: string) => string): UserRecord {
  return {
    _id: account.id,
    name: account.name,
    email: account.email,
    phone: account.phone,
    ...(account.phone === null ? {} : { countryCode: countryCodeOf(account.phone) }),
    address: account.address,
    role: account.role,
    ...(account.role === 'monitor' ? { permissions: [...account.permissions] } : {}),
    profileImage: account.imageKey === null ? null : { url: imageUrl(account.imageKey) },
    emailVerification: isEmailVerified(account),
    phoneVerification: isPhoneVerified(account),
    language: account.language,
    ...(account.timezone === null ? {} : { timezone: account.timezone }),
    createdAt: account.createdAt.toISOString()
  }
}
