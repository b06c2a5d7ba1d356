import { getAccount } from '@batti/contracts'
import { useApi } from '#web/lib/services.ts'
import type { Contact } from './request-code.ts'

/** Returns a read of whether the account's contact is verified by now; false if that cannot be read. */
export function useIsVerified(contact: Contact) {
  const api = useApi()
  return async (): Promise<boolean> => {
    const account = await api.call(getAccount).catch(() => null)
    return account !== null && (contact === 'email' ? account.emailVerification : account.phoneVerification)
  }
}
