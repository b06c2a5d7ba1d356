import type { NewAccountRecord } from './accounts.repository.ts'

type Given = 'name' | 'email' | 'emailKey' | 'role' | 'passwordHash' | 'createdAt'

/** Returns the record of a new account. Its addresses log it in; they are unverified unless `given` says otherwise. */
export function newAccount(given: Pick<NewAccountRecord, Given> & Partial<NewAccountRecord>): NewAccountRecord {
  const { email, emailKey, phone = null, createdAt } = given
  return {
    loginEmail: email,
    loginEmailKey: emailKey,
    loginEmailVerified: false,
    phone,
    loginPhone: phone,
    loginPhoneVerified: false,
    phoneClaimedAt: phone === null ? null : createdAt,
    resetGuard: null,
    address: '',
    permissions: [],
    imageKey: null,
    language: 'en',
    timezone: null,
    knownIps: [],
    deletingAt: null,
    ...given
  }
}
