import { getAccount, type UserRecord } from '@batti/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useApi } from '#web/lib/services.ts'
import { queryKeys } from '#web/lib/query-keys.ts'
import type { Contact } from './request-code.ts'

export const isContactVerified = (account: UserRecord, contact: Contact): boolean =>
  contact === 'email' ? account.emailVerification : account.phoneVerification

/** Returns a read of whether the account's contact is verified by now; false if that cannot be read. */
export function useIsVerified(contact: Contact) {
  const api = useApi()
  const queryClient = useQueryClient()
  return async (): Promise<boolean> => {
    const account = await api.call(getAccount).catch(() => null)
    if (account === null) return false
    // Another phone may have changed the address.
    queryClient.setQueryData(queryKeys.account, account)
    return isContactVerified(account, contact)
  }
}
